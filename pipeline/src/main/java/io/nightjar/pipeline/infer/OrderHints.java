package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Orders that the log suggests for the transactions of a history: numbers by transaction, to be tried, never trusted. */
final class OrderHints {

    private final OperationLog log;
    private final int[] rowOf;

    private OrderHints(OperationLog log, int[] rowOf) {
        this.log = log;
        this.rowOf = rowOf;
    }

    /** @param rowOf by transaction of the history: its row of the log */
    static long[][] of(OperationLog log, int[] rowOf) {
        return new OrderHints(log, rowOf).hints();
    }

    /** Commit timestamps and completion times, the order of the rows, of ids, and of values, which are often counted up. */
    private long[][] hints() {
        List<long[]> hints = new ArrayList<>();
        for (long[] column : Arrays.asList(log.commitTs, log.completeNs)) {
            if (column != null) {
                hints.add(ofHistory(column));
            }
        }
        long[] rows = new long[rowOf.length];
        for (int txn = 0; txn < rows.length; txn++) {
            rows[txn] = rowOf[txn];
        }
        hints.add(rows);
        hints.add(ids());
        hints.add(largestValues());
        return hints.toArray(new long[0][]);
    }

    private long[] ids() {
        long[] ids = new long[rowOf.length];
        for (int txn = 0; txn < ids.length; txn++) {
            ids[txn] = log.txnId[rowOf[txn]];
        }
        return ids;
    }

    /** The largest value that each transaction wrote, or read if it wrote none. */
    private long[] largestValues() {
        long[] numbers = new long[rowOf.length];
        for (int txn = 0; txn < numbers.length; txn++) {
            long written = Long.MIN_VALUE;
            long read = Long.MIN_VALUE;
            for (int op = log.firstOpOf[rowOf[txn]]; op < log.firstOpOf[rowOf[txn] + 1]; op++) {
                if (OpKind.isWrite(log.kind[op])) {
                    written = Math.max(written, log.value[op]);
                } else if (log.kind[op] == OpKind.READ) {
                    read = Math.max(read, log.value[op]);
                }
            }
            numbers[txn] = written == Long.MIN_VALUE ? read : written;
        }
        return numbers;
    }

    /** A transaction without a number comes last. */
    private long[] ofHistory(long[] column) {
        long[] numbers = new long[rowOf.length];
        for (int txn = 0; txn < numbers.length; txn++) {
            long number = column[rowOf[txn]];
            numbers[txn] = number == HistorySlice.NONE ? Long.MAX_VALUE : number;
        }
        return numbers;
    }
}
