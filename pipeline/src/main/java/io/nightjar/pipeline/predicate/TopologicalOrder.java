package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.graph.StronglyConnected;
import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;

/** Orders of vertices that keep every edge, and else their numbers. */
final class TopologicalOrder {

    private TopologicalOrder() {}

    /** Returns an order of a graph without cycles. */
    static int[] of(Digraph graph) {
        int[] open = new int[graph.vertexCount];
        for (int edge = 0; edge < graph.edgeCount; edge++) {
            open[graph.headOf[edge]]++;
        }
        IntHeapPriorityQueue ready = new IntHeapPriorityQueue();
        for (int vertex = 0; vertex < graph.vertexCount; vertex++) {
            if (open[vertex] == 0) {
                ready.enqueue(vertex);
            }
        }
        int[] order = new int[graph.vertexCount];
        int end = 0;
        while (!ready.isEmpty()) {
            int vertex = ready.dequeueInt();
            order[end++] = vertex;
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                if (--open[graph.headOf[edge]] == 0) {
                    ready.enqueue(graph.headOf[edge]);
                }
            }
        }
        if (end < order.length) {
            throw new AssertionError("bug: the graph has a cycle");
        }
        return order;
    }

    /**
     * Returns an order of a graph in which each component is contiguous, its members in a separate order.
     *
     * @param inside graph that orders the members; its vertices are the first ones of the graph
     */
    static int[] of(Digraph graph, StronglyConnected components, Digraph inside) {
        if (components.componentCount() == 0) {
            return of(graph);
        }
        int[] positionOf = new int[inside.vertexCount];
        int[] members = of(inside);
        for (int position = 0; position < members.length; position++) {
            positionOf[members[position]] = position;
        }
        int[] order = of(contracted(graph, components));
        int[] whole = new int[order.length];
        int end = 0;
        for (int vertex : order) {
            int component = components.componentOf[vertex];
            if (component == StronglyConnected.NONE) {
                whole[end++] = vertex;
            } else if (components.verticesOf(component)[0] == vertex) {
                end = addMembers(components.verticesOf(component), positionOf, whole, end);
            }
        }
        return whole;
    }

    private static int addMembers(int[] vertices, int[] positionOf, int[] to, int from) {
        int end = from;
        for (int vertex : vertices) {
            to[end++] = vertex;
        }
        it.unimi.dsi.fastutil.ints.IntArrays.quickSort(to, from, end, (one, other) -> {
            int firstPosition = one < positionOf.length ? positionOf[one] : one;
            int secondPosition = other < positionOf.length ? positionOf[other] : other;
            return Integer.compare(firstPosition, secondPosition);
        });
        return end;
    }

    /** Returns the graph with the first vertex of each component instead of all of them. */
    private static Digraph contracted(Digraph graph, StronglyConnected components) {
        int[] firstOf = new int[components.componentCount()];
        for (int component = 0; component < firstOf.length; component++) {
            firstOf[component] = components.verticesOf(component)[0];
        }
        DigraphBuilder builder = DigraphBuilder.plain(graph.vertexCount);
        for (int tail = 0; tail < graph.vertexCount; tail++) {
            int from = components.componentOf[tail];
            for (int edge = graph.firstEdgeOf[tail]; edge < graph.firstEdgeOf[tail + 1]; edge++) {
                int to = components.componentOf[graph.headOf[edge]];
                if (from == StronglyConnected.NONE || from != to) {
                    builder.add(
                            from == StronglyConnected.NONE ? tail : firstOf[from],
                            to == StronglyConnected.NONE ? graph.headOf[edge] : firstOf[to]);
                }
            }
        }
        return builder.build();
    }
}
