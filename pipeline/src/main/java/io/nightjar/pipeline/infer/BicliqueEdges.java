package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.graph.DigraphBuilder;

/** Adds an edge from each transaction of one set to each of another, with few edges for many pairs. */
final class BicliqueEdges {

    /*
     * Algorithm. If sources and targets are many, and not one target, a helper node connects them. A source that is a target too must not
     * reach itself, so it has separate edges.
     *
     * Sources of rw edges that are targets too read one version and replaced it: each two of them form a cycle. If they
     * are very many, edges to the first of them represent the cycles.
     */

    private static final int FEW_EDGES = 64;
    private static final int MAX_OVERWRITERS = 64;
    private static final int NO_HELPER = -1;

    private final DigraphBuilder graph;
    private final int[] markOf; // by transaction: the last call that it was a target of
    private int calls;

    BicliqueEdges(DigraphBuilder graph, int txnCount) {
        this.graph = graph;
        markOf = new int[txnCount];
    }

    /** Joins {@code sources[firstSource .. endSource]} to the given number of first targets; entries may be repeated. */
    void join(int[] sources, int firstSource, int endSource, int[] targets, int targetCount, byte kind) {
        calls++;
        for (int i = 0; i < targetCount; i++) {
            markOf[targets[i]] = calls;
        }
        int helper = NO_HELPER;
        int overwriters = 0;
        boolean isMany = targetCount > 1 && (long) (endSource - firstSource) * targetCount > FEW_EDGES;
        for (int i = firstSource; i < endSource; i++) {
            int source = sources[i];
            boolean isTarget = markOf[source] == calls;
            if (isMany && !isTarget) {
                helper = helper == NO_HELPER ? addHelper(targets, targetCount) : helper;
                graph.add(source, helper, kind);
                continue;
            }
            boolean isOneOfMany = isTarget && kind == DependencyGraph.RW && ++overwriters > MAX_OVERWRITERS;
            int end = isOneOfMany ? Math.min(MAX_OVERWRITERS, targetCount) : targetCount;
            for (int next = 0; next < end; next++) {
                if (targets[next] != source) {
                    graph.add(source, targets[next], kind);
                }
            }
        }
    }

    private int addHelper(int[] targets, int targetCount) {
        int helper = graph.addVertex();
        for (int i = 0; i < targetCount; i++) {
            graph.add(helper, targets[i], DependencyGraph.VIA);
        }
        return helper;
    }
}
