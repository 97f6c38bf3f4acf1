package io.nightjar.datasets.store;

import java.util.Arrays;

/** The committed versions of every cell that an open snapshot can still observe; a cell holds the value of a key. */
public final class VersionedCells {

    /*
     * The latest version of each cell is stored in one array, older ones in a pool, linked from newest to oldest:
     *
     *   latest:   [ commit 0 | state 0 | commit 1 | state 1 | ... ]
     *   olderOf:  [ version of cell 0  | version of cell 1  | ... ]   NONE if no older one is kept
     *   pool:     [ commit | state ] as in latest, olderThan[version] leads to the next older one
     *
     * An older version is dropped at the next commit to its cell, once no open snapshot can observe it. So memory is
     * bounded by the number of cells and of commits while the oldest open transaction runs.
     *
     * A state is a value for registers and a length for lists; INITIAL_COMMIT is smaller than every start.
     */

    private static final int NONE = -1;
    private static final long INITIAL_COMMIT = 0;

    private final long initialState;
    private long[] latest;
    private int[] olderOf;

    private long[] pool = new long[64];
    private int[] olderThan = new int[32];
    private int pooled;
    private int free = NONE;

    public VersionedCells(int cells, long initialState) {
        this.initialState = initialState;
        this.latest = new long[0];
        this.olderOf = new int[0];
        growTo(cells);
    }

    public void growTo(int cells) {
        int known = olderOf.length;
        latest = Arrays.copyOf(latest, Math.multiplyExact(2, cells));
        olderOf = Arrays.copyOf(olderOf, cells);
        for (int cell = known; cell < cells; cell++) {
            latest[2 * cell] = INITIAL_COMMIT;
            latest[2 * cell + 1] = initialState;
            olderOf[cell] = NONE;
        }
    }

    /** Returns the state that a snapshot taken at {@code start} shows. */
    public long read(int cell, long start) {
        if (latest[2 * cell] <= start) {
            return latest[2 * cell + 1];
        }
        int version = olderOf[cell];
        while (pool[2 * version] > start) {
            version = olderThan[version];
        }
        return pool[2 * version + 1];
    }

    /** Returns the state that a snapshot taken now would show. */
    public long latestState(int cell) {
        return latest[2 * cell + 1];
    }

    public boolean changedSince(int cell, long start) {
        return latest[2 * cell] > start;
    }

    /**
     * Makes a state the latest one. A second call with the same commit replaces the state of the first.
     *
     * @param oldestSnapshot the smallest start of the transactions still open, {@code Long.MAX_VALUE} if none is open
     */
    public void install(int cell, long state, long commit, long oldestSnapshot) {
        if (latest[2 * cell] != commit) {
            if (oldestSnapshot == Long.MAX_VALUE) {
                release(olderOf[cell]);
                olderOf[cell] = NONE;
            } else {
                keepLatest(cell, oldestSnapshot);
            }
            latest[2 * cell] = commit;
        }
        latest[2 * cell + 1] = state;
    }

    /** Resets a cell to the initial state, for a new key. */
    public void reset(int cell) {
        release(olderOf[cell]);
        olderOf[cell] = NONE;
        latest[2 * cell] = INITIAL_COMMIT;
        latest[2 * cell + 1] = initialState;
    }

    private void keepLatest(int cell, long oldestSnapshot) {
        int kept = allocate();
        pool[2 * kept] = latest[2 * cell];
        pool[2 * kept + 1] = latest[2 * cell + 1];
        olderThan[kept] = olderOf[cell];
        olderOf[cell] = kept;
        int lastNeeded = kept;
        while (lastNeeded != NONE && pool[2 * lastNeeded] > oldestSnapshot) {
            lastNeeded = olderThan[lastNeeded];
        }
        if (lastNeeded != NONE) {
            release(olderThan[lastNeeded]);
            olderThan[lastNeeded] = NONE;
        }
    }

    private int allocate() {
        if (free != NONE) {
            int version = free;
            free = olderThan[version];
            return version;
        }
        if (pooled == olderThan.length) {
            olderThan = Arrays.copyOf(olderThan, Math.multiplyExact(2, pooled));
            pool = Arrays.copyOf(pool, Math.multiplyExact(4, pooled));
        }
        return pooled++;
    }

    private void release(int chain) {
        int version = chain;
        while (version != NONE) {
            int next = olderThan[version];
            olderThan[version] = free;
            free = version;
            version = next;
        }
    }
}
