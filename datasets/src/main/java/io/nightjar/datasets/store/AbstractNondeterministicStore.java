package io.nightjar.datasets.store;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/**
 * The common part of nondeterministic stores: sessions, their open transactions, and the choice of a value to return.
 */
abstract class AbstractNondeterministicStore implements NondeterministicStore {

    /** No value, no version, or no position. */
    static final int NONE = -1;

    private static final int FEW = 16;
    private static final int DRAWS = 16;

    final Chooser chooser;
    int sessionCount;

    /** Number of committed transactions, by session. */
    int[] committed = {};

    /** The open transaction of each session, or the buffer of its last one. */
    TxnBuffer[] open = {};

    private boolean[] readsNewest = {};
    private boolean readsOldest;

    AbstractNondeterministicStore(Chooser chooser) {
        this.chooser = chooser;
    }

    @Override
    public final void growSessions(int count) {
        int from = sessionCount;
        if (count <= from) {
            return;
        }
        sessionCount = count;
        committed = Arrays.copyOf(committed, count);
        open = Arrays.copyOf(open, count);
        readsNewest = Arrays.copyOf(readsNewest, count);
        for (int session = from; session < count; session++) {
            open[session] = new TxnBuffer();
        }
        grow(from, count);
    }

    /** Allocates the per-session state of a subclass. */
    abstract void grow(int from, int count);

    // ---------------------------------------------------------------- reads

    @Override
    public final long read(int session, int key) {
        int own = open[session].writeOf(key);
        return own >= 0 ? open[session].written[own] : readOfOthers(session, key);
    }

    @Override
    public final long readNewest(int session, int key) {
        int own = open[session].writeOf(key);
        return own >= 0 ? open[session].written[own] : readLastOfOthers(session, key);
    }

    @Override
    public final long readOldest(int session, int key) {
        readsOldest = true;
        try {
            return read(session, key);
        } finally {
            readsOldest = false;
        }
    }

    /** Reads a version that the level allows of a key that the transaction has not written. */
    abstract long readOfOthers(int session, int key);

    /** Reads the version that was committed last, or aborts. */
    abstract long readLastOfOthers(int session, int key);

    /** Returns whether a version may be drawn before the number of allowed versions is known. */
    final boolean isDrawn(int session) {
        return chooser.isUniform() && !readsNewest[session] && !readsOldest;
    }

    final boolean readsNewest(int session) {
        return readsNewest[session];
    }

    final void readNewestUntilCommit(int session, boolean isWanted) {
        readsNewest[session] = isWanted;
    }

    /**
     * Draws one of this many versions, in order from old to new, among the allowed ones. Of many, versions are drawn
     * until one is allowed; of few, all are tried. In both cases each allowed version has the same probability.
     *
     * @param versionOf the version by index
     * @return {@link #NONE} if none is allowed
     */
    final int draw(int session, int count, IntPredicate isAllowed, IntToLongFunction versionOf) {
        if (readsOldest) {
            int answer = 0;
            while (answer < count && !isAllowed.test(answer)) {
                answer++;
            }
            return answer < count ? answer : NONE;
        }
        if (readsNewest[session]) {
            int answer = count - 1;
            while (answer >= 0 && !isAllowed.test(answer)) {
                answer--;
            }
            return answer;
        }
        for (int draw = 0; chooser.isUniform() && count > FEW && draw < DRAWS; draw++) {
            int answer = chooser.below(count);
            if (isAllowed.test(answer)) {
                return answer;
            }
        }
        int[] allowed = new int[count];
        int allowedCount = 0;
        for (int answer = 0; answer < count; answer++) {
            if (isAllowed.test(answer)) {
                allowed[allowedCount++] = answer;
            }
        }
        return allowedCount == 0
                ? NONE
                : allowed[chooser.below(allowedCount, number -> versionOf.applyAsLong(allowed[number]))];
    }

    // ---------------------------------------------------------------- arrays
    /** Returns an array by key, or a longer copy if a key is beyond its end. */
    static <T> T[] grownFor(int key, T[] ofKey) {
        return key < ofKey.length ? ofKey : Arrays.copyOf(ofKey, Math.max(key + 1, 2 * ofKey.length));
    }

    /** Returns the number of smaller elements of an ascending list. */
    static int below(IntArrayList ascending, int bound) {
        int position = Arrays.binarySearch(ascending.elements(), 0, ascending.size(), bound);
        return position >= 0 ? position : -position - 1;
    }

    @Override
    public boolean write(int session, int key, long value) {
        open[session].write(key, value);
        return true;
    }

    // ---------------------------------------------------------------- interface of databases

    @Override
    public final int committedCount(int session) {
        return committed[session];
    }

    @Override
    public void recordUnborn(int session, int position, int key) {
        boolean isOfOpen = position == committed[session];
        if (isOfOpen && versionCount(key) == 0 && open[session].writeOf(key) < 0) {
            open[session].read(key, initialVersion());
        }
    }

    /** Returns the version that a buffer records for a read of the initial state. */
    abstract int initialVersion();

    @Override
    public final void unwrite(int session, int key) {
        open[session].unwrite(key);
    }

    @Override
    public final void readNewestUntilCommit(int session) {
        readsNewest[session] = true;
    }
}
