package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SetsFields;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

/** A history completely in memory, for formats that group transactions by session. */
final class BufferedHistory {

    private final List<HistorySlice> slices = new ArrayList<>();
    private final LongArrayList sessionOf = new LongArrayList();
    private final LongArrayList seqOf = new LongArrayList();
    private final IntArrayList sliceOf = new IntArrayList();
    private final IntArrayList txnOf = new IntArrayList();
    private int[] order;

    void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            sessionOf.add(slice.sessionId[txn]);
            seqOf.add(slice.sessionSeq[txn]);
            sliceOf.add(slices.size());
            txnOf.add(txn);
        }
        slices.add(slice);
    }

    /** Sorts the transactions by session and position after the last was added. */
    @SetsFields
    void sort() {
        order = new int[sliceOf.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        IntArrays.mergeSort(order, (left, right) -> {
            int bySession = Long.compare(sessionOf.getLong(left), sessionOf.getLong(right));
            return bySession != 0 ? bySession : Long.compare(seqOf.getLong(left), seqOf.getLong(right));
        });
    }

    int size() {
        return sliceOf.size();
    }

    /** Returns the slice of the {@code i}th transaction in sorted order. */
    HistorySlice slice(int i) {
        return slices.get(sliceOf.getInt(order[i]));
    }

    /** Returns the index in its slice of the {@code i}th transaction in sorted order. */
    int txn(int i) {
        return txnOf.getInt(order[i]);
    }

    long session(int i) {
        return sessionOf.getLong(order[i]);
    }

    /** Returns the first transaction after {@code i} of another session. */
    int endOfSession(int i) {
        int end = i + 1;
        while (end < order.length && session(end) == session(i)) {
            end++;
        }
        return end;
    }
}
