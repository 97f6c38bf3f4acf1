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

/** Search for anomalies among the cycles of a dependency graph, component by component. */
final class CycleSearch {

    /*
     * Algorithm.
     * 1. Nodes that no cycle reaches are removed: all of them in a history without anomalies.
     * 2. The others are divided into strongly connected components, which are small in a nearly correct history.
     * 3. Each component is searched alone (CyclesOfComponent).
     *
     * Every component has a cycle: where the rules, cut short, found none, the cycle through its first transaction is
     * reported. The limit is in steps, so that the same history gives the same answer on every machine; the budget ends
     * all.
     */

    private static final long MIN_STEPS = 1_000_000;
    private static final long MAX_STEPS = 20_000_000; // of all searches for cycles of dependencies that go back
    private static final long STEPS_PER_EDGE = 8;

    /** Maximum number of cycles listed; more are only counted. */
    static final int MAX_LISTED = 1_000_000;

    private final DependencyGraph dependencies;
    private final long[] believedOf;
    private final Budget budget;
    private final long minSteps;
    private final List<DependencyCycle> cycles = new ArrayList<>();
    private final long[] countOf = new long[Anomaly.values().length];
    private final EnumSet<Anomaly> cutShort = EnumSet.noneOf(Anomaly.class);

    private boolean areOrdersContradictory;
    private boolean areCyclesCounted;
    private int components;
    private int searched;

    /** @param believedOf a number by transaction, the believed order of their effects; proves nothing */
    CycleSearch(DependencyGraph dependencies, long[] believedOf, Budget budget) {
        this(dependencies, believedOf, budget, MIN_STEPS);
    }

    /** @param minSteps minimum step limit of a search in a component, however small */
    CycleSearch(DependencyGraph dependencies, long[] believedOf, Budget budget, long minSteps) {
        this.dependencies = dependencies;
        this.believedOf = believedOf;
        this.budget = budget;
        this.minSteps = minSteps;
    }

    void run() {
        run(null);
    }

    /** @param positions positions by transaction, if each dependency that goes back is one anomaly; or null */
    void run(@Nullable CommitPositions positions) {
        DependencySubgraph core = DependencySubgraph.coreOf(dependencies);
        List<int[]> nodesOf = core.components(ALL_KINDS, false);
        components = nodesOf.size();
        int[] localOf = new int[core.nodeOf.length];
        areCyclesCounted = positions != null;
        long stepsLeft = Math.max(MIN_STEPS, Math.min(MAX_STEPS, STEPS_PER_EDGE * core.edges.edgeCount));
        SearchScratch scratch = new SearchScratch();
        for (int[] nodes : nodesOf) {
            DependencySubgraph subgraph = core.subgraph(nodes, ALL_KINDS, localOf);
            areOrdersContradictory |= subgraph.hasKind(SO | RT)
                    && !subgraph.components(SO | RT, false).isEmpty();
            if (positions != null && BackwardEdges.canSearch(subgraph)) {
                stepsLeft -= new BackwardEdges(subgraph, positions, this, budget, stepsLeft).run();
                searched++;
                continue;
            }
            areCyclesCounted = false;
            CyclesOfComponent search = new CyclesOfComponent(subgraph, believedOf, this, budget, minSteps, scratch);
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

    /** Counts a cycle that is not listed. */
    void count(Anomaly anomaly, long more) {
        countOf[anomaly.ordinal()] += more;
    }

    /** Returns whether all dependencies between transactions of one component that go back were counted. */
    boolean areCyclesCounted() {
        return areCyclesCounted;
    }

    /** Records that an anomaly may occur although it was not found. */
    void cutShort(Anomaly anomaly) {
        cutShort.add(anomaly);
    }

    /** Returns whether session order and real time alone form a cycle: an error of clocks, and no anomaly. */
    boolean areOrdersContradictory() {
        return areOrdersContradictory;
    }

    /**
     * Returns whether a graph has no cycle without adjacent rw edges, so that no level up to snapshot isolation is
     * ruled out.
     */
    static boolean isFreeOfSeparateMisses(DependencyGraph graph) {
        return DependencySubgraph.coreOf(graph).components(ALL_KINDS, true).isEmpty();
    }

    /** Returns whether no transaction depends on itself by edges of any kind. */
    boolean isAcyclic() {
        return components == 0;
    }

    /** Returns the transactions in an order that keeps every dependency; null if the graph has a cycle. */
    int @Nullable [] serialOrder() {
        return serialOrder(dependencies);
    }

    /** Returns the transactions in an order that keeps every dependency of a graph; null if it has a cycle. */
    static int @Nullable [] serialOrder(DependencyGraph dependencies) {
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

    /** Returns whether the dependencies and the orders that a rule allows have no cycle. */
    boolean isAcyclicWithin(CycleRule rule) {
        for (CycleRule other : CycleRule.values()) {
            boolean isAnswered = count(other.anomaly) == 0 && !cutShort.contains(other.anomaly);
            if ((other.orders & ~rule.orders) == 0 && !isAnswered) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of strongly connected components. */
    int components() {
        return components;
    }

    /** Returns the number of components in which every search finished. */
    int searchedComponents() {
        return searched;
    }

    /** Returns the cycles found, the gravest anomaly first, and the shortest of each first. */
    List<DependencyCycle> cycles() {
        return cycles;
    }

    long count(Anomaly anomaly) {
        return countOf[anomaly.ordinal()];
    }

    /** Returns the anomalies that may occur although they were not found. */
    Set<Anomaly> cutShort() {
        return cutShort;
    }
}
