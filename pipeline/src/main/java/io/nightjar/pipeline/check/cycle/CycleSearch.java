package io.nightjar.pipeline.check.cycle;

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
     * 1. Nodes that no cycle comes before are peeled off, in the order of the rows. In a history without anomalies that is
     *    all of them.
     * 2. The rest is divided into strongly connected components, which are small in a nearly correct history. Only
     *    their nodes matter from here on.
     * 3. Each component is searched alone (CyclesOfComponent).
     *
     * Steps 1 and 2 already determine whether a cycle exists: every component has one, and the cycle through its first
     * transaction is reported if the rules, cut short, found none. The limit is in steps, so that the same history
     * gives the same answer on every machine; the budget ends all.
     */

    private static final long MIN_STEPS = 1_000_000;

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
        DependencySubgraph rest = DependencySubgraph.behindCycles(dependencies);
        if (rest.nodeCount == 0) {
            return;
        }
        Components all = Components.of(rest, ~0, false);
        components = all.count();
        int[] localOf = new int[rest.nodeCount];
        SearchScratch scratch = new SearchScratch();
        for (int component = 0; component < components; component++) {
            DependencySubgraph part = rest.part(all.nodes(component), ~0, localOf);
            areOrdersContradictory |=
                    part.hasKind(SO | RT) && Components.of(part, SO | RT, false).count() > 0;
            CyclesOfComponent search = new CyclesOfComponent(part, believedOf, this, budget, minSteps, scratch);
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

    /** Returns whether session order and real time alone form a cycle: an error of clocks, and no anomaly. */
    boolean areOrdersContradictory() {
        return areOrdersContradictory;
    }

    /**
     * Returns whether a graph has no cycle without adjacent rw edges, so that no level up to snapshot isolation is
     * ruled out.
     */
    static boolean isFreeOfSeparateMisses(DependencyGraph graph) {
        DependencySubgraph rest = DependencySubgraph.behindCycles(graph);
        return rest.nodeCount == 0 || Components.of(rest, ~0, true).count() == 0;
    }

    /** Returns whether no transaction depends on itself by edges of any kind. */
    boolean isAcyclic() {
        return components == 0;
    }

    /** Returns the transactions in an order that keeps every dependency; null if the graph has a cycle. */
    int @Nullable [] serialOrder() {
        int[] nodes = dependencies.topologicalOrder();
        if (nodes == null) {
            return null;
        }
        int end = 0;
        for (int node : nodes) {
            if (node < dependencies.txnCount) {
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

    /** Strongly connected components. */
    int components() {
        return components;
    }

    /** Returns the number of components in which every search finished. */
    int searchedComponents() {
        return searched;
    }

    /** Returns the cycles found, those of the gravest anomaly first, and the shortest of each first. */
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
