package io.nightjar.pipeline.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A directed graph in compressed rows; parallel edges and loops are allowed. Immutable by convention. */
public final class Digraph {

    /*
     *   vertex   0 .. vertexCount
     *   edge     0 .. edgeCount    grouped by tail: firstEdgeOf[tail] .. firstEdgeOf[tail + 1], and within a tail in
     *                              the order in which they were added
     *
     * kindsOf[edge] is a set of up to eight kinds, one bit each, labelOf[edge] whatever the caller wants to find again.
     * An edge is allowed by a set of kinds if it shares one with it; a graph without kinds allows every edge.
     */

    /** Allows edges of every kind. */
    public static final int ALL_KINDS = 0xFF;

    public final int vertexCount;
    public final int edgeCount;
    public final int[] firstEdgeOf;
    public final int[] headOf;

    /** Null if edges have no kinds. */
    public final byte @Nullable [] kindsOf;

    /** Null if edges have no labels. */
    public final int @Nullable [] labelOf;

    Digraph(int vertexCount, int[] firstEdgeOf, int[] headOf, byte @Nullable [] kindsOf, int @Nullable [] labelOf) {
        this.vertexCount = vertexCount;
        this.edgeCount = firstEdgeOf[vertexCount];
        this.firstEdgeOf = firstEdgeOf;
        this.headOf = headOf;
        this.kindsOf = kindsOf;
        this.labelOf = labelOf;
    }

    public boolean allows(int edge, int kinds) {
        return kindsOf == null || (kindsOf[edge] & kinds) != 0;
    }

    /** The vertex at which an edge begins; searched for, so not for loops that run once for each edge. */
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

    /** Returns the graph with its edges turned round, each labelled with the number of the edge here. */
    public Digraph reversed() {
        int[] first = new int[vertexCount + 1];
        for (int edge = 0; edge < edgeCount; edge++) {
            first[headOf[edge]]++;
        }
        DigraphBuilder.endsFromCounts(first, vertexCount);
        int[] heads = new int[edgeCount];
        byte[] kinds = kindsOf == null ? null : new byte[edgeCount];
        int[] edges = new int[edgeCount];
        for (int tail = vertexCount - 1; tail >= 0; tail--) {
            for (int edge = firstEdgeOf[tail + 1] - 1; edge >= firstEdgeOf[tail]; edge--) {
                int to = --first[headOf[edge]];
                heads[to] = tail;
                edges[to] = edge;
                if (kinds != null && kindsOf != null) {
                    kinds[to] = kindsOf[edge];
                }
            }
        }
        return new Digraph(vertexCount, first, heads, kinds, edges);
    }
}
