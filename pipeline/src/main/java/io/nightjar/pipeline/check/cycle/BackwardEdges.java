package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.SO;
import static io.nightjar.pipeline.infer.DependencyGraph.VIA;
import static io.nightjar.pipeline.infer.DependencyGraph.WR;
import static io.nightjar.pipeline.infer.DependencyGraph.WW;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.graph.ShortestPath;
import io.nightjar.pipeline.graph.StronglyConnected;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The dependencies of one strongly connected component that go back in the order of positions, each with a cycle. */
final class BackwardEdges {

    /*
     * Algorithm. Two transactions that are joined by a dependency from a later position to an earlier one are one
     * anomaly, so that the count depends on no search. Its name is that of the shortest cycle through the dependency:
     * with ww and wr only, else with as few rw as possible, else with session order.
     *
     * Cost. Linear to count. Searches end after a number of steps; further dependencies get the widest name of their
     * cycles, from the components of the edges without session order, and are not listed.
     */

    private static final int[] TIERS = {WW | WR, WW | WR | RW, WW | WR | RW | SO};
    private static final int CLOCK_MASK = 0xFFF;

    private final DependencySubgraph graph;
    private final CommitPositions positions;
    private final CycleSearch result;
    private final Budget budget;
    private final ShortestPath search;
    private final @Nullable StronglyConnected[] strong = new StronglyConnected[TIERS.length]; // by tier, once needed
    private @Nullable StronglyConnected firm; // components without rw edges, once needed
    private final long maxSteps;
    private long queries;
    private boolean isOver;

    /** @param maxSteps maximum number of edges that searches may follow */
    BackwardEdges(
            DependencySubgraph graph, CommitPositions positions, CycleSearch result, Budget budget, long maxSteps) {
        this.graph = graph;
        this.positions = positions;
        this.result = result;
        this.budget = budget;
        this.search = new ShortestPath(graph.edges);
        this.maxSteps = maxSteps;
    }

    /** Returns whether helpers of a component represent session order only. */
    static boolean canSearch(DependencySubgraph graph) {
        for (int source = 0; source < graph.firstHelper; source++) {
            for (int edge = graph.edges.firstEdgeOf[source]; edge < graph.edges.firstEdgeOf[source + 1]; edge++) {
                if (graph.isHelper(graph.edges.headOf[edge]) && graph.edges.kindsOf[edge] != SO) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Counts all, and lists those whose search finishes; returns the number of edges followed. */
    long run() {
        int[] kindOf = new int[graph.firstHelper]; // by target: the least kind of an edge from the source
        int[] targets = new int[16];
        for (int source = 0; source < graph.firstHelper; source++) {
            int count = 0;
            for (int edge = graph.edges.firstEdgeOf[source]; edge < graph.edges.firstEdgeOf[source + 1]; edge++) {
                int target = txnAfter(graph.edges.headOf[edge]);
                int kind = graph.edges.kindsOf[edge];
                if (target < 0 || !positions.isBefore(graph.nodeOf[target], graph.nodeOf[source])) {
                    continue;
                }
                if (kindOf[target] == 0) {
                    targets = count == targets.length ? Arrays.copyOf(targets, 2 * count) : targets;
                    targets[count++] = target;
                }
                kindOf[target] = kindOf[target] == 0 ? kind : Math.min(kindOf[target], kind);
            }
            for (int i = 0; i < count; i++) {
                name(source, targets[i], kindOf[targets[i]]);
                kindOf[targets[i]] = 0;
            }
        }
        return search.steps();
    }

    /** Returns a node if it is a transaction, else the first one after it in its session; -1 if none is here. */
    private int txnAfter(int node) {
        if (!graph.isHelper(node)) {
            return node;
        }
        for (int edge = graph.edges.firstEdgeOf[node]; edge < graph.edges.firstEdgeOf[node + 1]; edge++) {
            if (!graph.isHelper(graph.edges.headOf[edge])) {
                return graph.edges.headOf[edge];
            }
        }
        return -1;
    }

    /** Adds the shortest cycle through an edge, or counts it. */
    private void name(int source, int target, int kind) {
        isOver = isOver || budget.isSpent();
        for (int tier = 0; tier < TIERS.length; tier++) {
            boolean isWhole = tier == TIERS.length - 1; // all edges, which connect the component
            boolean isClosed = isWhole || (kind & TIERS[tier]) == 0 || isIn(strong(tier), source, target);
            if (isOver || search.steps() >= maxSteps || !isClosed) {
                continue;
            }
            int[] path = search.find(target, source, TIERS[tier] | VIA, RW, node -> isGoingOn());
            if (path.length > 0) {
                add(source, target, (byte) kind, path);
                return;
            }
        }
        result.count(widest(source, target, kind), 1);
    }

    private StronglyConnected strong(int tier) {
        StronglyConnected components = strong[tier];
        if (components == null) {
            components = StronglyConnected.of(graph.edges, TIERS[tier] | VIA);
            strong[tier] = components;
        }
        return components;
    }

    private static boolean isIn(StronglyConnected components, int source, int target) {
        int component = components.componentOf[source];
        return component != StronglyConnected.NONE && component == components.componentOf[target];
    }

    private boolean isGoingOn() {
        isOver |= (++queries & CLOCK_MASK) == 0 && budget.isSpent();
        return !isOver && search.steps() < maxSteps;
    }

    /** Returns the widest anomaly of the cycles through an edge. */
    private Anomaly widest(int source, int target, int kind) {
        boolean isFirm = kind != RW && isIn(withoutMisses(), source, target);
        if (kind != SO && isIn(strong(1), source, target)) {
            return isFirm && isIn(strong(0), source, target) ? Anomaly.G1C : Anomaly.G2_ITEM;
        }
        return isFirm ? Anomaly.G1C_PROCESS : Anomaly.G2_ITEM_PROCESS;
    }

    private StronglyConnected withoutMisses() {
        if (firm == null) {
            firm = StronglyConnected.of(graph.edges, WW | WR | SO | VIA);
        }
        return firm;
    }

    private void add(int source, int target, byte kind, int[] path) {
        int[] txns = new int[path.length + 1];
        byte[] kinds = new byte[path.length + 1];
        txns[0] = graph.nodeOf[source];
        kinds[0] = kind;
        int length = 1;
        int tail = target;
        for (int edge : path) {
            if (!graph.isHelper(tail)) { // the kind of the edge into a helper is that of the path through it
                txns[length] = graph.nodeOf[tail];
                kinds[length++] = graph.edges.kindsOf[edge];
            }
            tail = graph.edges.headOf[edge];
        }
        byte[] cycle = Arrays.copyOf(kinds, length);
        result.add(new DependencyCycle(CycleRule.of(cycle).anomaly, Arrays.copyOf(txns, length), cycle, false));
    }
}
