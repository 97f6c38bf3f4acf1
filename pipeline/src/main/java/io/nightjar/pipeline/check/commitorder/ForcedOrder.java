package io.nightjar.pipeline.check.commitorder;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;

/** The two derivations of forced edges, each run separately for measurement. */
public final class ForcedOrder {

    private final OrderGraph graph;
    private final OrderSaturation saturation;

    private ForcedOrder(ClientHistory history, IsolationLevel level, int edgesToFollow) {
        graph = new OrderGraph(new ChainedHistory(history), level);
        saturation = new OrderSaturation(graph, Budget.unlimited(), edgesToFollow);
    }

    /** Derives edges in repeated passes through all rows, until a pass adds none. */
    public static ForcedOrder bySaturation(ClientHistory history, IsolationLevel level) {
        return run(new ForcedOrder(history, level, 0));
    }

    /** Makes one pass; edges that follow from its edges are not added. */
    public static ForcedOrder byOnePass(ClientHistory history, IsolationLevel level) {
        return run(new ForcedOrder(history, level, Integer.MAX_VALUE));
    }

    private static ForcedOrder run(ForcedOrder forced) {
        OrderSaturation.Outcome outcome = forced.saturation.run(Long.MAX_VALUE);
        if (outcome != OrderSaturation.Outcome.SATURATED) {
            throw new IllegalArgumentException("no order is left: outcome=" + outcome);
        }
        return forced;
    }

    /** Follows the edges that the rows do not hold, one by one; once. */
    public ForcedOrder propagate() {
        EdgePropagation.Outcome outcome = new EdgePropagation(
                        graph, saturation.activeEdges(), saturation.firstNewEdge(), Budget.unlimited())
                .run();
        if (outcome != EdgePropagation.Outcome.DONE) {
            throw new IllegalArgumentException("no order is left: outcome=" + outcome);
        }
        return this;
    }

    /** Returns whether one transaction has to commit before another. */
    public boolean isBefore(int txn, int other) {
        return graph.comesBefore(commitOf(txn), commitOf(other));
    }

    private int commitOf(int txn) {
        return graph.commitOf(graph.history.slotOf[txn]);
    }
}
