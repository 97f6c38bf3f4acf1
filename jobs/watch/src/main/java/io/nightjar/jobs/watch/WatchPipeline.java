package io.nightjar.jobs.watch;

import io.nightjar.pipeline.online.OnlineCheck;

/** Stages that the rows of a watch pass, in this order. */
record WatchPipeline(
        TxnDeduplicator known,
        DeadLetterLog letters,
        RowArchive kept,
        OnlineCheck online,
        Watermark watermark,
        ArrivalProcessor intake) {}
