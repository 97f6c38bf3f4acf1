package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import java.util.BitSet;
import java.util.List;

/** Attempt to find an order of one history at one level: it saturates, then decides. */
final class Solver {

    private final ChainedHistory history;
    private final Budget budget;
    private final OrderGraph graph;
    private final long maxRowBytes;
    private final boolean wantsSteps;

    private Solver(ChainedHistory history, IsolationLevel level, Budget budget, long maxRowBytes, boolean wantsSteps) {
        this.history = history;
        this.budget = budget;
        this.maxRowBytes = maxRowBytes;
        this.graph = new OrderGraph(history, level);
        this.wantsSteps = wantsSteps;
    }

    /**
     * @param maxRowBytes maximum bytes of the clock rows; beyond it, the result is undecided
     * @param wantsSteps whether to return the steps of a cycle, which requires that chains are sessions
     */
    static Solution solve(
            ChainedHistory history, IsolationLevel level, Budget budget, long maxRowBytes, boolean wantsSteps) {
        return new Solver(history, level, budget, maxRowBytes, wantsSteps).solve();
    }

    private Solution solve() {
        int edgesToFollow = history.txnCount / 50;
        OrderSaturation saturation = new OrderSaturation(graph, budget, edgesToFollow);
        switch (saturation.run(maxRowBytes)) {
            case TOO_LARGE -> {
                return graph.clocks == null
                        ? Solution.tooLarge("the clocks of " + history.txnCount + " transactions in "
                                + history.chainCount
                                + " sessions that nothing orders do not fit into memory: they take "
                                + graph.rowBytes() + " bytes")
                        : edgesTooLarge();
            }
            case CYCLE -> {
                return violated(saturation);
            }
            case BUDGET_SPENT -> {
                return Solution.undecided(
                        "the time budget ran out before all forced orders were known: " + graph.edges.size
                                + " were derived in " + saturation.passes() + " passes",
                        0);
            }
            case SATURATED -> {
                // Remaining edges are propagated one by one.
            }
        }
        EdgePropagation propagation =
                new EdgePropagation(graph, saturation.activeEdges(), saturation.firstNewEdge(), budget);
        switch (propagation.run()) {
            case CYCLE -> {
                ConflictAnalysis reasons = new ConflictAnalysis(graph, propagation);
                reasons.findCycleAt(propagation.cycleNode());
                return violated(reasons);
            }
            case BUDGET_SPENT -> {
                return Solution.undecided(
                        "the time budget ran out before all forced orders were known: " + graph.edges.size
                                + " were derived",
                        0);
            }
            case TOO_LARGE -> {
                return edgesTooLarge();
            }
            case DONE -> {
                // Everything that is forced is known.
            }
        }
        CommitOrder witness = graph.candidates == null ? BacktrackingSearch.orderByRank(graph, propagation) : null;
        return witness != null ? Solution.holds(witness, 0) : decide(propagation);
    }

    private Solution decide(EdgePropagation propagation) {
        BacktrackingSearch decisions = new BacktrackingSearch(graph, propagation);
        return switch (decisions.run()) {
            case HOLDS -> Solution.holds(decisions.witness(), decisions.decisions());
            case VIOLATED -> Solution.violated(txnsOf(decisions.refutationSlots()), List.of(), decisions.decisions());
            case BUDGET_SPENT ->
                Solution.undecided(
                        "the time budget ran out while orders of writers were tried: " + decisions.conflicts()
                                + " of " + decisions.decisions() + " guesses failed, and "
                                + (graph.candidates == null
                                        ? decisions.openPairs() + " pairs of writers are open"
                                        : decisions.openObservations() + " reads may be of several writers"),
                        decisions.decisions());
            case TOO_LARGE -> edgesTooLarge();
        };
    }

    private Solution edgesTooLarge() {
        return Solution.tooLarge(
                "the orders that follow from reads of repeated values do not fit into memory: " + graph.edges.size
                        + " were derived, " + budget.memoryBytes() + " bytes are available; give more --memory");
    }

    private Solution violated(OrderSaturation saturation) {
        ConflictAnalysis reasons = new ConflictAnalysis(graph, null);
        if (saturation.closingEdges().length == 0) {
            reasons.findCycleIn(saturation.rest());
            return violated(reasons);
        }
        Solution smallest = null;
        for (int edge : saturation.closingEdges()) {
            reasons.findCycleThrough(edge);
            Solution solution = violated(reasons);
            smallest = smallest == null || isSmaller(solution, smallest) ? solution : smallest;
        }
        return requireNonNull(smallest);
    }

    private static boolean isSmaller(Solution one, Solution other) {
        int difference = requireNonNull(one.txns()).length - requireNonNull(other.txns()).length;
        return difference < 0
                || difference == 0 && one.cycle().size() < other.cycle().size();
    }

    private Solution violated(ConflictAnalysis reasons) {
        List<Contradiction.Step> steps =
                wantsSteps && graph.candidates == null ? CycleSteps.of(graph, reasons) : List.of();
        BitSet slots = new BitSet();
        reasons.explainPath(0, new BitSet(), slots);
        return Solution.violated(txnsOf(slots), steps, 0);
    }

    private int[] txnsOf(BitSet slots) {
        BitSet txns = new BitSet();
        for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
            txns.set(history.txnOf[slot]);
        }
        int[] ascending = new int[txns.cardinality()];
        int count = 0;
        for (int txn = txns.nextSetBit(0); txn >= 0; txn = txns.nextSetBit(txn + 1)) {
            ascending[count++] = txn;
        }
        return ascending;
    }
}
