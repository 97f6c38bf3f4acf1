package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.check.Budget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the shortest cycle of a rule in a component, and one for each edge backwards that no other cycle explains. */
final class RuleSearch {

    /*
     * Definitions. An edge is backward if it contradicts the likely order. Every cycle has a backward edge.
     *
     * Algorithm. If only rw edges are backward, each cycle with rw edges has a backward edge of its kind, so searches
     * start from those only. Otherwise all edges of the rule's first kind are tried.
     *
     *   1. A large component may contain many unrelated anomalies, but each has a backward edge. From every such edge that
     *      is not on a cycle yet, a search visits the nodes between its ends in the likely order. Its result concerns that
     *      edge alone, since no other edge of the cycle goes backward.
     *   2. Searches from all edges in question, without that limit, find a shorter cycle than those, or any.
     *
     * Invariant. If only rw edges are backward, the first step proves as much as the second for a rule with a single rw
     * edge: a path back without rw edges never leaves the range between the ends. If a path was skipped because it
     * visits a transaction twice, the other edges may show a shorter cycle still.
     */

    /** Maximum length of a cycle that explains an edge while another rule might have a shorter one. */
    private static final int MAX_WANTED_LENGTH = 8;

    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final DependencySubgraph graph;
    private final CycleRule rule;
    private final int[] rankOf;
    private final boolean isOnlyMissed;
    private final ExplainedBackEdges explained;
    private final int[] nodes;
    private final ShortestCycleOfRule search;
    private final long maxSteps;
    private int shortest = UNLIMITED;
    private int @Nullable [] bestNodes; // of the shortest cycle, if it was found after the cycles that explain edges
    private byte @Nullable [] bestKinds;
    private boolean isExhausted;

    /** Cycles, as nodes of the component, and by position in each the kind of edge to the next position. */
    final List<int[]> cycles = new ArrayList<>();

    final List<byte[]> kindsOf = new ArrayList<>();

    /**
     * @param graph the part of a component that the rule may use
     * @param nodes by node of the part: the node of the component
     * @param order the likely order of the component
     */
    RuleSearch(
            DependencySubgraph graph,
            int[] nodes,
            CycleRule rule,
            FewBackEdgesOrder order,
            ExplainedBackEdges explained,
            Budget budget,
            long maxSteps,
            SearchScratch scratch) {
        this.graph = graph;
        this.nodes = nodes;
        this.rule = rule;
        this.explained = explained;
        this.maxSteps = maxSteps;
        isOnlyMissed = order.isOnlyMissed;
        rankOf = new int[nodes.length];
        for (int node = 0; node < nodes.length; node++) {
            rankOf[node] = order.rankOf[nodes[node]];
        }
        search = new ShortestCycleOfRule(graph, rule, budget, scratch);
    }

    /** Returns whether no shorter cycle than the shortest found is there, or none if none was found. */
    boolean isExhausted() {
        return isExhausted;
    }

    /** Returns whether a cycle is known to be as short as any of the rule. */
    boolean isShortest(int cycle) {
        return isExhausted && cycles.get(cycle).length == shortest;
    }

    /** Explains edges backwards that nothing explains yet. */
    void explain() {
        for (int source = 0; source < graph.firstHelper; source++) {
            for (int edge = graph.edges.firstEdgeOf[source]; edge < graph.edges.firstEdgeOf[source + 1]; edge++) {
                int target = graph.edges.headOf[edge];
                if (graph.edges.kindsOf[edge] == rule.base.first
                        && rankOf[target] < rankOf[source]
                        && search.steps() < maxSteps
                        && !explained.has(nodes[source], nodes[target])
                        && search.throughBackward(source, target, MAX_WANTED_LENGTH, maxSteps, rankOf)) {
                    explained.add(nodes[source], nodes[target]);
                    take(search.nodes(), search.kinds());
                }
            }
        }
    }

    /** Searches for a shorter cycle than was found, or for any. */
    void findShortest() {
        long maxTotalSteps = search.steps() + maxSteps;
        boolean hasOnlyBackward = isOnlyMissed && rule.base.first == RW;
        tryAll(true, isOnlyMissed && rule.base == CycleRule.Base.MISSES_ONE, maxTotalSteps);
        if (!hasOnlyBackward || shortest != UNLIMITED && search.hasPassedOver()) {
            tryAll(false, false, maxTotalSteps);
        }
        isExhausted = search.steps() < maxTotalSteps;
        if (bestNodes != null) {
            take(bestNodes, requireNonNull(bestKinds));
        }
    }

    /** Searches from all edges that go backwards, or from the others. */
    private void tryAll(boolean backwards, boolean isBetween, long maxStepsOfPath) {
        for (int source = 0; source < graph.firstHelper && shortest > rule.shortest(); source++) {
            for (int edge = graph.edges.firstEdgeOf[source]; edge < graph.edges.firstEdgeOf[source + 1]; edge++) {
                int target = graph.edges.headOf[edge];
                boolean isDue = graph.edges.kindsOf[edge] == rule.base.first
                        && rankOf[target] < rankOf[source] == backwards
                        && search.steps() < maxStepsOfPath;
                if (isDue && isOnShorter(source, target, isBetween, maxStepsOfPath)) {
                    bestNodes = search.nodes();
                    bestKinds = search.kinds();
                    shortest = bestNodes.length;
                }
            }
        }
    }

    private boolean isOnShorter(int source, int target, boolean isBetween, long maxStepsOfPath) {
        int maxLength = shortest == UNLIMITED ? UNLIMITED : shortest - 1;
        return isBetween
                ? search.throughBackward(source, target, maxLength, maxStepsOfPath, rankOf)
                : search.through(source, target, maxLength, maxStepsOfPath);
    }

    private void take(int[] found, byte[] kinds) {
        int[] cycle = new int[found.length];
        for (int i = 0; i < cycle.length; i++) {
            cycle[i] = nodes[found[i]];
        }
        explained.addCycle(cycle);
        shortest = Math.min(shortest, cycle.length);
        cycles.add(cycle);
        kindsOf.add(kinds);
    }
}
