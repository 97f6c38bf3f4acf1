package io.nightjar.pipeline.graph;

import java.util.function.IntPredicate;

/** Breadth-first searches for shortest paths and cycles, with scratch that is reused. For one thread. */
public final class ShortestPath {

    private static final int[] NOT_FOUND = new int[0];

    private final Digraph graph;
    private final int[] seenIn; // by vertex: the last search that entered it
    private final int[] edgeInto;
    private final int[] tailOfEdgeInto;
    private final int[] queue;
    private int search;
    private long steps;

    public ShortestPath(Digraph graph) {
        this.graph = graph;
        this.seenIn = new int[graph.vertexCount];
        this.edgeInto = new int[graph.vertexCount];
        this.tailOfEdgeInto = new int[graph.vertexCount];
        this.queue = new int[graph.vertexCount];
    }

    /** Returns the number of edges inspected by all searches. */
    public long steps() {
        return steps;
    }

    /** Returns the edges of a shortest path of at least one edge, from a vertex to another or back to it; empty if none. */
    public int[] find(int from, int to, int kinds) {
        return find(from, to, kinds, vertex -> true);
    }

    /** @param isInside whether a path may lead through a vertex; asked whenever an edge leads to one not seen yet */
    public int[] find(int from, int to, int kinds, IntPredicate isInside) {
        int[] first = graph.firstEdgeOf;
        int[] heads = graph.headOf;
        int queued = 0;
        queue[queued++] = from;
        search++;
        for (int next = 0; next < queued; next++) {
            int tail = queue[next];
            for (int edge = first[tail]; edge < first[tail + 1]; edge++) {
                steps++;
                int head = heads[edge];
                if (!graph.allows(edge, kinds)) {
                    continue;
                }
                if (head == to) {
                    return edgesTo(from, tail, edge);
                }
                if (seenIn[head] != search && head != from && isInside.test(head)) {
                    seenIn[head] = search;
                    edgeInto[head] = edge;
                    tailOfEdgeInto[head] = tail;
                    queue[queued++] = head;
                }
            }
        }
        return NOT_FOUND;
    }

    private int[] edgesTo(int from, int lastTail, int lastEdge) {
        int length = 1;
        for (int vertex = lastTail; vertex != from; vertex = tailOfEdgeInto[vertex]) {
            length++;
        }
        int[] edges = new int[length];
        edges[length - 1] = lastEdge;
        int vertex = lastTail;
        for (int i = length - 2; i >= 0; i--) {
            edges[i] = edgeInto[vertex];
            vertex = tailOfEdgeInto[vertex];
        }
        return edges;
    }
}
