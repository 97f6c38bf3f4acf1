package io.nightjar.pipeline.graph;

/** Vertices on cycles, and on paths from cycle to cycle. */
public final class CyclicCore {

    /*
     * Algorithm. Kahn's: vertices without predecessors are removed again and again, then those without successors. Roots are
     * removed one after another with everything that they free, so that memory is read nearly in the order of the vertices.
     *
     * Cost. Linear in vertices and edges.
     */

    private static final int REMOVED = -1;

    private CyclicCore() {}

    /** Returns the vertices in ascending order; none if the graph has no cycle. */
    public static int[] of(Digraph graph) {
        return withoutEnds(graph, withoutRoots(graph));
    }

    private static int[] withoutRoots(Digraph graph) {
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
                for (int edge = first[removed[next]]; edge < first[removed[next] + 1]; edge++) {
                    if (--predecessorsOf[heads[edge]] == 0) {
                        predecessorsOf[heads[edge]] = REMOVED;
                        removed[count++] = heads[edge];
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

    /** @param vertices with all their successors */
    private static int[] withoutEnds(Digraph graph, int[] vertices) {
        if (vertices.length == 0) {
            return vertices;
        }
        int[] successorsOf = new int[graph.vertexCount];
        int[] firstIn = new int[graph.vertexCount + 1];
        for (int vertex : vertices) {
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                successorsOf[vertex]++;
                firstIn[graph.headOf[edge]]++;
            }
        }
        DigraphBuilder.endsFromCounts(firstIn, graph.vertexCount);
        int[] tails = new int[firstIn[graph.vertexCount]];
        for (int vertex : vertices) {
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                tails[--firstIn[graph.headOf[edge]]] = vertex;
            }
        }
        int[] ends = new int[vertices.length];
        int endCount = 0;
        for (int vertex : vertices) {
            if (successorsOf[vertex] == 0) {
                ends[endCount++] = vertex;
            }
        }
        for (int next = 0; next < endCount; next++) {
            successorsOf[ends[next]] = REMOVED;
            for (int in = firstIn[ends[next]]; in < firstIn[ends[next] + 1]; in++) {
                if (--successorsOf[tails[in]] == 0) {
                    ends[endCount++] = tails[in];
                }
            }
        }
        int[] core = new int[vertices.length - endCount];
        int count = 0;
        for (int vertex : vertices) {
            if (successorsOf[vertex] != REMOVED) {
                core[count++] = vertex;
            }
        }
        return core;
    }
}
