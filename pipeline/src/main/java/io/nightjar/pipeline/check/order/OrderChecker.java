package io.nightjar.pipeline.check.order;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.List;

/**
 * Decides prefix, snapshot isolation and serializability for one history, or one component of it.
 *
 * <p>First some orders are tried that may happen to be right; then the order that the reads force is derived; what it
 * leaves open is guessed, with every guess followed and taken back if it fails. Reads must be well formed: external, each
 * with a writer that is in the history and writes the key.
 */
public final class OrderChecker {

    private static final long NANOS_TO_MINIMISE = 2_000_000_000L;

    private final ClientHistory history;
    private final Budget budget;
    private ChainedHistory chained;

    public OrderChecker(ClientHistory history, Budget budget) {
        this.history = history;
        this.budget = budget;
    }

    /** An order that the source suggests and that satisfies the level; null if there is none. Costs a look at each read. */
    public static CommitOrder guess(ClientHistory history, IsolationLevel level) {
        for (long[] hint : history.hints) {
            CommitOrder witness = GuessedOrder.tryHint(history, level, hint);
            if (witness != null) {
                return witness;
            }
        }
        return null;
    }

    /** @param level PREFIX, SNAPSHOT_ISOLATION or SERIALIZABLE */
    public LevelAnswer decide(IsolationLevel level) {
        for (long[] hint : history.hints) {
            CommitOrder witness = GuessedOrder.tryHint(history, level, hint);
            if (witness != null) {
                return LevelAnswer.holds(witness, 0);
            }
        }
        if (chained == null) {
            chained = new ChainedHistory(history);
        }
        Solution solution = Solver.solve(chained, level, budget, false);
        return switch (solution.verdict()) {
            case HOLDS -> LevelAnswer.holds(solution.witness(), solution.states());
            case UNDECIDED -> LevelAnswer.undecided(solution.reason(), solution.states());
            case VIOLATED ->
                LevelAnswer.violated(
                        List.of(Minimiser.minimise(history, level, solution.txns(), budget.part(NANOS_TO_MINIMISE))),
                        solution.states());
        };
    }
}
