package io.nightjar.jobs.watch;

/** Stages that the rows of a watch pass, in this order. */
record WatchPipeline(
        FeedThreads feeds,
        TxnDeduplicator known,
        DeadLetterLog letters,
        RowArchive kept,
        ParallelOnlineCheck online,
        Watermark watermark,
        ArrivalProcessor intake,
        FinalCheck verdict) {}
