package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.util.Arrays;
import java.util.BitSet;

/** Positions of the transactions of a history, and the segments of positions that backward dependencies span. */
public final class Positions {

    /*
     * Definitions. Positions are numbers in the order of time. At time t:
     *
     *   4 t + 1   transactions that missed a version committed at t
     *   4 t + 2   transactions that committed at t
     *   4 t + 3   read-only transactions that started at t
     *
     * Transactions of one position are in commit order. A segment is a maximal union of the ranges [P(v), P(u)] of
     * dependencies u -> v that go back.
     *
     * Invariant. Every cycle of dependencies lies in one segment: it has a dependency that goes back, and none returns
     * over a cut that no such range contains. So a history is serializable if each segment is serializable as a
     * separate history.
     */

    /** Bytes per transaction with an explicit position. */
    private static final int BYTES_OF_ENTRY = 24;

    private final Long2LongOpenHashMap positionOf; // by id; others are at their commit or start
    private final long[] lows; // by segment, ascending
    private final long[] highs;
    private final boolean isCommitOrder;

    private Positions(Long2LongOpenHashMap positionOf, long[] lows, long[] highs, boolean isCommitOrder) {
        this.positionOf = positionOf;
        this.lows = lows;
        this.highs = highs;
        this.isCommitOrder = isCommitOrder;
    }

    /** Returns the same positions with some of the segments, renumbered. */
    public Positions withSegments(BitSet segments) {
        long[] lowOf = new long[segments.cardinality()];
        long[] highOf = new long[lowOf.length];
        int count = 0;
        for (int segment = segments.nextSetBit(0); segment >= 0; segment = segments.nextSetBit(segment + 1)) {
            lowOf[count] = lows[segment];
            highOf[count++] = highs[segment];
        }
        return new Positions(positionOf, lowOf, highOf, isCommitOrder);
    }

    private record State(boolean isCommitOrder, long[] lows, long[] highs, long[] ids, long[] positions) {}

    /** Appends positions and segments to a sink. */
    public void encode(ByteWriter to) {
        long[] ids = positionOf.keySet().toLongArray();
        long[] positions = new long[ids.length];
        Arrays.setAll(positions, i -> positionOf.get(ids[i]));
        ResultCodec.encode(new State(isCommitOrder, lows, highs, ids, positions), to);
    }

    public static Positions decode(ByteReader from) {
        State state = ResultCodec.decode(State.class, from);
        Long2LongOpenHashMap positionOf = new Long2LongOpenHashMap(state.ids, state.positions);
        return new Positions(positionOf, state.lows, state.highs, state.isCommitOrder);
    }

    static boolean fits(long time) {
        return time > Long.MIN_VALUE / 4 && time < Long.MAX_VALUE / 4;
    }

    static long before(long missedCommit) {
        return 4 * missedCommit + 1;
    }

    static long at(long commit) {
        return 4 * commit + 2;
    }

    static long after(long start) {
        return 4 * start + 3;
    }

    /** Returns whether no transaction missed a version, so that the order of commits explains every read. */
    public boolean isCommitOrder() {
        return isCommitOrder;
    }

    public int segmentCount() {
        return lows.length;
    }

    /** Returns the segment of a committed transaction; -1 if it lies in none. */
    public int segmentOf(HistorySlice slice, int txn) {
        boolean isReadOnly = slice.isReadOnly(txn);
        long commit = slice.commitTsOf(txn, isReadOnly);
        long position = position(slice.txnId[txn], isReadOnly, slice.startTs[txn], commit);
        int at = Arrays.binarySearch(lows, position);
        int segment = at >= 0 ? at : -at - 2;
        return segment >= 0 && position <= highs[segment] ? segment : -1;
    }

    /** Returns the position of a committed transaction. */
    public long position(long txnId, boolean isReadOnly, long startTs, long commitTs) {
        return positionOf.getOrDefault(txnId, isReadOnly ? after(startTs) : at(commitTs));
    }

    /** Collector of positions and of the dependencies that go back. */
    static final class Builder {

        private final Long2LongOpenHashMap positionOf = new Long2LongOpenHashMap();
        private long[] lows = new long[16];
        private long[] highs = new long[16];
        private int count;
        private boolean hasMisser;

        /** Sets the position of a transaction that is neither at its commit nor, if read-only, after its start. */
        void put(long txnId, long position) {
            positionOf.put(txnId, position);
        }

        void foundMisser() {
            hasMisser = true;
        }

        /** Adds a dependency from the later position to the earlier one. */
        void goesBack(long earlier, long later) {
            if (count == lows.length) {
                merge();
                if (count > lows.length / 2) {
                    lows = Arrays.copyOf(lows, 2 * lows.length);
                    highs = Arrays.copyOf(highs, 2 * highs.length);
                }
            }
            lows[count] = earlier;
            highs[count++] = later;
        }

        /** Merges ranges that overlap, in ascending order. */
        private void merge() {
            LongArrays.quickSort(lows, highs, 0, count);
            int merged = 0;
            for (int range = 0; range < count; range++) {
                if (merged > 0 && lows[range] <= highs[merged - 1]) {
                    highs[merged - 1] = Math.max(highs[merged - 1], highs[range]);
                } else {
                    lows[merged] = lows[range];
                    highs[merged++] = highs[range];
                }
            }
            count = merged;
        }

        long byteSize() {
            return (long) BYTES_OF_ENTRY * positionOf.size() + 16L * lows.length;
        }

        Positions build() {
            merge();
            return new Positions(positionOf, Arrays.copyOf(lows, count), Arrays.copyOf(highs, count), !hasMisser);
        }
    }
}
