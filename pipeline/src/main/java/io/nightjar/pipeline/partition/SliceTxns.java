package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import org.jspecify.annotations.Nullable;

/** Codec for the transactions of a slice: every column except the columns of operations. */
final class SliceTxns {

    /*
     *   columns            a byte: which columns are present
     *   count
     *   [row offsets]      to the first row; packed, as are all columns
     *   marks              status, and which of its times are missing
     *   ids sessions positions          as differences to the row before
     *   [starts commits]                starts as differences to the previous start present, commits to that start
     *   [invokes completes]             likewise
     *   [extras]           a string each, only if present
     *
     *   marks:   7   6   5   4   3   2   1   0
     *                E   c   i   C   S   status
     *
     *   S C   start, commit missing     i c   invoke, complete missing     E   extra present
     */

    private static final int HAS_ROW_OFFSETS = 1;
    private static final int HAS_TIMESTAMPS = 2;
    private static final int HAS_CLIENT_TIMES = 4;
    private static final int HAS_EXTRA = 8;

    private static final int STATUS_MASK = 3;
    private static final int NO_START = 4;
    private static final int NO_COMMIT = 8;
    private static final int NO_INVOKE = 16;
    private static final int NO_COMPLETE = 32;
    private static final int HAS_OBJECT = 64;

    private long[] marks = new long[64];
    private long[] column = new long[64];

    // ---------------------------------------------------------------- encoding

    /** @param txns null for the first {@code count} */
    void encode(HistorySlice slice, int @Nullable [] txns, int count, boolean withExtra, ByteWriter to) {
        ensure(count);
        boolean hasExtra = withExtra && slice.extra != null;
        long firstRow = count == 0 ? slice.firstRow : slice.rowOf(at(txns, 0));
        boolean hasRowOffsets = fillRowOffsets(slice, txns, count, firstRow);
        to.putByte((hasRowOffsets ? HAS_ROW_OFFSETS : 0)
                | (slice.startTs != null ? HAS_TIMESTAMPS : 0)
                | (slice.invokeNs != null ? HAS_CLIENT_TIMES : 0)
                | (hasExtra ? HAS_EXTRA : 0));
        to.putVarint(count);
        to.putSigned(firstRow);
        if (hasRowOffsets) {
            PackedLongs.put(column, count, to);
        }
        putMarks(slice, txns, count, hasExtra, to);
        putDifferences(slice.txnId, txns, count, to);
        putDifferences(slice.sessionId, txns, count, to);
        putDifferences(slice.sessionSeq, txns, count, to);
        if (slice.startTs != null) {
            putTimes(slice.startTs, slice.commitTs, txns, count, to);
        }
        if (slice.invokeNs != null) {
            putTimes(slice.invokeNs, slice.completeNs, txns, count, to);
        }
        for (int i = 0; hasExtra && i < count; i++) {
            if (slice.extra[at(txns, i)] != null) {
                to.putString(slice.extra[at(txns, i)]);
            }
        }
    }

    /** Returns whether rows have gaps. */
    private boolean fillRowOffsets(HistorySlice slice, int @Nullable [] txns, int count, long firstRow) {
        if (txns == null && slice.rowOffsetOf == null) {
            return false;
        }
        boolean hasGap = false;
        for (int i = 0; i < count; i++) {
            column[i] = slice.rowOf(at(txns, i)) - firstRow;
            hasGap |= column[i] != i;
        }
        return hasGap;
    }

    private void putMarks(HistorySlice slice, int @Nullable [] txns, int count, boolean hasExtra, ByteWriter to) {
        for (int i = 0; i < count; i++) {
            marks[i] = slice.status[at(txns, i)];
        }
        if (slice.startTs != null) {
            markMissing(slice.startTs, txns, count, NO_START);
            markMissing(slice.commitTs, txns, count, NO_COMMIT);
        }
        if (slice.invokeNs != null) {
            markMissing(slice.invokeNs, txns, count, NO_INVOKE);
            markMissing(slice.completeNs, txns, count, NO_COMPLETE);
        }
        for (int i = 0; hasExtra && i < count; i++) {
            marks[i] |= slice.extra[at(txns, i)] != null ? HAS_OBJECT : 0;
        }
        PackedLongs.put(marks, count, to);
    }

    private void markMissing(long[] times, int @Nullable [] txns, int count, int mark) {
        for (int i = 0; i < count; i++) {
            marks[i] |= times[at(txns, i)] == HistorySlice.NONE ? mark : 0;
        }
    }

    private void putDifferences(long[] numbers, int @Nullable [] txns, int count, ByteWriter to) {
        long before = 0;
        for (int i = 0; i < count; i++) {
            long number = numbers[at(txns, i)];
            column[i] = number - before;
            before = number;
        }
        PackedLongs.put(column, count, to);
    }

    private void putTimes(long[] begins, long[] ends, int @Nullable [] txns, int count, ByteWriter to) {
        long before = 0;
        for (int i = 0; i < count; i++) {
            long begin = begins[at(txns, i)];
            column[i] = begin == HistorySlice.NONE ? 0 : begin - before;
            before += column[i];
        }
        PackedLongs.put(column, count, to);
        before = 0;
        for (int i = 0; i < count; i++) {
            int txn = at(txns, i);
            before = begins[txn] == HistorySlice.NONE ? before : begins[txn];
            column[i] = ends[txn] == HistorySlice.NONE ? 0 : ends[txn] - before;
        }
        PackedLongs.put(column, count, to);
    }

    private static int at(int @Nullable [] txns, int i) {
        return txns == null ? i : txns[i];
    }

    private void ensure(int count) {
        if (marks.length < count) {
            marks = new long[Math.max(count, marks.length * 2)];
            column = new long[marks.length];
        }
    }

    // ---------------------------------------------------------------- decoding

    /** Returns the number of transactions. */
    int decode(ByteReader from, SliceBuilder.Columns into) {
        int columns = from.getByte();
        int count = from.getCount();
        ensure(count);
        into.txns(count, from.getSigned());
        if ((columns & HAS_ROW_OFFSETS) != 0) {
            into.rowOffsets(getRowOffsets(from, count));
        }
        PackedLongs.get(from, marks, count);
        byte[] status = new byte[count];
        for (int txn = 0; txn < count; txn++) {
            status[txn] = (byte) (marks[txn] & STATUS_MASK);
        }
        into.ids(
                PackedLongs.getDifferences(from, count),
                PackedLongs.getDifferences(from, count),
                PackedLongs.getDifferences(from, count),
                status);
        into.timestamps(null, null);
        if ((columns & HAS_TIMESTAMPS) != 0) {
            long[] starts = PackedLongs.getDifferences(from, count);
            long[] commits = getEnds(from, starts, count);
            into.timestamps(unmark(starts, count, NO_START), unmark(commits, count, NO_COMMIT));
        }
        into.clientTimes(null, null);
        if ((columns & HAS_CLIENT_TIMES) != 0) {
            long[] invokes = PackedLongs.getDifferences(from, count);
            long[] completes = getEnds(from, invokes, count);
            into.clientTimes(unmark(invokes, count, NO_INVOKE), unmark(completes, count, NO_COMPLETE));
        }
        if ((columns & HAS_EXTRA) != 0) {
            into.extras(getExtras(from, count));
        }
        return count;
    }

    private int[] getRowOffsets(ByteReader from, int count) {
        PackedLongs.get(from, column, count);
        int[] offsets = new int[count];
        for (int txn = 0; txn < count; txn++) {
            offsets[txn] = Math.toIntExact(column[txn]);
        }
        return offsets;
    }

    private static long[] getEnds(ByteReader from, long[] begins, int count) {
        long[] ends = new long[count];
        PackedLongs.get(from, ends, count);
        for (int txn = 0; txn < count; txn++) {
            ends[txn] += begins[txn];
        }
        return ends;
    }

    private long[] unmark(long[] times, int count, int mark) {
        for (int txn = 0; txn < count; txn++) {
            if ((marks[txn] & mark) != 0) {
                times[txn] = HistorySlice.NONE;
            }
        }
        return times;
    }

    private String[] getExtras(ByteReader from, int count) {
        String[] objects = new String[count];
        for (int txn = 0; txn < count; txn++) {
            objects[txn] = (marks[txn] & HAS_OBJECT) != 0 ? from.getString() : null;
        }
        return objects;
    }
}
