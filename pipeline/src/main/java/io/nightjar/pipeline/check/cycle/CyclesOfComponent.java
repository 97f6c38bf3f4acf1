package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.graph.Digraph.ALL_KINDS;
import static io.nightjar.pipeline.infer.DependencyGraph.RT;
import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.SO;
import static io.nightjar.pipeline.infer.DependencyGraph.WR;
import static io.nightjar.pipeline.infer.DependencyGraph.WW;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.graph.ShortestPath;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Search for each anomaly among the cycles of one strongly connected component. */
final class CyclesOfComponent {

    /*
     * Algorithm. For each rule, the components of the edges that the rule allows, and in each of them a RuleSearch.
     * Rules that require an order follow the rules without one: where the same anomaly was found without it, only
     * backward edges that no cycle explains yet are searched; nothing is searched if a graver anomaly was found and no
     * such edge remains.
     *
     * In the end each remaining backward edge gets a cycle of any kind, if one lies between its ends.
     */

    private static final long STEPS_PER_EDGE = 8;
    private static final int CLOCK_MASK = 0xFFF;

    private final DependencySubgraph graph;
    private final CycleSearch result;
    private final Budget budget;
    private final long minSteps;
    private final SearchScratch scratch;
    private final FewBackEdgesOrder order;
    private final ExplainedBackEdges explained;
    private final int[] localOf;
    private final BitSet[] onPlainOf =
            new BitSet[CycleRule.Base.values().length]; // by base: nodes on cycles of no order
    private final BitSet onAny = new BitSet(); // nodes on any cycle that was found
    private final int kinds;
    private final List<EdgeComponent> components = new ArrayList<>();
    private int componentKinds;
    private boolean areComponentsApart;
    private final IntColumn backwardEdges = new IntColumn(); // dependencies that go against the likely order
    private final IntColumn backwardSources = new IntColumn();
    private int explainedEdges; // how many of the first of them are known to be explained
    private boolean isCutShort;
    private long queries; // of isBetween
    private boolean isTimeUp;

    /** A component of some of the edges, with the nodes that its own are here. */
    private record EdgeComponent(DependencySubgraph graph, int[] nodes) {}

    /** @param graph the whole component */
    CyclesOfComponent(
            DependencySubgraph graph,
            long[] believedOf,
            CycleSearch result,
            Budget budget,
            long minSteps,
            SearchScratch scratch) {
        this.graph = graph;
        this.result = result;
        this.budget = budget;
        this.minSteps = minSteps;
        this.scratch = scratch;
        order = new FewBackEdgesOrder(graph, believedOf);
        explained = new ExplainedBackEdges(order);
        localOf = new int[graph.nodeOf.length];
        int seen = 0;
        for (int source = 0; source < graph.nodeOf.length; source++) {
            for (int edge = graph.edges.firstEdgeOf[source]; edge < graph.edges.firstEdgeOf[source + 1]; edge++) {
                seen |= graph.edges.kindsOf[edge];
                if ((graph.edges.kindsOf[edge] & (WW | WR | RW)) != 0
                        && order.isBackward(source, graph.edges.headOf[edge])) {
                    backwardEdges.add(edge);
                    backwardSources.add(source);
                }
            }
        }
        kinds = seen;
    }

    void run() {
        for (CycleRule rule : CycleRule.values()) {
            boolean isThere = (kinds & rule.base.first) != 0 && (rule.required & ~kinds) == 0;
            if (isThere && !(order.isOnlyMissed && !rule.base.hasMisses())) {
                search(rule);
            }
        }
        if (budget.isSpent() && onAny.isEmpty()) {
            addAny(graph, null);
        } else {
            explainRest();
        }
    }

    /** Returns whether some anomaly may have been missed. */
    boolean isCutShort() {
        return isCutShort;
    }

    private void search(CycleRule rule) {
        if (budget.isSpent()) {
            cutShort(rule);
            return;
        }
        if (rule.required != 0 && isKnownWithoutOrder(rule.base) && isAllExplained()) {
            return;
        }
        for (EdgeComponent component : components(rule)) {
            if (component.graph().hasKind(rule.base.first)) {
                search(rule, component.graph(), component.nodes());
            }
        }
    }

    /** Returns whether an anomaly as grave was found that needs no order. */
    private boolean isKnownWithoutOrder(CycleRule.Base base) {
        for (int graver = 0; graver <= base.ordinal(); graver++) {
            if (onPlainOf[graver] != null) {
                return true;
            }
        }
        return false;
    }

    private boolean isAllExplained() {
        while (explainedEdges < backwardEdges.size()) {
            int edge = backwardEdges.get(explainedEdges);
            if (!explained.has(backwardSources.get(explainedEdges), graph.edges.headOf[edge])) {
                return false;
            }
            explainedEdges++;
        }
        return true;
    }

    /**
     * Returns the components of the edges that a rule allows; the components of the previous rule are reused if it
     * allows the same.
     */
    private List<EdgeComponent> components(CycleRule rule) {
        if (rule.kinds() != componentKinds || rule.base.keepsApart() != areComponentsApart) {
            componentKinds = rule.kinds();
            areComponentsApart = rule.base.keepsApart();
            components.clear();
            for (int[] nodes : graph.components(componentKinds, areComponentsApart)) {
                components.add(new EdgeComponent(graph.subgraph(nodes, componentKinds, localOf), nodes));
            }
        }
        return components;
    }

    private void search(CycleRule rule, DependencySubgraph subgraph, int[] nodes) {
        boolean isKnown = rule.required != 0 && isKnown(onPlainOf[rule.base.ordinal()], nodes);
        long max = Math.max(minSteps, STEPS_PER_EDGE * subgraph.edges.edgeCount);
        RuleSearch search = new RuleSearch(subgraph, nodes, rule, order, explained, budget, max, scratch);
        search.explain();
        if (!isKnown) {
            search.findShortest();
        }
        for (int cycle = 0; cycle < search.cycles.size(); cycle++) {
            add(rule, search.cycles.get(cycle), search.kindsOf.get(cycle), search.isShortest(cycle));
        }
        if (!isKnown && search.cycles.isEmpty() && !search.isExhausted()) {
            cutShort(rule);
        }
        if (rule.base == CycleRule.Base.MISSES_IN_A_ROW && search.cycles.isEmpty() && !isKnown(onAny, nodes)) {
            addAny(subgraph, nodes);
        }
    }

    private void cutShort(CycleRule rule) {
        isCutShort = true;
        result.cutShort(rule.anomaly);
    }

    private static boolean isKnown(BitSet onCycles, int[] nodes) {
        for (int i = 0; i < nodes.length && onCycles != null; i++) {
            if (onCycles.get(nodes[i])) {
                return true;
            }
        }
        return false;
    }

    /** Adds the shortest cycle through a part's first transaction, with edges of any kind. */
    private void addAny(DependencySubgraph subgraph, int @Nullable [] nodes) {
        int[] cycle = new ShortestPath(subgraph.edges).find(0, 0, ALL_KINDS);
        if (cycle.length > 0) {
            addAny(subgraph, nodes, 0, cycle);
        }
    }

    /** Adds a cycle for each backward edge that is on no cycle yet, if its ends are connected. */
    private void explainRest() {
        ShortestPath search = new ShortestPath(graph.edges);
        long maxSteps = Math.max(minSteps, STEPS_PER_EDGE * graph.edges.edgeCount);
        for (int i = explainedEdges; i < backwardEdges.size() && search.steps() < maxSteps && !budget.isSpent(); i++) {
            int source = backwardSources.get(i);
            int target = graph.edges.headOf[backwardEdges.get(i)];
            if (explained.has(source, target)) {
                continue;
            }
            int[] path = search.find(target, source, ALL_KINDS, node -> isBetween(target, node, source));
            if (path.length > 0) {
                int[] cycle = new int[path.length + 1];
                cycle[0] = backwardEdges.get(i);
                System.arraycopy(path, 0, cycle, 1, path.length);
                explained.add(source, target);
                explained.addCycle(addAny(graph, null, source, cycle));
            }
        }
    }

    /** Returns whether a node is between two others in the likely order; none is once the budget is spent. */
    private boolean isBetween(int first, int node, int last) {
        isTimeUp |= (++queries & CLOCK_MASK) == 0 && budget.isSpent();
        return !isTimeUp && order.rankOf[first] <= order.rankOf[node] && order.rankOf[node] <= order.rankOf[last];
    }

    /** Adds a cycle of edges unless it has no dependency; returns its transactions. */
    private int[] addAny(DependencySubgraph subgraph, int @Nullable [] nodes, int start, int[] cycle) {
        int[] txns = new int[cycle.length];
        byte[] kindOf = new byte[cycle.length];
        int seen = 0;
        int length = 0;
        int tail = start;
        for (int edge : cycle) {
            if (!subgraph.isHelper(tail)) { // the kind of the edge into a helper is that of the path through it
                txns[length] = nodes == null ? tail : nodes[tail];
                kindOf[length] = subgraph.edges.kindsOf[edge];
                seen |= kindOf[length++];
            }
            tail = subgraph.edges.headOf[edge];
        }
        int[] found = Arrays.copyOf(txns, length);
        if ((seen & ~(SO | RT)) != 0) {
            byte[] foundKinds = Arrays.copyOf(kindOf, length);
            add(CycleRule.of(foundKinds), found, foundKinds, false);
        }
        return found;
    }

    private void add(CycleRule rule, int[] cycle, byte[] cycleKinds, boolean isShortest) {
        int base = rule.base.ordinal();
        int[] txns = new int[cycle.length];
        for (int i = 0; i < txns.length; i++) {
            onAny.set(cycle[i]);
            if (rule.required == 0) {
                onPlainOf[base] = onPlainOf[base] == null ? new BitSet() : onPlainOf[base];
                onPlainOf[base].set(cycle[i]);
            }
            txns[i] = graph.nodeOf[cycle[i]];
        }
        result.add(new DependencyCycle(rule.anomaly, txns, cycleKinds, isShortest));
    }
}
