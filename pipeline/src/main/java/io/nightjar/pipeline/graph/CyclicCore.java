package io.nightjar.pipeline.graph;

/** Vertices that are on a cycle or reachable from one. */
public final class CyclicCore {

    /*
     * Algorithm. Kahn's: vertices without predecessors are removed again and again. Roots are removed one after another
     * with everything that they free, so that memory is read nearly in the order of the vertices.
     *
     * Cost. Linear in vertices and edges.
     */

    private static final int REMOVED = -1;

    private CyclicCore() {}

    /** Returns the vertices in ascending order; none if the graph has no cycle. */
    public static int[] of(Digraph graph) {
        int[] first = graph.firstEdgeOf;
        int[] heads = graph.headOf;
        int[] predecessorsOf = new int[graph.vertexCount];
        for (int head : heads) {
            predecessorsOf[head]++;
        }
        int[] removed = new int[graph.vertexCount];
        int count = 0;
        for (int root = 0; root < graph.vertexCount; root++) {
            if (predecessorsOf[root] != 0) {
                continue;
            }
            predecessorsOf[root] = REMOVED;
            removed[count++] = root;
            for (int next = count - 1; next < count; next++) {
                int vertex = removed[next];
                int end = first[vertex + 1];
                for (int edge = first[vertex]; edge < end; edge++) {
                    int head = heads[edge];
                    if (--predecessorsOf[head] == 0) {
                        predecessorsOf[head] = REMOVED;
                        removed[count++] = head;
                    }
                }
            }
        }
        int[] remaining = new int[graph.vertexCount - count];
        int end = 0;
        for (int vertex = 0; end < remaining.length; vertex++) {
            if (predecessorsOf[vertex] != REMOVED) {
                remaining[end++] = vertex;
            }
        }
        return remaining;
    }
}
