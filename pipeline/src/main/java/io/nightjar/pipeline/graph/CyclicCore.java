package io.nightjar.pipeline.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is left of a graph when everything that cannot lie on a cycle has been taken away, from the front and the back. */
@SuppressWarnings("NullAway.Init") // fields are set by a method
public final class CyclicCore {

    /*
     * Kahn's algorithm. Vertices are looked at in an order that the caller believes in; one without predecessors left is
     * taken on the spot. One that is freed after its turn is taken at once, from a stack. In an order that is nearly
     * topological the stack stays empty and memory is read from front to back. The rest is peeled once more from its
     * ends, so that what is left are the cycles and the paths between them. Linear in vertices and edges.
     */

    private static final int TAKEN = -1;

    /** A topological order of what was taken from the front; the first {@link #takenCount} entries. */
    private final int[] order;

    private int takenCount;
    private int[] rest;

    private final Digraph graph;
    private final int kinds;
    private final int[] predecessorsLeftOf;

    private CyclicCore(Digraph graph, int kinds) {
        this.graph = graph;
        this.kinds = kinds;
        this.order = new int[graph.vertexCount];
        this.predecessorsLeftOf = new int[graph.vertexCount];
    }

    /** Peels in the order of the vertices' numbers. */
    public static CyclicCore of(Digraph graph) {
        return of(graph, null, Digraph.ALL_KINDS);
    }

    /**
     * @param believedOrder all vertices, in an order that may be nearly topological; null for that of their numbers
     * @param kinds only edges allowed by these count
     */
    public static CyclicCore of(Digraph graph, int @Nullable [] believedOrder, int kinds) {
        CyclicCore peel = new CyclicCore(graph, kinds);
        peel.peelFront(believedOrder);
        peel.peelBack();
        return peel;
    }

    public boolean isAcyclic() {
        return takenCount == graph.vertexCount;
    }

    /** Every vertex that no cycle reaches, in topological order; all vertices if there is no cycle. */
    public int[] topologicalOrder() {
        return Arrays.copyOf(order, takenCount);
    }

    /** Vertices on cycles and on paths from cycle to cycle, ascending. */
    public int[] rest() {
        return rest;
    }

    private void peelFront(int @Nullable [] believedOrder) {
        int vertexCount = graph.vertexCount;
        int[] first = graph.firstEdgeOf;
        int[] heads = graph.headOf;
        int[] left = predecessorsLeftOf;
        for (int edge = 0; edge < graph.edgeCount; edge++) {
            if (graph.allows(edge, kinds)) {
                left[heads[edge]]++;
            }
        }
        boolean[] isPassed = new boolean[vertexCount];
        int[] freed = new int[16];
        for (int i = 0; i < vertexCount; i++) {
            int turn = believedOrder == null ? i : believedOrder[i];
            isPassed[turn] = true;
            if (left[turn] != 0) {
                continue;
            }
            freed[0] = turn;
            int freedCount = 1;
            while (freedCount > 0) {
                int vertex = freed[--freedCount];
                left[vertex] = TAKEN;
                order[takenCount++] = vertex;
                for (int edge = first[vertex]; edge < first[vertex + 1]; edge++) {
                    int head = heads[edge];
                    if (graph.allows(edge, kinds) && --left[head] == 0 && isPassed[head]) {
                        if (freedCount == freed.length) {
                            freed = Arrays.copyOf(freed, 2 * freedCount);
                        }
                        freed[freedCount++] = head;
                    }
                }
            }
        }
    }

    /** Takes from the rest what leads nowhere, again and again. */
    private void peelBack() {
        int[] remaining = new int[graph.vertexCount - takenCount];
        int count = 0;
        for (int vertex = 0; vertex < graph.vertexCount; vertex++) {
            if (predecessorsLeftOf[vertex] != TAKEN) {
                remaining[count++] = vertex;
            }
        }
        if (count == 0) {
            rest = remaining;
            return;
        }
        int[] successorsLeftOf = new int[graph.vertexCount];
        int[] firstIn = new int[graph.vertexCount + 1];
        for (int vertex : remaining) {
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                if (graph.allows(edge, kinds)) { // a successor of what is left is left as well
                    successorsLeftOf[vertex]++;
                    firstIn[graph.headOf[edge]]++;
                }
            }
        }
        DigraphBuilder.endsFromCounts(firstIn, graph.vertexCount);
        int[] tails = new int[firstIn[graph.vertexCount]];
        for (int vertex : remaining) {
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                if (graph.allows(edge, kinds)) {
                    tails[--firstIn[graph.headOf[edge]]] = vertex;
                }
            }
        }
        int[] ends = new int[count];
        int endCount = 0;
        for (int vertex : remaining) {
            if (successorsLeftOf[vertex] == 0) {
                ends[endCount++] = vertex;
            }
        }
        int takenFromBack = 0;
        while (takenFromBack < endCount) {
            int end = ends[takenFromBack++];
            successorsLeftOf[end] = TAKEN;
            for (int in = firstIn[end]; in < firstIn[end + 1]; in++) {
                if (--successorsLeftOf[tails[in]] == 0) {
                    ends[endCount++] = tails[in];
                }
            }
        }
        rest = new int[count - endCount];
        int restCount = 0;
        for (int vertex : remaining) {
            if (successorsLeftOf[vertex] != TAKEN) {
                rest[restCount++] = vertex;
            }
        }
    }
}
