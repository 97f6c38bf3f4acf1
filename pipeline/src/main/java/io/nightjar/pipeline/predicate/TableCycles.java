package io.nightjar.pipeline.predicate;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.ShortestCycle;
import io.nightjar.pipeline.graph.StronglyConnected;
import java.util.ArrayList;
import java.util.List;

/** Finds cycles of dependencies and gives them Adya's names, one of each kind in each part that has cycles. */
final class TableCycles {

    private static final int MAX_TRIES = 2_000; // edges from which a cycle of one kind is searched, in one part

    /** @param edges of the graph, in their order around */
    record Cycle(Anomaly anomaly, int[] edges) {}

    private final Digraph graph;
    private final List<Cycle> found = new ArrayList<>();

    TableCycles(Digraph graph) {
        this.graph = graph;
    }

    /** Whether all transactions can be put into one order. */
    static boolean isAcyclic(Digraph graph) {
        return StronglyConnected.of(graph).componentCount() == 0;
    }

    /** @param isSessions whether cycles need an edge of session order */
    List<Cycle> find(boolean isSessions) {
        int session = isSessions ? TableGraph.SESSION : 0;
        int flow = TableGraph.WW | TableGraph.WR | session;
        int predicateFlow = flow | TableGraph.PREDICATE_WR;
        int anti = TableGraph.RW | TableGraph.PREDICATE_RW;
        StronglyConnected parts = StronglyConnected.of(graph);
        ShortestCycle search = new ShortestCycle(graph, parts.componentOf);
        for (int part = 0; part < parts.componentCount(); part++) {
            int[] vertices = parts.verticesOf(part);
            boolean[] has = new boolean[Anomaly.values().length];
            through(search, vertices, TableGraph.WW, TableGraph.WW | session, isSessions, has);
            through(search, vertices, TableGraph.WR, flow, isSessions, has);
            through(search, vertices, TableGraph.PREDICATE_WR, predicateFlow, isSessions, has);
            through(search, vertices, TableGraph.RW, predicateFlow, isSessions, has);
            through(search, vertices, anti, predicateFlow, isSessions, has);
            through(search, vertices, TableGraph.RW, predicateFlow | TableGraph.RW, isSessions, has);
            through(search, vertices, anti, predicateFlow | anti, isSessions, has);
            if (isSessions) {
                through(search, vertices, TableGraph.SESSION, predicateFlow | anti, true, has);
            }
        }
        return found;
    }

    /** Looks for cycles of an edge of some kinds and a way back of others, and keeps the first of each name. */
    private void through(
            ShortestCycle search, int[] vertices, int first, int back, boolean needsSession, boolean[] has) {
        int tries = 0;
        for (int vertex : vertices) {
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                if (!graph.allows(edge, first) || tries >= MAX_TRIES) {
                    continue;
                }
                tries++;
                int[] way = search.path(graph.headOf[edge], vertex, back);
                if (way.length == 0) {
                    continue;
                }
                int[] cycle = new int[way.length + 1];
                cycle[0] = edge;
                System.arraycopy(way, 0, cycle, 1, way.length);
                Anomaly anomaly = name(cycle, needsSession);
                if (anomaly != null && !has[anomaly.ordinal()] && !isCovered(anomaly, has)) {
                    has[anomaly.ordinal()] = true;
                    found.add(new Cycle(anomaly, cycle));
                }
                if (anomaly != null && tries > MAX_TRIES / 10) {
                    return;
                }
            }
        }
    }

    /** Whether a cycle of a name that says more was found in the part already. */
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

    /** The name of a cycle; null if it lacks the edge of session order that it needs. */
    private Anomaly name(int[] cycle, boolean needsSession) {
        int antis = 0;
        boolean isPredicate = false;
        boolean readsFrom = false;
        boolean hasSession = false;
        boolean areAdjacent = false;
        for (int i = 0; i < cycle.length; i++) {
            boolean isAnti = graph.allows(cycle[i], TableGraph.RW | TableGraph.PREDICATE_RW);
            boolean isNextAnti = graph.allows(cycle[(i + 1) % cycle.length], TableGraph.RW | TableGraph.PREDICATE_RW);
            antis += isAnti ? 1 : 0;
            areAdjacent |= isAnti && isNextAnti && cycle.length > 1;
            isPredicate |= graph.allows(cycle[i], TableGraph.PREDICATE_RW);
            readsFrom |= graph.allows(cycle[i], TableGraph.WR | TableGraph.PREDICATE_WR);
            hasSession |= graph.allows(cycle[i], TableGraph.SESSION);
        }
        if (hasSession != needsSession) {
            return null;
        }
        return hasSession
                ? withSession(antis, isPredicate, readsFrom, areAdjacent)
                : plain(antis, isPredicate, readsFrom, areAdjacent);
    }

    private static Anomaly plain(int antis, boolean isPredicate, boolean readsFrom, boolean areAdjacent) {
        if (antis == 0) {
            return readsFrom ? Anomaly.G1C : Anomaly.G0;
        }
        if (antis == 1) {
            return isPredicate ? Anomaly.G_SINGLE : Anomaly.G_SINGLE_ITEM;
        }
        if (!areAdjacent) {
            return isPredicate ? Anomaly.G_NONADJACENT : Anomaly.G_NONADJACENT_ITEM;
        }
        return isPredicate ? Anomaly.G2 : Anomaly.G2_ITEM;
    }

    private static Anomaly withSession(int antis, boolean isPredicate, boolean readsFrom, boolean areAdjacent) {
        if (antis == 0) {
            return readsFrom ? Anomaly.G1C_PROCESS : Anomaly.G0_PROCESS;
        }
        if (antis == 1) {
            return isPredicate ? Anomaly.G_SINGLE_PROCESS : Anomaly.G_SINGLE_ITEM_PROCESS;
        }
        if (!areAdjacent) {
            return isPredicate ? Anomaly.G_NONADJACENT_PROCESS : Anomaly.G_NONADJACENT_ITEM_PROCESS;
        }
        return isPredicate ? Anomaly.G2_PROCESS : Anomaly.G2_ITEM_PROCESS;
    }

    /** An order of all vertices that keeps every edge; the graph must have no cycle. */
    static int[] topologicalOrder(Digraph graph) {
        int[] open = new int[graph.vertexCount];
        for (int edge = 0; edge < graph.edgeCount; edge++) {
            open[graph.headOf[edge]]++;
        }
        int[] order = new int[graph.vertexCount];
        int end = 0;
        for (int vertex = 0; vertex < graph.vertexCount; vertex++) {
            if (open[vertex] == 0) {
                order[end++] = vertex;
            }
        }
        for (int next = 0; next < end; next++) {
            int vertex = order[next];
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                if (--open[graph.headOf[edge]] == 0) {
                    order[end++] = graph.headOf[edge];
                }
            }
        }
        if (end < order.length) {
            throw new AssertionError("cannot happen: the graph has a cycle");
        }
        return order;
    }
}
