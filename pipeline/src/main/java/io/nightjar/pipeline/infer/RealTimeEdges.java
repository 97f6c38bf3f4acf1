package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;

/** Makes the order of the clients' clocks a part of a history: a transaction sees all that had ended when it began. */
public final class RealTimeEdges {

    /*
     * Definitions. The frontier contains the ended transactions without an ended successor.
     *
     * Algorithm. Begins and ends are processed in order of time, at one time begins first. A transaction that begins
     * follows the frontier, and through it all earlier transactions.
     *
     * Cost. The number of edges is transactions times the number running concurrently, and not the number of pairs.
     */

    private static final int END = 1;

    private final OperationLog log;
    private final ReadInference inference;

    private RealTimeEdges(OperationLog log, ReadInference inference) {
        this.log = log;
        this.inference = inference;
    }

    /** Returns whether the source provides begin and end times of transactions. */
    public static boolean isKnown(OperationLog log) {
        return log.invokeNs != null && log.completeNs != null;
    }

    /** Returns a history with real time added: a plain level holds of it if the strict one holds of the log. */
    public static ClientHistory addTo(OperationLog log, ReadInference inference) {
        return new RealTimeEdges(log, inference).add();
    }

    private ClientHistory add() {
        ClientHistory history = inference.history();
        long[] times = new long[2 * history.txnCount];
        int[] events = new int[2 * history.txnCount];
        int count = 0;
        for (int txn = 0; txn < history.txnCount; txn++) { // ends last, because the sort is stable
            if (RealTimeOrder.hasBeginning(log, inference.rowOf(txn))) {
                times[count] = log.invokeNs[inference.rowOf(txn)];
                events[count++] = txn << 1;
            }
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (RealTimeOrder.hasEnd(log, inference.rowOf(txn))) {
                times[count] = log.completeNs[inference.rowOf(txn)];
                events[count++] = txn << 1 | END;
            }
        }
        RadixSort.sort(times, events, count);
        IntColumn seer = new IntColumn();
        IntColumn seen = new IntColumn();
        IntColumn frontier = new IntColumn();
        for (int i = 0; i < count; i++) {
            int txn = events[i] >>> 1;
            if ((events[i] & END) == 0) {
                for (int at = 0; at < frontier.size(); at++) {
                    seer.add(txn);
                    seen.add(frontier.get(at));
                }
            } else {
                frontier = withoutThoseBefore(frontier, txn);
                frontier.add(txn);
            }
        }
        return withSights(history, seer, seen);
    }

    private IntColumn withoutThoseBefore(IntColumn frontier, int txn) {
        IntColumn kept = new IntColumn();
        int row = inference.rowOf(txn);
        for (int at = 0; at < frontier.size(); at++) {
            boolean isBefore = RealTimeOrder.hasBeginning(log, row)
                    && log.completeNs[inference.rowOf(frontier.get(at))] < log.invokeNs[row];
            if (!isBefore) {
                kept.add(frontier.get(at));
            }
        }
        return kept;
    }

    private static ClientHistory withSights(ClientHistory history, IntColumn seer, IntColumn seen) {
        int[] firstSightOf = CountingSort.firstOf(seer, history.txnCount);
        return history.withSights(firstSightOf, CountingSort.values(seer, seen, firstSightOf));
    }
}
