package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Search for violations among transactions that happened at about the same time. It finds most of them far sooner than
 * saturation of the whole history, and some for which saturation lacks memory; finding none proves nothing.
 */
final class WindowedSearch {

    private static final int SAMPLES = 8;

    /** Transactions in a sample. */
    private static final int SAMPLE = 1000;

    /** Transactions in a window if only windows can be checked. */
    private static final int WINDOW = 600;

    /** Maximum number of transactions of a violation that is returned without a search for a shorter one. */
    private static final int SHORT = 3;

    private final ClientHistory history;
    private final IsolationLevel level;
    private final Budget budget;

    WindowedSearch(ClientHistory history, IsolationLevel level, Budget budget) {
        this.history = history;
        this.level = level;
        this.budget = budget;
    }

    /** Returns transactions by the length of the longest path to them. */
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

    /** Returns transactions by the numbers of a hint. */
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
     * Checks windows over the transactions in the given order until one contains a violation.
     *
     * @return null if none was found
     */
    @Nullable
    Contradiction findFirst(int[] order) {
        for (int first = 0; first < order.length && !budget.isSpent(); first += WINDOW / 2) {
            int[] violating = violationIn(order, first, WINDOW);
            if (violating != null) {
                return ViolationMinimizer.of(history, level, violating, budget);
            }
        }
        return null;
    }

    /**
     * Checks a few windows and returns the violation with the shortest explanation.
     *
     * @return null if none was found
     */
    @Nullable
    Contradiction findShort(int[] order) {
        Contradiction shortest = null;
        for (int sample = 0; sample < SAMPLES && !budget.isSpent(); sample++) {
            int[] violating = violationIn(order, sample * (order.length / SAMPLES), SAMPLE);
            if (violating == null) {
                continue;
            }
            Contradiction found = ViolationMinimizer.of(history, level, violating, budget);
            if (shortest == null || found.txns().size() < shortest.txns().size()) {
                shortest = found;
            }
            if (shortest.txns().size() <= SHORT) {
                break;
            }
        }
        return shortest;
    }

    private int @Nullable [] violationIn(int[] order, int first, int size) {
        int[] window = Arrays.copyOfRange(order, first, Math.min(order.length, first + size));
        Arrays.sort(window);
        ChainedHistory windowed = new ChainedHistory(history.restrictedTo(window));
        Solution solution = Solver.solve(windowed, level, budget, OrderChecker.maxRowBytes(budget), false);
        if (!solution.isViolated()) {
            return null;
        }
        int[] txns = requireNonNull(solution.txns());
        for (int i = 0; i < txns.length; i++) {
            txns[i] = window[txns[i]];
        }
        return txns;
    }
}
