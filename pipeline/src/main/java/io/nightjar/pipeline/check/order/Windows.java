package io.nightjar.pipeline.check.order;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/**
 * Looks for violations among transactions that happened at about the same time. Finds most of them far sooner than the
 * whole history can be saturated, and some where there is no memory for that; that it finds none says nothing.
 */
final class Windows {

    private final ClientHistory history;
    private final IsolationLevel level;
    private final Budget budget;

    Windows(ClientHistory history, IsolationLevel level, Budget budget) {
        this.history = history;
        this.level = level;
        this.budget = budget;
    }

    /** Transactions by the length of the longest path that leads to them. */
    static int[] byDepth(ClientHistory history, int[] causalOrder) {
        long[] depths = new long[history.txnCount];
        int[] depthOf = new int[history.txnCount];
        for (int i = 0; i < history.txnCount; i++) {
            int txn = causalOrder[i];
            int depth = history.positionOf(txn) == 0 ? 0 : depthOf[txn - 1] + 1;
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.writerOf[read] != ClientHistory.INITIAL) {
                    depth = Math.max(depth, depthOf[history.writerOf[read]] + 1);
                }
            }
            depthOf[txn] = depth;
            depths[i] = depth;
        }
        int[] txns = Arrays.copyOf(causalOrder, history.txnCount);
        RadixSort.sort(depths, txns, txns.length);
        return txns;
    }

    /** Transactions by the numbers of a hint. */
    static int[] byHint(ClientHistory history, long[] hint) {
        long[] numbers = Arrays.copyOf(hint, history.txnCount);
        int[] txns = new int[history.txnCount];
        for (int txn = 0; txn < txns.length; txn++) {
            txns[txn] = txn;
        }
        RadixSort.sort(numbers, txns, txns.length);
        return txns;
    }

    /**
     * Looks through windows over the transactions in some order.
     *
     * @param size transactions in a window
     * @param step from the beginning of one window to that of the next
     * @return transactions that violate the level alone, ascending; null if none were found
     */
    int[] findViolation(int[] order, int size, int step) {
        for (int first = 0; first < order.length && !budget.isSpent(); first += step) {
            int[] window = Arrays.copyOfRange(order, first, Math.min(order.length, first + size));
            Arrays.sort(window);
            ChainedHistory part = new ChainedHistory(history.restrictedTo(window));
            Solution solution = Solver.solve(part, level, budget, Long.MAX_VALUE, false);
            if (solution.verdict() == Verdict.VIOLATED) {
                int[] txns = solution.txns();
                for (int i = 0; i < txns.length; i++) {
                    txns[i] = window[txns[i]];
                }
                return txns;
            }
        }
        return null;
    }
}
