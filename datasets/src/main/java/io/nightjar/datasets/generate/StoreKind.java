package io.nightjar.datasets.generate;

import io.nightjar.formats.level.IsolationLevel;

/** The simulated database. */
public enum StoreKind {
    /** Snapshot isolation: reads see the state at the start, the first committer of a key wins. */
    SI("si", IsolationLevel.SNAPSHOT_ISOLATION),
    /** As {@link #SI}, and whoever read or wrote a key that changed since its start is aborted. */
    SER("ser", IsolationLevel.SERIALIZABLE);

    private final String word;
    private final IsolationLevel level;

    StoreKind(String word, IsolationLevel level) {
        this.word = word;
        this.level = level;
    }

    /** The word on the command line. */
    public String word() {
        return word;
    }

    /** The strongest level that the store's histories hold at, by timestamps. */
    public IsolationLevel level() {
        return level;
    }

    /** The store with this word; an {@code IllegalArgumentException} lists the words. */
    public static StoreKind byName(String name) {
        return Words.find(values(), StoreKind::word, "store", name);
    }
}
