package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RT;
import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.SO;
import static io.nightjar.pipeline.infer.DependencyGraph.WR;
import static io.nightjar.pipeline.infer.DependencyGraph.WW;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Search for each anomaly among the cycles of one strongly connected component. */
final class CyclesOfComponent {

    /*
     * For each rule, the components of the edges that the rule allows, and in each of them a RuleSearch. Rules that
     * require an order come after those that do not: where the same anomaly was found without it, only backward edges
     * that no cycle explains yet are searched; nothing is searched if a graver anomaly was found and no such edge
     * remains.
     *
     * In the end each remaining backward edge gets a cycle of any kind, if one lies between its ends.
     */

    private static final long STEPS_PER_EDGE = 8;

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
    private final List<Part> parts = new ArrayList<>();
    private int partKinds;
    private boolean arePartsApart;
    private final IntColumn backwardEdges = new IntColumn(); // dependencies that go against the likely order
    private final IntColumn backwardSources = new IntColumn();
    private int explainedEdges; // how many of the first of them are known to be explained
    private boolean isCutShort;

    /** A component of some of the edges, with the nodes that its own are here. */
    private record Part(DependencySubgraph graph, int[] nodes) {}

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
        localOf = new int[graph.nodeCount];
        int seen = 0;
        for (int source = 0; source < graph.nodeCount; source++) {
            for (int edge = graph.firstEdgeOf[source]; edge < graph.firstEdgeOf[source + 1]; edge++) {
                seen |= graph.kindOf[edge];
                if ((graph.kindOf[edge] & (WW | WR | RW)) != 0 && order.isBackward(source, graph.targetOf[edge])) {
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
        for (Part part : parts(rule)) {
            if (part.graph().hasKind(rule.base.first)) {
                search(rule, part.graph(), part.nodes());
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
            if (!explained.has(backwardSources.get(explainedEdges), graph.targetOf[edge])) {
                return false;
            }
            explainedEdges++;
        }
        return true;
    }

    /**
     * The components of the edges that a rule allows; the components of the previous rule are reused if it allows the
     * same.
     */
    private List<Part> parts(CycleRule rule) {
        if (rule.kinds() != partKinds || rule.base.keepsApart() != arePartsApart) {
            partKinds = rule.kinds();
            arePartsApart = rule.base.keepsApart();
            parts.clear();
            Components components = Components.of(graph, partKinds, arePartsApart);
            for (int component = 0; component < components.count(); component++) {
                int[] nodes = components.nodes(component);
                parts.add(new Part(graph.part(nodes, partKinds, localOf), nodes));
            }
        }
        return parts;
    }

    private void search(CycleRule rule, DependencySubgraph part, int[] nodes) {
        boolean isKnown = rule.required != 0 && isKnown(onPlainOf[rule.base.ordinal()], nodes);
        long max = Math.max(minSteps, STEPS_PER_EDGE * part.edgeCount());
        RuleSearch search = new RuleSearch(part, nodes, rule, order, explained, budget, max, scratch);
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
            addAny(part, nodes);
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

    /** Adds the shortest cycle of any type through a part's first transaction. */
    private void addAny(DependencySubgraph part, int @Nullable [] nodes) {
        AnyCycle any = new AnyCycle(part, scratch);
        if (any.through(0) && hasDependency(any.kinds())) {
            int[] cycle = any.nodes();
            for (int i = 0; i < cycle.length && nodes != null; i++) {
                cycle[i] = nodes[cycle[i]];
            }
            add(CycleRule.of(any.kinds()), cycle, any.kinds(), false);
        }
    }

    /** Adds cycles through the backward edges that are on no cycle yet. */
    private void explainRest() {
        AnyCycle any = new AnyCycle(graph, scratch);
        long max = Math.max(minSteps, STEPS_PER_EDGE * graph.edgeCount());
        for (int i = explainedEdges; i < backwardEdges.size() && any.steps() < max && !budget.isSpent(); i++) {
            int source = backwardSources.get(i);
            int target = graph.targetOf[backwardEdges.get(i)];
            if (!explained.has(source, target)
                    && any.throughBackward(source, backwardEdges.get(i), order.rankOf, budget)) {
                explained.add(source, target);
                explained.addCycle(any.nodes());
                add(CycleRule.of(any.kinds()), any.nodes(), any.kinds(), false);
            }
        }
    }

    private static boolean hasDependency(byte[] kinds) {
        for (byte kind : kinds) {
            if ((kind & (SO | RT)) == 0) {
                return true;
            }
        }
        return false;
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
