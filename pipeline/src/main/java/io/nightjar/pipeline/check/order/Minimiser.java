package io.nightjar.pipeline.check.order;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Makes a violation small: leaves transactions out as long as those that remain still violate the level. */
final class Minimiser {

    /*
     * Delta debugging with the solver itself as the test. A test that succeeds names the transactions that its own
     * derivation used, mostly far fewer than it was given, and the search goes on with those.
     *
     *   whole history  --txns-->  small  --kept-->  what remains, in numbers of `small`
     */

    private static final IsolationLevel[] WEAK_TO_STRONG = {
        IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE
    };

    private final IsolationLevel level;
    private final Budget budget;
    private final ClientHistory small;
    private final int[] txns;
    private int[] kept;

    private Minimiser(ClientHistory history, IsolationLevel level, int[] txns, Budget budget) {
        this.level = level;
        this.budget = budget;
        this.txns = txns;
        this.small = history.restrictedTo(txns);
        this.kept = new int[txns.length];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = i;
        }
    }

    /** @param txns transactions that violate the level alone, ascending */
    static Contradiction minimise(ClientHistory history, IsolationLevel level, int[] txns, Budget budget) {
        Minimiser minimiser = new Minimiser(history, level, txns, budget);
        minimiser.shrink();
        return minimiser.contradiction();
    }

    private void shrink() {
        if (!tryOnly(kept)) {
            if (budget.isSpent()) {
                return;
            }
            throw new AssertionError("cannot happen: what a violation rests on does not violate the level alone: level="
                    + level + " txns=" + Arrays.toString(txns));
        }
        int chunk = Math.max(1, kept.length / 2);
        while (!budget.isSpent()) {
            boolean isSmaller = false;
            for (int first = 0; first < kept.length; ) {
                if (kept.length > 1 && tryOnly(without(first, Math.min(kept.length, first + chunk)))) {
                    isSmaller = true;
                } else {
                    first += chunk;
                }
            }
            if (chunk == 1 && !isSmaller) {
                return;
            }
            chunk = Math.max(1, Math.min(chunk, kept.length) / 2);
        }
    }

    private int[] without(int first, int end) {
        int[] rest = new int[kept.length - (end - first)];
        System.arraycopy(kept, 0, rest, 0, first);
        System.arraycopy(kept, end, rest, first, kept.length - end);
        return rest;
    }

    /** Keeps only some transactions, or fewer, if they violate the level. */
    private boolean tryOnly(int[] candidate) {
        Solution solution = solve(candidate, level, false);
        if (!solution.isViolated()) {
            return false;
        }
        int[] needed = new int[solution.txns().length];
        for (int i = 0; i < needed.length; i++) {
            needed[i] = candidate[solution.txns()[i]];
        }
        kept = needed;
        return true;
    }

    private Solution solve(int[] candidate, IsolationLevel atLevel, boolean wantsSteps) {
        return Solver.solve(new ChainedHistory(small.restrictedTo(candidate)), atLevel, budget, wantsSteps);
    }

    // ---------------------------------------------------------------- the result

    private Contradiction contradiction() {
        for (IsolationLevel weaker : WEAK_TO_STRONG) {
            if (weaker == level) {
                break;
            }
            Solution solution = solve(kept, weaker, true);
            if (solution.isViolated()) {
                return contradiction(weaker, solution.cycle());
            }
        }
        Solution solution = solve(kept, level, true);
        return contradiction(level, solution.verdict() == Verdict.VIOLATED ? solution.cycle() : List.of());
    }

    private Contradiction contradiction(IsolationLevel weakest, List<Step> cycle) {
        ClientHistory last = small.restrictedTo(kept);
        List<Step> steps = new ArrayList<>();
        Set<Integer> named = new LinkedHashSet<>();
        for (Step step : cycle) {
            steps.add(inWhole(last, step));
            named.add(txns[kept[step.from()]]);
        }
        for (int txn : kept) {
            named.add(txns[txn]);
        }
        boolean isCycle = !steps.isEmpty();
        return new Contradiction(
                weakest,
                isCycle ? Anomaly.COMMIT_ORDER_CYCLE : anomalyOf(weakest),
                isCycle ? "saturation" : "decision",
                List.copyOf(named),
                steps);
    }

    /** A step in the numbers of the whole history; keys are those of the operation log until the caller maps them. */
    private Step inWhole(ClientHistory last, Step step) {
        return new Step(
                txns[kept[step.from()]],
                step.fromHalf(),
                txns[kept[step.to()]],
                step.toHalf(),
                step.rule(),
                step.key() < 0 ? Contradiction.NONE : last.logKeyOf[step.key()],
                step.because() < 0 ? step.because() : txns[kept[step.because()]]);
    }

    private static Anomaly anomalyOf(IsolationLevel level) {
        return switch (level) {
            case SERIALIZABLE -> Anomaly.NO_SERIAL_ORDER;
            case SNAPSHOT_ISOLATION -> Anomaly.NO_SNAPSHOT_ORDER;
            default -> Anomaly.NO_PREFIX_ORDER;
        };
    }
}
