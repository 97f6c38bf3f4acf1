package io.nightjar.pipeline.graph;

import org.jspecify.annotations.Nullable;

/** Finds shortest cycles and paths, as edges in their order. Holds the scratch of the search; not thread-safe. */
public final class ShortestCycle {

    /*
     * Breadth-first search from a vertex until an edge leads to the goal. A search stays in the region where it begins,
     * normally a strongly connected component, since a cycle cannot leave that. seenIn[vertex] holds the number of the
     * last search that saw it, so that nothing is cleared between searches.
     */

    private static final int[] NOT_FOUND = new int[0];

    private final Digraph graph;
    private final int @Nullable [] regionOf;
    private final int[] seenIn;
    private final int[] edgeInto;
    private final int[] tailOfEdgeInto;
    private final int[] queue;
    private int search;
    private long steps;

    /** @param regionOf a number by vertex, for instance its component; null if the whole graph is one region */
    public ShortestCycle(Digraph graph, int @Nullable [] regionOf) {
        this.graph = graph;
        this.regionOf = regionOf;
        this.seenIn = new int[graph.vertexCount];
        this.edgeInto = new int[graph.vertexCount];
        this.tailOfEdgeInto = new int[graph.vertexCount];
        this.queue = new int[graph.vertexCount];
    }

    /** The edges of a shortest cycle through a vertex, from it back to it; empty if there is none. */
    public int[] through(int vertex, int kinds) {
        return path(vertex, vertex, kinds, graph.vertexCount);
    }

    /** The edges of a shortest path of at least one edge; empty if there is none. */
    public int[] path(int from, int to, int kinds) {
        return path(from, to, kinds, graph.vertexCount);
    }

    /**
     * The edges of a short cycle through any of some vertices: the shortest, unless the search ends early.
     *
     * @param maxSteps after the given number of edges looked at, what was found by then will do; at least one cycle is found
     * @return empty if no vertex lies on a cycle
     */
    public int[] throughAny(int[] vertices, int kinds, long maxSteps) {
        long lastStep = steps + maxSteps;
        int[] shortest = NOT_FOUND;
        int limit = graph.vertexCount;
        for (int vertex : vertices) {
            int[] cycle = path(vertex, vertex, kinds, limit);
            if (cycle.length > 0) {
                shortest = cycle;
                limit = cycle.length - 1;
            }
            if (limit == 0 || shortest.length > 0 && steps > lastStep) {
                break;
            }
        }
        return shortest;
    }

    /** A shortest path with at most the given number of edges. */
    private int[] path(int from, int to, int kinds, int maxLength) {
        int[] first = graph.firstEdgeOf;
        int[] heads = graph.headOf;
        int queued = 0;
        queue[queued++] = from;
        search++;
        int length = 1;
        int endOfLayer = 1;
        for (int next = 0; next < queued && length <= maxLength; next++) {
            int tail = queue[next];
            for (int edge = first[tail]; edge < first[tail + 1]; edge++) {
                steps++;
                int head = heads[edge];
                if (!graph.allows(edge, kinds)) {
                    continue;
                }
                if (head == to) {
                    return edgesTo(from, tail, edge, length);
                }
                if (seenIn[head] != search && head != from && (regionOf == null || regionOf[head] == regionOf[from])) {
                    seenIn[head] = search;
                    edgeInto[head] = edge;
                    tailOfEdgeInto[head] = tail;
                    queue[queued++] = head;
                }
            }
            if (next + 1 == endOfLayer) {
                endOfLayer = queued;
                length++;
            }
        }
        return NOT_FOUND;
    }

    private int[] edgesTo(int from, int lastTail, int lastEdge, int length) {
        int[] edges = new int[length];
        edges[length - 1] = lastEdge;
        int vertex = lastTail;
        for (int i = length - 2; i >= 0; i--) {
            edges[i] = edgeInto[vertex];
            vertex = tailOfEdgeInto[vertex];
        }
        assert vertex == from : "bug: vertex=" + vertex + " from=" + from;
        return edges;
    }
}
