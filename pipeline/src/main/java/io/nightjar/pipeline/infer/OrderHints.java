package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.primitive.ParallelTasks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Orders that the log suggests for the transactions of a history: numbers by transaction, to be tried, never trusted. */
final class OrderHints {

    private final OperationLog log;
    private final int[] rowOf;
    private final ParallelTasks helpers;

    private OrderHints(OperationLog log, int[] rowOf, ParallelTasks helpers) {
        this.log = log;
        this.rowOf = rowOf;
        this.helpers = helpers;
    }

    /**
     * @param rowOf by transaction of the history: its row of the log
     * @param helpers threads that process some transactions each
     */
    static long[][] of(OperationLog log, int[] rowOf, ParallelTasks helpers) {
        return new OrderHints(log, rowOf, helpers).hints();
    }

    /**
     * Returns the hints: commit timestamps and completion times, the order of the rows, of ids, and of values, which
     * are often counted up; last the numbers of the snapshots in the order of the first hint.
     */
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
        long[] snapshots = log.commitTs != null ? log.startTs : log.completeNs != null ? log.invokeNs : null;
        hints.add(snapshots == null ? hints.get(0) : ofHistory(snapshots));
        return hints.toArray(new long[0][]);
    }

    private long[] ids() {
        long[] ids = new long[rowOf.length];
        for (int txn = 0; txn < ids.length; txn++) {
            ids[txn] = log.txnId[rowOf[txn]];
        }
        return ids;
    }

    /** Returns the largest value that each transaction wrote, or read if it wrote none. */
    private long[] largestValues() {
        long[] numbers = new long[rowOf.length];
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), numbers.length);
        helpers.run(
                helpers.count(),
                bounds.length - 1,
                () -> piece -> findLargest(bounds[piece], bounds[piece + 1], numbers));
        return numbers;
    }

    private void findLargest(int firstTxn, int endTxn, long[] numbers) {
        for (int txn = firstTxn; txn < endTxn; txn++) {
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
    }

    /** Returns a column by transaction of the history; a transaction without a number comes last. */
    private long[] ofHistory(long[] column) {
        long[] numbers = new long[rowOf.length];
        for (int txn = 0; txn < numbers.length; txn++) {
            long number = column[rowOf[txn]];
            numbers[txn] = number == HistorySlice.NONE ? Long.MAX_VALUE : number;
        }
        return numbers;
    }
}
