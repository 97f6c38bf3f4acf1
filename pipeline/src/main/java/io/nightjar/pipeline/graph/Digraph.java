package io.nightjar.pipeline.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A directed graph in compressed rows; parallel edges and loops are allowed. Immutable by convention. */
public final class Digraph {

    /*
     * Layout.
     *   vertex   0 .. vertexCount
     *   edge     0 .. edgeCount    grouped by tail: firstEdgeOf[tail] .. firstEdgeOf[tail + 1], and within a tail in
     *                              the order in which they were added
     *
     * kindsOf[edge] is a set of up to eight kinds, one bit each, labelOf[edge] a number that the caller assigns. An
     * edge is allowed by a set of kinds if it shares a kind with it; a graph without kinds allows every edge.
     */

    /** Allows edges of every kind. */
    public static final int ALL_KINDS = 0xFF;

    public final int vertexCount;
    public final int edgeCount;
    public final int[] firstEdgeOf;
    public final int[] headOf;

    /** Empty if edges have no kinds. */
    public final byte[] kindsOf;

    /** Empty if edges have no labels. */
    public final int[] labelOf;

    Digraph(int vertexCount, int[] firstEdgeOf, int[] headOf, byte[] kindsOf, int[] labelOf) {
        this.vertexCount = vertexCount;
        this.edgeCount = firstEdgeOf[vertexCount];
        this.firstEdgeOf = firstEdgeOf;
        this.headOf = headOf;
        this.kindsOf = kindsOf;
        this.labelOf = labelOf;
    }

    public boolean allows(int edge, int kinds) {
        return kindsOf.length == 0 || (kindsOf[edge] & kinds) != 0;
    }

    /** Returns the vertex at which an edge begins, by binary search: too slow for loops that run once for each edge. */
    public int tailOf(int edge) {
        int found = Arrays.binarySearch(firstEdgeOf, 0, vertexCount + 1, edge);
        if (found < 0) {
            return -found - 2;
        }
        while (firstEdgeOf[found + 1] == edge) { // vertices without edges share their first edge with the next one
            found++;
        }
        return found;
    }

    /** Returns the vertices in topological order; null if the graph has a cycle. */
    public int @Nullable [] topologicalOrder() {
        int[] openEdgesInto = new int[vertexCount];
        for (int head : headOf) {
            openEdgesInto[head]++;
        }
        int[] order = new int[vertexCount];
        int count = 0;
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            if (openEdgesInto[vertex] == 0) {
                order[count++] = vertex;
            }
        }
        for (int next = 0; next < count; next++) {
            for (int edge = firstEdgeOf[order[next]]; edge < firstEdgeOf[order[next] + 1]; edge++) {
                if (--openEdgesInto[headOf[edge]] == 0) {
                    order[count++] = headOf[edge];
                }
            }
        }
        return count == vertexCount ? order : null;
    }

    /**
     * Returns the graph of some vertices and of the edges of some kinds between them. Its vertex {@code i} is
     * {@code vertices[i]}.
     *
     * @param scratch an entry for each vertex, of any content
     */
    public Digraph subgraph(int[] vertices, int kinds, int[] scratch) {
        int maxEdges = 0;
        for (int i = 0; i < vertices.length; i++) {
            scratch[vertices[i]] = i;
            maxEdges += firstEdgeOf[vertices[i] + 1] - firstEdgeOf[vertices[i]];
        }
        DigraphBuilder builder = DigraphBuilder.withKinds(vertices.length).ensureCapacity(maxEdges);
        for (int tail = 0; tail < vertices.length; tail++) {
            for (int edge = firstEdgeOf[vertices[tail]]; edge < firstEdgeOf[vertices[tail] + 1]; edge++) {
                int head = scratch[headOf[edge]];
                boolean isInside = head >= 0 && head < vertices.length && vertices[head] == headOf[edge];
                if (isInside && allows(edge, kinds)) {
                    builder.add(tail, head, kindsOf[edge]);
                }
            }
        }
        return builder.build();
    }

    /**
     * Returns a graph in which no two edges of some kinds follow each other. A vertex becomes two, the second of which
     * has the number {@code vertexCount + vertex} and is entered by edges of those kinds. Labels are the edges of this
     * graph.
     *
     * @param kinds of the edges to keep
     * @param apart kinds that must not follow each other
     * @param neutral kinds that count as the edge before them
     */
    public Digraph keptApart(int kinds, int apart, int neutral) {
        DigraphBuilder halves = DigraphBuilder.withKindsAndLabels(Math.multiplyExact(2, vertexCount))
                .ensureCapacity(Math.multiplyExact(2, edgeCount));
        for (int half = 0; half < 2 * vertexCount; half++) {
            int vertex = half % vertexCount;
            int entered = half - vertex;
            for (int edge = firstEdgeOf[vertex]; edge < firstEdgeOf[vertex + 1]; edge++) {
                int entering = allows(edge, apart) ? vertexCount : allows(edge, neutral) ? entered : 0;
                if (allows(edge, kinds) && !(allows(edge, apart) && entered > 0)) {
                    halves.add(half, entering + headOf[edge], kindsOf[edge], edge);
                }
            }
        }
        return halves.build();
    }
}
