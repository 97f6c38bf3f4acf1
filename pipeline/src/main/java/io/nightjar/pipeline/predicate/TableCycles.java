package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.ShortestPath;
import io.nightjar.pipeline.graph.StronglyConnected;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Search for cycles of dependencies with Adya's names, one of each kind in each component. */
final class TableCycles {

    /*
     * Algorithm. A cycle of some kinds of edges that uses an edge of certain kinds exists if such an edge lies inside a
     * strongly connected component of the graph of these kinds; then any path back completes a cycle. The condition
     * that no two antidependencies are adjacent is checked in a graph with two vertices per transaction
     * (Digraph.keptApart).
     *
     * Cost. Linear in the graph, plus a few tries to find a cycle with a single antidependency.
     */

    private static final int TRIES = 20; // antidependencies of a component from which a shorter cycle is searched

    /** @param edges of the graph, in their order around */
    record Cycle(Anomaly anomaly, int[] edges) {}

    private final Digraph graph;
    private final List<Cycle> found = new ArrayList<>();
    private final Map<Integer, boolean[]> hasOf = new HashMap<>(); // by component of the graph
    private int[] componentOf;
    private boolean needsSession;

    TableCycles(Digraph graph) {
        this.graph = graph;
    }

    /** Returns whether the graph has no cycle. */
    static boolean isAcyclic(Digraph graph) {
        return StronglyConnected.of(graph).componentCount() == 0;
    }

    /** @param isSessions whether cycles need an edge of session order */
    @SetsFields
    List<Cycle> find(boolean isSessions) {
        componentOf = StronglyConnected.of(graph).componentOf;
        needsSession = isSessions;
        int session = isSessions ? TableDependencies.SESSION : 0;
        int flow = TableDependencies.WW | TableDependencies.WR | TableDependencies.PREDICATE_WR | session;
        int anti = TableDependencies.RW | TableDependencies.PREDICATE_RW;
        search(graph, null, TableDependencies.WW | session, isSessions ? session : TableDependencies.WW);
        search(graph, null, flow, isSessions ? session : TableDependencies.WR | TableDependencies.PREDICATE_WR);
        spread(flow, TableDependencies.RW);
        spread(flow, anti);
        search(graph, null, flow | TableDependencies.RW, isSessions ? session : TableDependencies.RW);
        search(graph, null, flow | anti, isSessions ? session : anti);
        return found;
    }

    /** Searches for cycles in which no two antidependencies are adjacent. */
    private void spread(int flow, int anti) {
        Digraph product = graph.keptApart(flow | anti, anti, 0);
        search(product, product.labelOf, flow | anti, needsSession ? TableDependencies.SESSION : anti);
    }

    /**
     * Keeps a cycle of each component that has an edge of certain kinds.
     *
     * @param edgeOf the edge of the history's graph by edge; null if they are the same
     */
    private void search(Digraph in, int @Nullable [] edgeOf, int kinds, int needed) {
        StronglyConnected components = StronglyConnected.of(in, kinds);
        int[] componentOf = components.componentOf;
        ShortestPath ways = new ShortestPath(in);
        for (int component = 0; component < components.componentCount(); component++) {
            int searched = component;
            int tries = 0;
            for (int tail : components.verticesOf(component)) {
                for (int edge = in.firstEdgeOf[tail]; tries < TRIES && edge < in.firstEdgeOf[tail + 1]; edge++) {
                    if (in.allows(edge, needed) && componentOf[in.headOf[edge]] == component) {
                        int[] way = ways.find(in.headOf[edge], tail, kinds, vertex -> componentOf[vertex] == searched);
                        boolean isBest = way.length > 0 && keep(edge, way, edgeOf);
                        tries = isBest ? TRIES : tries + 1;
                    }
                }
            }
        }
    }

    /** Stores a cycle unless its component has an equally strong one; returns whether a shorter cycle would be redundant. */
    private boolean keep(int first, int[] way, int @Nullable [] edgeOf) {
        int[] cycle = new int[way.length + 1];
        cycle[0] = edgeOf == null ? first : edgeOf[first];
        for (int i = 0; i < way.length; i++) {
            cycle[i + 1] = edgeOf == null ? way[i] : edgeOf[way[i]];
        }
        Anomaly anomaly = name(cycle, needsSession);
        if (anomaly == null) {
            return false;
        }
        boolean[] has = hasOf.computeIfAbsent(
                componentOf[graph.headOf[cycle[0]]], unseen -> new boolean[Anomaly.values().length]);
        if (!has[anomaly.ordinal()] && !isCovered(anomaly, has)) {
            has[anomaly.ordinal()] = true;
            found.add(new Cycle(anomaly, cycle));
        }
        return switch (anomaly) {
            case G_NONADJACENT_ITEM, G_NONADJACENT, G2_ITEM, G2 -> false;
            default -> true;
        };
    }

    /** Returns whether the component already has a cycle of a stronger type. */
    private static boolean isCovered(Anomaly anomaly, boolean[] has) {
        return switch (anomaly) {
            case G_SINGLE -> has[Anomaly.G_SINGLE_ITEM.ordinal()];
            case G_NONADJACENT_ITEM -> has[Anomaly.G_SINGLE_ITEM.ordinal()];
            case G_NONADJACENT ->
                has[Anomaly.G_SINGLE_ITEM.ordinal()]
                        || has[Anomaly.G_SINGLE.ordinal()]
                        || has[Anomaly.G_NONADJACENT_ITEM.ordinal()];
            case G2_ITEM -> has[Anomaly.G_SINGLE_ITEM.ordinal()] || has[Anomaly.G_NONADJACENT_ITEM.ordinal()];
            case G2 ->
                has[Anomaly.G_SINGLE_ITEM.ordinal()]
                        || has[Anomaly.G_SINGLE.ordinal()]
                        || has[Anomaly.G_NONADJACENT_ITEM.ordinal()]
                        || has[Anomaly.G_NONADJACENT.ordinal()]
                        || has[Anomaly.G2_ITEM.ordinal()];
            default -> false;
        };
    }

    /** Returns the name of a cycle; null if it lacks the edge of session order that it needs. */
    private @Nullable Anomaly name(int[] cycle, boolean isSession) {
        int antis = 0;
        boolean isPredicate = false;
        boolean readsFrom = false;
        boolean hasSession = false;
        boolean areAdjacent = false;
        for (int i = 0; i < cycle.length; i++) {
            boolean isAnti = graph.allows(cycle[i], TableDependencies.RW | TableDependencies.PREDICATE_RW);
            boolean isNextAnti =
                    graph.allows(cycle[(i + 1) % cycle.length], TableDependencies.RW | TableDependencies.PREDICATE_RW);
            antis += isAnti ? 1 : 0;
            areAdjacent |= isAnti && isNextAnti && cycle.length > 1;
            isPredicate |= graph.allows(cycle[i], TableDependencies.PREDICATE_RW);
            readsFrom |= graph.allows(cycle[i], TableDependencies.WR | TableDependencies.PREDICATE_WR);
            hasSession |= graph.allows(cycle[i], TableDependencies.SESSION);
        }
        if (hasSession != isSession) {
            return null;
        }
        String name = antis == 0
                ? readsFrom ? "G1c" : "G0"
                : (antis == 1 ? "G-single" : areAdjacent ? "G2" : "G-nonadjacent") + (isPredicate ? "" : "-item");
        return Anomaly.bySpelling(name + (hasSession ? "-process" : ""));
    }
}
