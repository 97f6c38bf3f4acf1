package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RT;
import static io.nightjar.pipeline.infer.DependencyGraph.SO;
import static io.nightjar.pipeline.infer.DependencyGraph.VIA;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.DependencyGraph;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Looks for the anomalies among the cycles of a dependency graph, each in each component that can have it. */
final class CycleSearch {

    /*
     * 1. Nodes that no cycle comes before are peeled off, in the order of the rows. In a history without anomalies that is
     *    all of them.
     * 2. What is left falls into strongly connected components. Only their nodes matter from here on.
     * 3. For each rule, the components of the edges that the rule allows; in each of them the shortest cycle that fulfils
     *    the rule (ShortestCycle). An anomaly that needs session order or real time is passed over where the same without
     *    it was found.
     *
     * Whether there is anything to find is known from steps 1 and 2 without any search: every component has a cycle, and
     * the one through its first transaction is reported where the rules, cut short, found none. The limit is in steps, so
     * that the same history gives the same answer on every machine; the budget ends all.
     */

    private static final long LEAST_STEPS = 1_000_000;
    private static final long STEPS_PER_EDGE = 8;

    /** What is found beyond this is counted only. */
    static final int MOST_LISTED = 1_000_000;

    private final DependencyGraph dependencies;
    private final Budget budget;
    private final long leastSteps;
    private final List<DependencyCycle> cycles = new ArrayList<>();
    private final long[] countOf = new long[Anomaly.values().length];
    private final EnumSet<Anomaly> cutShort = EnumSet.noneOf(Anomaly.class);

    private boolean areOrdersContradictory;
    private TypedGraph graph;
    private int[] scratch;
    private byte[][] onCycleOf; // by base, by node of the graph: the least tier of a cycle that runs through it, or 0

    CycleSearch(DependencyGraph dependencies, Budget budget) {
        this(dependencies, budget, LEAST_STEPS);
    }

    /** @param leastSteps what a search may cost in a component however small it is */
    CycleSearch(DependencyGraph dependencies, Budget budget, long leastSteps) {
        this.dependencies = dependencies;
        this.budget = budget;
        this.leastSteps = leastSteps;
    }

    void run() {
        TypedGraph rest = TypedGraph.behindCycles(dependencies);
        if (rest.nodeCount == 0) {
            return;
        }
        int[] onCycles = Components.of(rest, ~0, false).allNodes();
        graph = rest.part(onCycles, ~0, new int[rest.nodeCount]);
        scratch = new int[graph.nodeCount];
        onCycleOf = new byte[CycleRule.Base.values().length][];
        int kinds = 0;
        for (int edge = 0; edge < graph.edgeCount(); edge++) {
            kinds |= graph.kindOf[edge];
        }
        areOrdersContradictory = Components.of(graph, SO | RT, false).count() > 0;
        searchOrder(0);
        if ((kinds & SO) != 0) {
            searchOrder(SO);
        }
        if ((kinds & RT) != 0) {
            searchOrder(RT);
        }
        if (budget.isSpent()) {
            showOneOfEach();
        }
    }

    /** A cycle of each component in which none was found in time. */
    private void showOneOfEach() {
        Components components = Components.of(graph, ~0, false);
        for (int component = 0; component < components.count(); component++) {
            int[] nodes = components.nodes(component);
            if (!isAnyKnown(nodes)) {
                addAnyCycle(graph.part(nodes, ~0, scratch), nodes);
            }
        }
    }

    /** All rules that require an order, or none. */
    private void searchOrder(int required) {
        for (CycleRule rule : CycleRule.values()) {
            if (rule.required != required) {
                continue;
            }
            if (budget.isSpent()) {
                cutShort.add(rule.anomaly);
                continue;
            }
            Components components = Components.of(graph, rule.kinds(), rule.base.keepsApart());
            for (int component = 0; component < components.count(); component++) {
                search(rule, components.nodes(component));
            }
        }
    }

    private void search(CycleRule rule, int[] nodes) {
        if (rule.required != 0 && isKnownWithout(rule, nodes)) {
            return;
        }
        TypedGraph part = graph.part(nodes, rule.kinds(), scratch);
        if (!hasKind(part, rule.base.first)) {
            return;
        }
        long most = Math.max(leastSteps, STEPS_PER_EDGE * part.edgeCount());
        ShortestCycle search = new ShortestCycle(part, rule, budget, most);
        search.run();
        for (int cycle = 0; cycle < search.count(); cycle++) {
            boolean isShortest = cycle == 0 && search.isExhausted();
            add(rule, nodes, search.nodes(cycle), search.kinds(cycle), isShortest);
        }
        if (search.count() == 0 && !search.isExhausted()) {
            cutShort.add(rule.anomaly);
        }
        if (rule.base == CycleRule.Base.MISSES_IN_A_ROW && search.count() == 0 && !isAnyKnown(nodes)) {
            addAnyCycle(part, nodes);
        }
    }

    /** Whether the same anomaly was found here without any order. */
    private boolean isKnownWithout(CycleRule rule, int[] nodes) {
        return isMarked(rule.base, nodes, tier(CycleRule.G0));
    }

    private boolean isAnyKnown(int[] nodes) {
        for (CycleRule.Base base : CycleRule.Base.values()) {
            if (isMarked(base, nodes, tier(CycleRule.G2_REALTIME))) {
                return true;
            }
        }
        return false;
    }

    private boolean isMarked(CycleRule.Base base, int[] nodes, int mostTier) {
        byte[] onCycle = onCycleOf[base.ordinal()];
        for (int i = 0; i < nodes.length && onCycle != null; i++) {
            if (onCycle[nodes[i]] != 0 && onCycle[nodes[i]] <= mostTier) {
                return true;
            }
        }
        return false;
    }

    private static int tier(CycleRule rule) {
        return rule.required == 0 ? 1 : rule.required == SO ? 2 : 3;
    }

    private static boolean hasKind(TypedGraph part, int kind) {
        for (int edge = 0; edge < part.edgeCount(); edge++) {
            if (part.kindOf[edge] == kind) {
                return true;
            }
        }
        return false;
    }

    private void add(CycleRule rule, int[] nodes, int[] cycle, byte[] kinds, boolean isShortest) {
        int base = rule.base.ordinal();
        if (onCycleOf[base] == null) {
            onCycleOf[base] = new byte[graph.nodeCount];
        }
        int[] txns = new int[cycle.length];
        for (int i = 0; i < txns.length; i++) {
            int node = nodes[cycle[i]];
            if (onCycleOf[base][node] == 0) {
                onCycleOf[base][node] = (byte) tier(rule);
            }
            txns[i] = graph.nodeOf[node];
        }
        countOf[rule.anomaly.ordinal()]++;
        if (cycles.size() < MOST_LISTED) {
            cycles.add(new DependencyCycle(rule.anomaly, txns, kinds, isShortest));
        }
    }

    /** The shortest cycle through a component's first transaction, whatever it is called. */
    private void addAnyCycle(TypedGraph part, int[] nodes) {
        int[] cameFromOf = new int[part.nodeCount];
        byte[] cameByOf = new byte[part.nodeCount];
        Arrays.fill(cameFromOf, -1);
        IntColumn queue = new IntColumn();
        queue.add(0);
        for (int head = 0; head < queue.size() && cameFromOf[0] < 0; head++) {
            int node = queue.get(head);
            for (int edge = part.firstEdgeOf[node]; edge < part.firstEdgeOf[node + 1]; edge++) {
                int target = part.targetOf[edge];
                if (cameFromOf[target] < 0) {
                    cameFromOf[target] = node;
                    cameByOf[target] = part.kindOf[edge];
                    queue.add(target);
                }
            }
        }
        IntColumn backwards = new IntColumn();
        IntColumn kindsBackwards = new IntColumn();
        int node = 0;
        byte kind = 0;
        do {
            kind = cameByOf[node] == VIA ? kind : cameByOf[node];
            node = cameFromOf[node];
            if (!part.isHelper(node)) {
                backwards.add(node);
                kindsBackwards.add(kind);
            }
        } while (node != 0);
        int count = backwards.size();
        int[] cycle = new int[count];
        byte[] kinds = new byte[count];
        for (int i = 0; i < count; i++) {
            cycle[i] = backwards.get(count - 1 - i);
            kinds[i] = (byte) kindsBackwards.get(count - 1 - i);
        }
        if (dependencies(kinds) > 0) {
            add(CycleRule.of(kinds), nodes, cycle, kinds, false);
        }
    }

    private static int dependencies(byte[] kinds) {
        int count = 0;
        for (byte kind : kinds) {
            count += (kind & (SO | RT)) == 0 ? 1 : 0;
        }
        return count;
    }

    /** Whether session order and real time alone lead in a circle: a fault of clocks, and no anomaly. */
    boolean areOrdersContradictory() {
        return areOrdersContradictory;
    }

    /** Whether a graph has no cycle that rw edges, if any, are kept apart on: what no level up to snapshot isolation has. */
    static boolean isFreeOfSeparateMisses(DependencyGraph graph) {
        TypedGraph rest = TypedGraph.behindCycles(graph);
        return rest.nodeCount == 0 || Components.of(rest, ~0, true).count() == 0;
    }

    /** Whether no transaction depends on itself, whatever the kinds of edges. */
    boolean isAcyclic() {
        return graph == null;
    }

    /** Whether there is no cycle at all among dependencies and the orders that a rule allows. */
    boolean isAcyclicWithin(CycleRule rule) {
        for (CycleRule other : CycleRule.values()) {
            boolean isAnswered = count(other.anomaly) == 0 && !cutShort.contains(other.anomaly);
            if ((other.orders & ~rule.orders) == 0 && !isAnswered) {
                return false;
            }
        }
        return true;
    }

    List<DependencyCycle> cycles() {
        return cycles;
    }

    long count(Anomaly anomaly) {
        return countOf[anomaly.ordinal()];
    }

    /** What may occur although it was not found. */
    Set<Anomaly> cutShort() {
        return cutShort;
    }
}
