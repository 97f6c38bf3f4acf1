package io.nightjar.jobs.watch;

/** What the rows of a watch pass, in this order. */
record WatchStations(
        FeedThreads feeds,
        KnownTxns known,
        WatchLetters letters,
        KeptRows kept,
        OnlineLanes online,
        Watermark watermark,
        RowIntake intake,
        WatchVerdict verdict) {}
