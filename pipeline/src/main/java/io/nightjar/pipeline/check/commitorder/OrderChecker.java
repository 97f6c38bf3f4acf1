package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.CausalOrder;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides prefix, snapshot isolation and serializability for one history, or one component of it.
 *
 * <p>Candidate orders are tested first; then the order forced by the reads is derived; pairs it does not order are
 * guessed, and each guess is propagated and undone if it fails. Reads must be well formed: external, each with a writer
 * that is in the history and writes the key.
 */
public final class OrderChecker {

    private static final long NANOS_TO_MINIMISE = 2_000_000_000L;

    /** Share of the memory for clock rows; the rest is for edges derived from them. */
    private static final double SHARE_FOR_ROWS = 0.6;

    /** Cells in the undo log are numbered by unsigned ints. */
    private static final long MAX_ROW_BYTES = 4L << 32;

    /** Minimum number of transactions for which sample windows are checked first. */
    private static final int WORTH_SAMPLING = 10_000;

    private static final long NANOS_IN_WINDOWS = 3_000_000_000L;

    private final ClientHistory history;
    private final Budget budget;
    private final boolean triesOrders;
    private int @Nullable [] causalOrder;
    private @Nullable ChainedHistory chained;
    private int @Nullable [] serialOrder;
    private boolean isGreedyTried;

    public OrderChecker(ClientHistory history, Budget budget) {
        this(history, budget, true);
    }

    OrderChecker(ClientHistory history, Budget budget, boolean triesOrders) {
        this.history = history;
        this.budget = budget;
        this.triesOrders = triesOrders;
    }

    /** Returns an order that the source suggests and that satisfies the level, or null. Costs one step per read. */
    public static @Nullable CommitOrder guess(ClientHistory history, IsolationLevel level) {
        for (long[] hint : history.hints) {
            CommitOrder witness = CandidateOrder.tryHint(history, level, hint);
            if (witness != null) {
                return witness;
            }
        }
        return null;
    }

    /** @param level PREFIX, SNAPSHOT_ISOLATION or SERIALIZABLE */
    public LevelAnswer decide(IsolationLevel level) {
        CommitOrder guessed = triesOrders ? guess(history, level) : null;
        if (guessed != null) {
            return LevelAnswer.holds(guessed, 0);
        }
        int impossible = history.observations == null ? -1 : history.observations.firstImpossibleTxn();
        if (impossible >= 0) {
            return LevelAnswer.violated(List.of(ViolationMinimizer.ofTransaction(impossible)), 0);
        }
        if (causalOrder == null) {
            causalOrder = CausalOrder.of(history);
        }
        boolean isEachWriterKnown = history.observations == null;
        if (!isEachWriterKnown && triesOrders && causalOrder != null) {
            CommitOrder near = nearWitness(level);
            if (near != null) {
                return LevelAnswer.holds(near, 0);
            }
        }
        if (level == IsolationLevel.SERIALIZABLE && triesOrders && causalOrder != null && isEachWriterKnown) {
            CommitOrder greedy = greedyWitness(level);
            if (greedy != null) {
                return LevelAnswer.holds(greedy, 0);
            }
        }
        if (causalOrder != null && isEachWriterKnown && history.txnCount >= WORTH_SAMPLING) {
            Contradiction found =
                    new WindowedSearch(history, level, budget).findShort(WindowedSearch.byDepth(history, causalOrder));
            if (found != null) {
                return LevelAnswer.violated(List.of(found), 0);
            }
        }
        if (chained == null) {
            chained = chain(history, causalOrder);
        }
        Solution solution = Solver.solve(chained, level, budget, maxRowBytes(budget), false);
        return switch (solution.verdict()) {
            case HOLDS -> LevelAnswer.holds(solution.witness(), solution.states());
            case VIOLATED -> violated(level, solution);
            case UNDECIDED -> solution.isTooLarge() ? withoutRows(level, solution) : undecided(solution);
        };
    }

    private LevelAnswer violated(IsolationLevel level, Solution solution) {
        Budget toMinimise = budget.portion(NANOS_TO_MINIMISE);
        Contradiction found = ViolationMinimizer.of(history, level, requireNonNull(solution.txns()), toMinimise);
        return LevelAnswer.violated(List.of(found), solution.states());
    }

    private static LevelAnswer undecided(Solution solution) {
        return LevelAnswer.undecided(solution.reason(), solution.states());
    }

    /** Returns the verdict that is possible without memory for the whole history. */
    private LevelAnswer withoutRows(IsolationLevel level, Solution whole) {
        if (history.observations != null) {
            return undecided(whole);
        }
        CommitOrder witness = causalOrder == null ? null : greedyWitness(level);
        return witness == null ? inWindows(level, whole) : LevelAnswer.holds(witness, 0);
    }

    /** Returns an order found under the assumption that the source's order is right except between neighbors; or null. */
    private @Nullable CommitOrder nearWitness(IsolationLevel level) {
        ClientHistory near = history.hints.length == 0 ? null : NearbyOrder.of(history, history.hints[0], budget);
        int[] order = near == null ? null : CausalOrder.of(near);
        if (near != null && order != null) {
            Budget portion = budget.largerPortion(); // without the assumption a search is no faster
            Solution solution = Solver.solve(chain(near, order), level, portion, maxRowBytes(portion), false);
            return solution.verdict() == Verdict.HOLDS ? solution.witness() : null;
        }
        return null;
    }

    /** Returns the serial order of a greedy schedule, which proves every level; null if it finds none. */
    private @Nullable CommitOrder greedyWitness(IsolationLevel level) {
        if (!isGreedyTried) {
            isGreedyTried = true;
            serialOrder = greedyOrder();
        }
        return serialOrder == null ? null : CandidateOrder.tryOrder(history, level, serialOrder);
    }

    /** Returns a serial order by one try from each suggestion; null if all get stuck. */
    private int @Nullable [] greedyOrder() {
        GreedySchedule greedy = new GreedySchedule(history, budget);
        int[] byDepth = CausalOrder.byDepth(history, requireNonNull(causalOrder));
        long[] numberOf = new long[history.txnCount];
        for (int i = 0; i < byDepth.length; i++) {
            numberOf[byDepth[i]] = i;
        }
        int[] order = greedy.schedule(numberOf);
        for (int hint = 0; hint < history.hints.length && order == null; hint++) {
            order = greedy.schedule(history.hints[hint]);
        }
        return order;
    }

    private LevelAnswer inWindows(IsolationLevel level, Solution whole) {
        WindowedSearch windows = new WindowedSearch(history, level, budget.portion(NANOS_IN_WINDOWS));
        Contradiction found = windows.findFirst(WindowedSearch.byDepth(history, requireNonNull(causalOrder)));
        for (int hint = 0; hint < history.hints.length && found == null; hint++) {
            found = windows.findFirst(WindowedSearch.byHint(history, history.hints[hint]));
        }
        return found == null ? undecided(whole) : LevelAnswer.violated(List.of(found), 0);
    }

    private ChainedHistory chain(ClientHistory history, int @Nullable [] causalOrder) {
        if (causalOrder == null) {
            return new ChainedHistory(history); // no clocks will be needed: reads and sessions form a cycle
        }
        long maxChains = maxRowBytes(budget) / Math.max(1, ChainClocks.byteSize(2L * history.txnCount, 1));
        Chains chains = Chains.of(history, causalOrder, (int) Math.min(Integer.MAX_VALUE, maxChains));
        return chains == null || chains.chainCount == history.sessionCount
                ? new ChainedHistory(history)
                : new ChainedHistory(history, chains.chainCount, chains.firstOf, chains.txns);
    }

    /** Returns the maximum size of clock rows; rows beyond it are not allocated. */
    static long maxRowBytes(Budget budget) {
        return Math.min(MAX_ROW_BYTES, (long) (budget.memoryBytes() * SHARE_FOR_ROWS));
    }
}
