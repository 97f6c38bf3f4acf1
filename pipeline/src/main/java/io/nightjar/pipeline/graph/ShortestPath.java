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
    private final int[] levelOf;
    private final int[] avoidedOf; // by vertex: edges to avoid on the path to it
    private int search;
    private long steps;

    public ShortestPath(Digraph graph) {
        this.graph = graph;
        this.seenIn = new int[graph.vertexCount];
        this.edgeInto = new int[graph.vertexCount];
        this.tailOfEdgeInto = new int[graph.vertexCount];
        this.queue = new int[graph.vertexCount];
        this.levelOf = new int[graph.vertexCount];
        this.avoidedOf = new int[graph.vertexCount];
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
        return find(from, to, kinds, 0, isInside);
    }

    /** @param avoided kinds of edges: of all shortest paths, one with the fewest of them is returned */
    public int[] find(int from, int to, int kinds, int avoided, IntPredicate isInside) {
        int queued = 0;
        queue[queued++] = from;
        levelOf[from] = 0;
        avoidedOf[from] = 0;
        search++;
        int lastTail = -1;
        int lastEdge = -1;
        int minAvoided = Integer.MAX_VALUE;
        for (int next = 0; next < queued; next++) {
            int tail = queue[next];
            if (lastEdge >= 0 && (avoided == 0 || levelOf[tail] > levelOf[lastTail])) {
                break;
            }
            for (int edge = graph.firstEdgeOf[tail]; edge < graph.firstEdgeOf[tail + 1]; edge++) {
                steps++;
                int head = graph.headOf[edge];
                if (!graph.allows(edge, kinds)) {
                    continue;
                }
                int count = avoidedOf[tail] + (avoided != 0 && graph.allows(edge, avoided) ? 1 : 0);
                if (head == to) {
                    if (count < minAvoided) {
                        lastTail = tail;
                        lastEdge = edge;
                        minAvoided = count;
                    }
                } else if (seenIn[head] != search) {
                    if (head != from && isInside.test(head)) {
                        seenIn[head] = search;
                        levelOf[head] = levelOf[tail] + 1;
                        queue[queued++] = head;
                        enter(head, edge, tail, count);
                    }
                } else if (count < avoidedOf[head] && levelOf[head] > levelOf[tail]) {
                    enter(head, edge, tail, count);
                }
            }
        }
        return lastEdge < 0 ? NOT_FOUND : edgesTo(from, lastTail, lastEdge);
    }

    private void enter(int vertex, int edge, int tail, int avoided) {
        edgeInto[vertex] = edge;
        tailOfEdgeInto[vertex] = tail;
        avoidedOf[vertex] = avoided;
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
