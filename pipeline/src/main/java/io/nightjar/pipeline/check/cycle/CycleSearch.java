package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.graph.Digraph.ALL_KINDS;
import static io.nightjar.pipeline.infer.DependencyGraph.RT;
import static io.nightjar.pipeline.infer.DependencyGraph.SO;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.DependencyGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks for the anomalies among the cycles of a dependency graph, each in each component that can have it. */
final class CycleSearch {

    /*
     * Algorithm.
     * 1. Nodes that no cycle reaches are removed: all of them in a history without anomalies.
     * 2. The others are divided into strongly connected components, which are small in a nearly correct history.
     * 3. Each component is searched alone (CyclesOfComponent).
     *
     * Every component has a cycle: where the rules, cut short, found none, the cycle through its first transaction is
     * reported. The limit is in steps, so that the same history gives the same answer on every machine; the budget ends all.
     */

    private static final long MIN_STEPS = 1_000_000;

    /** What is found beyond this is counted only. */
    static final int MAX_LISTED = 1_000_000;

    private final DependencyGraph dependencies;
    private final long[] believedOf;
    private final Budget budget;
    private final long leastSteps;
    private final List<DependencyCycle> cycles = new ArrayList<>();
    private final long[] countOf = new long[Anomaly.values().length];
    private final EnumSet<Anomaly> cutShort = EnumSet.noneOf(Anomaly.class);

    private boolean areOrdersContradictory;
    private int components;
    private int searched;

    /** @param believedOf a number by transaction, in whose order they are believed to have taken effect; proves nothing */
    CycleSearch(DependencyGraph dependencies, long[] believedOf, Budget budget) {
        this(dependencies, believedOf, budget, MIN_STEPS);
    }

    /** @param leastSteps what a search may cost in a component however small it is */
    CycleSearch(DependencyGraph dependencies, long[] believedOf, Budget budget, long leastSteps) {
        this.dependencies = dependencies;
        this.believedOf = believedOf;
        this.budget = budget;
        this.leastSteps = leastSteps;
    }

    void run() {
        DependencySubgraph core = DependencySubgraph.coreOf(dependencies);
        List<int[]> nodesOf = core.components(ALL_KINDS, false);
        components = nodesOf.size();
        int[] localOf = new int[core.nodeOf.length];
        SearchScratch scratch = new SearchScratch();
        for (int[] nodes : nodesOf) {
            DependencySubgraph part = core.part(nodes, ALL_KINDS, localOf);
            areOrdersContradictory |=
                    part.hasKind(SO | RT) && !part.components(SO | RT, false).isEmpty();
            CyclesOfComponent search = new CyclesOfComponent(part, believedOf, this, budget, leastSteps, scratch);
            search.run();
            searched += search.isCutShort() ? 0 : 1;
        }
        cycles.sort(Comparator.comparingInt(
                        (DependencyCycle cycle) -> CycleRule.of(cycle.anomaly()).ordinal())
                .thenComparingInt(DependencyCycle::length));
    }

    /** Takes a cycle that was found. */
    void add(DependencyCycle cycle) {
        countOf[cycle.anomaly().ordinal()]++;
        if (cycles.size() < MAX_LISTED) {
            cycles.add(cycle);
        }
    }

    /** An anomaly may occur although it was not found. */
    void cutShort(Anomaly anomaly) {
        cutShort.add(anomaly);
    }

    /** Whether session order and real time alone lead in a circle: a fault of clocks, and no anomaly. */
    boolean areOrdersContradictory() {
        return areOrdersContradictory;
    }

    /** Whether a graph has no cycle that rw edges, if any, are kept apart on: what no level up to snapshot isolation has. */
    static boolean isFreeOfSeparateMisses(DependencyGraph graph) {
        return DependencySubgraph.coreOf(graph).components(ALL_KINDS, true).isEmpty();
    }

    /** Whether no transaction depends on itself, whatever the kinds of edges. */
    boolean isAcyclic() {
        return components == 0;
    }

    /** Returns the transactions in an order that keeps every dependency; null if there is a cycle. */
    int @Nullable [] serialOrder() {
        int[] nodes = dependencies.edges().topologicalOrder();
        if (nodes == null) {
            return null;
        }
        int end = 0;
        for (int node : nodes) {
            if (node < dependencies.txnCount()) {
                nodes[end++] = node;
            }
        }
        return Arrays.copyOf(nodes, end);
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

    /** Strongly connected components. */
    int components() {
        return components;
    }

    /** Components in which every search came to its end. */
    int searchedComponents() {
        return searched;
    }

    /** The cycles found, those of the gravest anomaly first, the shortest of each first. */
    List<DependencyCycle> cycles() {
        return cycles;
    }

    long count(Anomaly anomaly) {
        return countOf[anomaly.ordinal()];
    }

    /** Returns what may occur although it was not found. */
    Set<Anomaly> cutShort() {
        return cutShort;
    }
}
