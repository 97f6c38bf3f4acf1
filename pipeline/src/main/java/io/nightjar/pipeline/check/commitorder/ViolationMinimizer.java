package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.check.Minimiser;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reduction of a violation to few transactions and a simple cycle. */
final class ViolationMinimizer {

    /*
     * Algorithm. A solver that finds a violation names the transactions that its derivation used: far fewer than it was
     * given. Run again on those alone, it often names fewer still. The result is then minimized transaction by
     * transaction.
     *
     *   history  --txns-->  small  --kept-->  the rest
     */

    private static final IsolationLevel[] WEAK_TO_STRONG = {
        IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE
    };

    private final ClientHistory history;
    private final IsolationLevel level;
    private final Budget budget;

    private ViolationMinimizer(ClientHistory history, IsolationLevel level, Budget budget) {
        this.history = history;
        this.level = level;
        this.budget = budget;
    }

    /** @param txns transactions that violate the level alone, ascending */
    static Contradiction of(ClientHistory history, IsolationLevel level, int[] txns, Budget budget) {
        ViolationMinimizer violation = new ViolationMinimizer(history, level, budget);
        return violation.describe(violation.shrink(txns));
    }

    /** Returns the contradiction of a transaction with an observation that no version explains. */
    static Contradiction ofTransaction(int txn) {
        IsolationLevel weakest = IsolationLevel.PREFIX;
        return new Contradiction(weakest, anomalyOf(weakest), "decision", List.of(txn), List.of());
    }

    private int[] shrink(int[] txns) {
        int[] few = txns;
        while (true) {
            ClientHistory small = history.restrictedTo(few);
            Solution solution = solve(small, level, false);
            if (!solution.isViolated()) {
                if (budget.isSpent() || solution.isTooLarge()) {
                    return few;
                }
                throw new AssertionError("bug: the minimized violation does not violate the level:" + " level=" + level
                        + " txnCount=" + few.length);
            }
            int[] enough = requireNonNull(solution.txns());
            if (enough.length == few.length) {
                int[] kept = Minimiser.minimise(
                        enough,
                        some -> solve(small.restrictedTo(some), level, false).isViolated(),
                        budget);
                return pick(few, kept);
            }
            few = pick(few, enough);
        }
    }

    private static int[] pick(int[] from, int[] indexes) {
        int[] picked = new int[indexes.length];
        for (int i = 0; i < picked.length; i++) {
            picked[i] = from[indexes[i]];
        }
        return picked;
    }

    private Solution solve(ClientHistory some, IsolationLevel atLevel, boolean wantsSteps) {
        return Solver.solve(new ChainedHistory(some), atLevel, budget, OrderChecker.maxRowBytes(budget), wantsSteps);
    }

    private Contradiction describe(int[] txns) {
        ClientHistory small = history.restrictedTo(txns);
        for (IsolationLevel weaker : WEAK_TO_STRONG) {
            if (weaker == level) {
                break;
            }
            Solution solution = solve(small, weaker, true);
            if (solution.isViolated()) {
                return contradiction(txns, small, weaker, solution.cycle());
            }
        }
        return contradiction(txns, small, level, solve(small, level, true).cycle());
    }

    private Contradiction contradiction(int[] txns, ClientHistory small, IsolationLevel weakest, List<Step> cycle) {
        List<Step> steps = new ArrayList<>();
        Set<Integer> named = new LinkedHashSet<>();
        for (Step step : cycle) {
            steps.add(inWhole(txns, small, step));
            named.add(txns[step.from()]);
        }
        for (int txn : txns) {
            named.add(txn);
        }
        boolean isCycle = !steps.isEmpty();
        return new Contradiction(
                weakest,
                isCycle ? Anomaly.COMMIT_ORDER_CYCLE : anomalyOf(weakest),
                isCycle ? "saturation" : "decision",
                List.copyOf(named),
                steps);
    }

    private Step inWhole(int[] txns, ClientHistory small, Step step) {
        return new Step(
                txns[step.from()],
                step.fromHalf(),
                txns[step.to()],
                step.toHalf(),
                step.rule(),
                step.key() < 0 ? Contradiction.NONE : keyInWhole(txns, small, step),
                step.because() < 0 ? step.because() : txns[step.because()]);
    }

    /**
     * Returns the key in the whole history. Restricting a history keeps the order of a transaction's writes, and their
     * log keys.
     */
    private int keyInWhole(int[] txns, ClientHistory small, Step step) {
        int logKey = small.logKeyOf[step.key()];
        int key = keyWrittenBy(txns[step.from()], logKey);
        return key == Contradiction.NONE ? keyWrittenBy(txns[step.to()], logKey) : key;
    }

    private int keyWrittenBy(int txn, int logKey) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            if (history.logKeyOf[history.keyOfWrite[write]] == logKey) {
                return history.keyOfWrite[write];
            }
        }
        return Contradiction.NONE;
    }

    private static Anomaly anomalyOf(IsolationLevel level) {
        return switch (level) {
            case SERIALIZABLE -> Anomaly.NO_SERIAL_ORDER;
            case SNAPSHOT_ISOLATION -> Anomaly.NO_SNAPSHOT_ORDER;
            default -> Anomaly.NO_PREFIX_ORDER;
        };
    }
}
