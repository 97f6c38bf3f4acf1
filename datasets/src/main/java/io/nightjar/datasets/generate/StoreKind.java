package io.nightjar.datasets.generate;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Chooser;
import io.nightjar.datasets.store.SnapshotStore;
import io.nightjar.datasets.store.Store;
import io.nightjar.datasets.store.StrongCommitOrderStore;
import io.nightjar.datasets.store.WeakFreeOrderStore;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;

/** The simulated database. */
public enum StoreKind {
    /** Snapshot isolation: reads observe the state at the start, the first committer of a key wins. */
    SI("si", IsolationLevel.SNAPSHOT_ISOLATION),
    /** Like {@link #SI}, and a transaction is aborted if a key that it read or wrote changed since its start. */
    SER("ser", IsolationLevel.COMMIT_ORDER_SERIALIZABLE),
    /** Each read returns any version that read committed allows. */
    RC("rc", IsolationLevel.READ_COMMITTED),
    /** Each read returns any version that read atomic allows. */
    RA("ra", IsolationLevel.READ_ATOMIC),
    /** Each read returns any version that causal consistency allows. */
    CC("cc", IsolationLevel.CAUSAL),
    /** Each read returns any version that prefix consistency allows. */
    PC("pc", IsolationLevel.PREFIX);

    private final String word;
    private final IsolationLevel level;

    StoreKind(String word, IsolationLevel level) {
        this.word = word;
        this.level = level;
    }

    /** Returns the word on the command line. */
    public String word() {
        return word;
    }

    /** Returns the strongest level that holds for all histories of the store. */
    public IsolationLevel level() {
        return level;
    }

    /** Returns whether it reads from snapshots of a clock, which are in the history as timestamps. */
    public boolean hasTimestamps() {
        return this == SI || this == SER;
    }

    /** Returns the stores that have timestamps. */
    public static List<StoreKind> withTimestamps() {
        return List.of(SI, SER);
    }

    /** Returns a new store of this kind. */
    Store open(int sessions, int keys, long tick, long seed) {
        Chooser chooser = new SeededRandom(seed)::below;
        return switch (this) {
            case SI, SER -> new SnapshotStore(this == SER, sessions, keys, tick);
            case RC -> new WeakFreeOrderStore(WeakFreeOrderStore.Level.READ_COMMITTED, sessions, keys, chooser);
            case RA -> new WeakFreeOrderStore(WeakFreeOrderStore.Level.READ_ATOMIC, sessions, keys, chooser);
            case CC -> new WeakFreeOrderStore(WeakFreeOrderStore.Level.CAUSAL, sessions, keys, chooser);
            case PC -> new StrongCommitOrderStore(StrongCommitOrderStore.Level.PREFIX, sessions, keys, chooser);
        };
    }

    /** Returns the store with this word; an {@code IllegalArgumentException} lists the words. */
    public static StoreKind byName(String name) {
        return EnumLookup.find(values(), StoreKind::word, "store", name);
    }
}
