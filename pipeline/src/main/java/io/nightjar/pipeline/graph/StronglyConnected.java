package io.nightjar.pipeline.graph;

import java.util.Arrays;

/** The strongly connected components of a graph that hold a cycle; vertices on no cycle belong to none. */
public final class StronglyConnected {

    /*
     * Tarjan's algorithm with its own stack of (vertex, next edge). Linear in the vertices given and their edges.
     *
     *   vertices   component after component: firstVertexOf[component] .. firstVertexOf[component + 1]
     */

    /** The component of a vertex that lies on no cycle. */
    public static final int NONE = -1;

    private static final int UNSEEN = 0;
    private static final int CLOSED = Integer.MAX_VALUE;

    /** A component by vertex, or {@link #NONE}. */
    public final int[] componentOf;

    private int componentCount;
    private int[] firstVertexOf = new int[16];
    private int[] vertices = new int[16];

    private StronglyConnected(int vertexCount) {
        componentOf = new int[vertexCount];
        Arrays.fill(componentOf, NONE);
    }

    public static StronglyConnected of(Digraph graph) {
        return of(graph, Digraph.ALL_KINDS);
    }

    /** @param kinds only edges allowed by these count */
    public static StronglyConnected of(Digraph graph, int kinds) {
        int[] all = new int[graph.vertexCount];
        Arrays.setAll(all, vertex -> vertex);
        return of(graph, all, kinds);
    }

    /**
     * Returns the components of the part of a graph that consists of some vertices.
     *
     * @param among for instance a {@link CyclicCore}
     * @param kinds only edges allowed by these count
     */
    public static StronglyConnected of(Digraph graph, int[] among, int kinds) {
        StronglyConnected components = new StronglyConnected(graph.vertexCount);
        components.find(graph, among, kinds);
        return components;
    }

    public int componentCount() {
        return componentCount;
    }

    /** Returns the vertices of a component, ascending. */
    public int[] verticesOf(int component) {
        return Arrays.copyOfRange(vertices, firstVertexOf[component], firstVertexOf[component + 1]);
    }

    private void find(Digraph graph, int[] among, int kinds) {
        if (among.length == 0) {
            return;
        }
        int[] first = graph.firstEdgeOf;
        int[] heads = graph.headOf;
        int[] numberOf = new int[graph.vertexCount]; // UNSEEN, or the number of its discovery, or CLOSED
        Arrays.fill(numberOf, CLOSED);
        for (int vertex : among) {
            numberOf[vertex] = UNSEEN;
        }
        int[] lowest = new int[graph.vertexCount];
        int[] nextEdgeOf = new int[graph.vertexCount];
        int[] path = new int[16];
        int[] open = new int[16];
        int openCount = 0;
        int discovered = UNSEEN;
        for (int root : among) {
            if (numberOf[root] != UNSEEN) {
                continue;
            }
            int depth = 0;
            path[0] = root;
            numberOf[root] = lowest[root] = ++discovered;
            nextEdgeOf[root] = first[root];
            open = put(open, openCount++, root);
            while (depth >= 0) {
                int vertex = path[depth];
                int edge = nextEdgeOf[vertex];
                if (edge < first[vertex + 1]) {
                    nextEdgeOf[vertex]++;
                    int head = heads[edge];
                    if (!graph.allows(edge, kinds) || numberOf[head] == CLOSED) {
                        continue;
                    }
                    if (numberOf[head] == UNSEEN) {
                        numberOf[head] = lowest[head] = ++discovered;
                        nextEdgeOf[head] = first[head];
                        path = put(path, ++depth, head);
                        open = put(open, openCount++, head);
                    } else {
                        lowest[vertex] = Math.min(lowest[vertex], numberOf[head]);
                    }
                    continue;
                }
                depth--;
                if (depth >= 0) {
                    lowest[path[depth]] = Math.min(lowest[path[depth]], lowest[vertex]);
                }
                if (lowest[vertex] == numberOf[vertex]) {
                    int begin = openCount;
                    do {
                        numberOf[open[--begin]] = CLOSED;
                    } while (open[begin] != vertex);
                    if (openCount - begin > 1 || hasLoop(graph, vertex, kinds)) {
                        addComponent(open, begin, openCount);
                    }
                    openCount = begin;
                }
            }
        }
    }

    private static boolean hasLoop(Digraph graph, int vertex, int kinds) {
        for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
            if (graph.headOf[edge] == vertex && graph.allows(edge, kinds)) {
                return true;
            }
        }
        return false;
    }

    private void addComponent(int[] open, int begin, int end) {
        int first = firstVertexOf[componentCount];
        int after = first + end - begin;
        if (after > vertices.length) {
            vertices = Arrays.copyOf(vertices, Math.max(after, 2 * vertices.length));
        }
        System.arraycopy(open, begin, vertices, first, end - begin);
        Arrays.sort(vertices, first, after);
        for (int i = first; i < after; i++) {
            componentOf[vertices[i]] = componentCount;
        }
        firstVertexOf = put(firstVertexOf, ++componentCount, after);
    }

    private static int[] put(int[] array, int index, int value) {
        int[] roomy = index < array.length ? array : Arrays.copyOf(array, 2 * index);
        roomy[index] = value;
        return roomy;
    }
}
