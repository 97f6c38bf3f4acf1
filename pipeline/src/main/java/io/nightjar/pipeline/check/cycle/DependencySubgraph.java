package io.nightjar.pipeline.check.cycle;

import io.nightjar.pipeline.infer.DependencyGraph;
import java.util.Arrays;

/** The part of a dependency graph still being searched: some of its nodes, and the edges between them. */
final class DependencySubgraph {

    /*
     * edge  firstEdgeOf[node] .. firstEdgeOf[node + 1]; nodeOf[node] is the node in the dependency graph, ascending
     */

    final int nodeCount;
    final int[] nodeOf;
    final int[] firstEdgeOf;
    final int[] targetOf;
    final byte[] kindOf;

    /** Nodes from here on are helpers. */
    final int firstHelper;

    private DependencySubgraph(int[] nodeOf, int[] firstEdgeOf, int[] targetOf, byte[] kindOf, int txnCount) {
        this.nodeCount = nodeOf.length;
        this.nodeOf = nodeOf;
        this.firstEdgeOf = firstEdgeOf;
        this.targetOf = targetOf;
        this.kindOf = kindOf;
        int helper = Arrays.binarySearch(nodeOf, txnCount);
        firstHelper = helper >= 0 ? helper : ~helper;
    }

    boolean isHelper(int node) {
        return node >= firstHelper;
    }

    int edgeCount() {
        return firstEdgeOf[nodeCount];
    }

    boolean hasKind(int kinds) {
        for (int edge = 0; edge < edgeCount(); edge++) {
            if ((kindOf[edge] & kinds) != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the rest after repeated removal of all nodes without predecessors: the nodes of cycles, and their
     * successors.
     */
    static DependencySubgraph behindCycles(DependencyGraph graph) {
        int[] openOf = new int[graph.nodeCount];
        for (int edge = 0; edge < graph.edgeCount; edge++) {
            openOf[graph.targetOf[edge]]++;
        }
        int[] queue = new int[graph.nodeCount];
        int size = 0;
        int[] first = graph.firstEdgeOf;
        int[] targetOf = graph.targetOf;
        for (int root = 0; root < graph.nodeCount; root++) {
            if (openOf[root] != 0) {
                continue;
            }
            // One root after another, so that the walk stays close to the order of the rows.
            openOf[root] = -1;
            queue[size++] = root;
            for (int head = size - 1; head < size; head++) {
                int node = queue[head];
                for (int edge = first[node]; edge < first[node + 1]; edge++) {
                    if (--openOf[targetOf[edge]] == 0) {
                        openOf[targetOf[edge]] = -1;
                        queue[size++] = targetOf[edge];
                    }
                }
            }
        }
        int[] kept = new int[graph.nodeCount - size];
        int count = 0;
        for (int node = 0; node < graph.nodeCount && count < kept.length; node++) {
            if (openOf[node] > 0) {
                kept[count++] = node;
            }
        }
        return of(graph.firstEdgeOf, graph.targetOf, graph.kindOf, kept, kept, graph.txnCount, ~0, openOf);
    }

    /** A view with only some kinds of edges, or some nodes. */
    DependencySubgraph part(int[] nodes, int kinds, int[] scratch) {
        int[] names = new int[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            names[i] = nodeOf[nodes[i]];
        }
        int txnCount = firstHelper < nodeCount ? nodeOf[firstHelper] : Integer.MAX_VALUE;
        return of(firstEdgeOf, targetOf, kindOf, nodes, names, txnCount, kinds | DependencyGraph.VIA, scratch);
    }

    private static DependencySubgraph of(
            int[] firstEdgeOf,
            int[] targetOf,
            byte[] kindOf,
            int[] nodes,
            int[] names,
            int txnCount,
            int kinds,
            int[] localOf) {
        for (int local = 0; local < nodes.length; local++) {
            localOf[nodes[local]] = local;
        }
        int[] first = new int[nodes.length + 1];
        for (int pass = 0; ; pass++) {
            int[] targets = new int[first[nodes.length]]; // none in the first pass, which counts
            byte[] kindsOf = new byte[first[nodes.length]];
            int count = 0;
            for (int local = 0; local < nodes.length; local++) {
                first[local] = count;
                int node = nodes[local];
                for (int edge = firstEdgeOf[node]; edge < firstEdgeOf[node + 1]; edge++) {
                    int target = localOf[targetOf[edge]];
                    boolean isInside = target >= 0 && target < nodes.length && nodes[target] == targetOf[edge];
                    if (isInside && (kindOf[edge] & kinds) != 0) {
                        if (pass == 1) {
                            targets[count] = target;
                            kindsOf[count] = kindOf[edge];
                        }
                        count++;
                    }
                }
            }
            first[nodes.length] = count;
            if (pass == 1) {
                return new DependencySubgraph(names, first, targets, kindsOf, txnCount);
            }
        }
    }
}
