package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A history completely in memory, for formats that group transactions by session. */
final class BufferedHistory {

    private final List<Row> rows = new ArrayList<>();

    private record Row(HistorySlice slice, int txn) {

        private long session() {
            return slice.sessionId[txn];
        }

        private long seq() {
            return slice.sessionSeq[txn];
        }
    }

    void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            rows.add(new Row(slice, txn));
        }
    }

    /** Sorts the transactions by session and position after the last was added. */
    void sort() {
        rows.sort(Comparator.comparingLong(Row::session).thenComparingLong(Row::seq));
    }

    int size() {
        return rows.size();
    }

    /** Returns the slice of the {@code i}th transaction in sorted order. */
    HistorySlice slice(int i) {
        return rows.get(i).slice;
    }

    /** Returns the index in its slice of the {@code i}th transaction in sorted order. */
    int txn(int i) {
        return rows.get(i).txn;
    }

    long session(int i) {
        return rows.get(i).session();
    }

    /** Returns the first transaction after {@code i} of another session. */
    int endOfSession(int i) {
        int end = i + 1;
        while (end < rows.size() && session(end) == session(i)) {
            end++;
        }
        return end;
    }
}
