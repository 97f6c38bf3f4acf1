package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.primitive.RadixSort;

/** Ranges of ranks, from clock rows, that contain all nodes not ordered with a node. */
final class RankWindows {

    /*
     * Definitions. The rank of a node is the number of nodes before it, so it grows along every edge.
     *
     *   low[v]   nodes with a smaller rank come before v: the smallest rank of the nodes that do not, computed from the
     *            first of them in each chain
     *   high[v]  nodes with at least this rank come after v: from there on no low is at most the rank of v
     */

    final int[] rank;
    final int[] low;
    final int[] high;

    private final OrderGraph graph;
    private final long[] sortedRank;
    private final int[] sortedNode;

    RankWindows(OrderGraph graph) {
        this.graph = graph;
        this.rank = new int[graph.nodeCount];
        this.low = new int[graph.nodeCount];
        this.high = new int[graph.nodeCount];
        this.sortedRank = new long[graph.nodeCount];
        this.sortedNode = new int[graph.nodeCount];
    }

    void compute() {
        for (int node = 0; node < graph.nodeCount; node++) {
            rank[node] = graph.clocks.rank(node);
            sortedRank[node] = rank[node];
            sortedNode[node] = node;
        }
        RadixSort.sort(sortedRank, sortedNode, graph.nodeCount);
        computeLow();
        computeHigh();
    }

    private void computeLow() {
        int width = graph.clocks.width;
        int[] firstNode = new int[width + 1];
        for (int chain = 0; chain <= width; chain++) {
            firstNode[chain] = graph.history.firstOf[chain] << graph.shift;
        }
        for (int node = 0; node < graph.nodeCount; node++) {
            int[] block = graph.clocks.blockOf(node);
            int base = graph.clocks.baseOf(node);
            int min = Integer.MAX_VALUE;
            for (int chain = 0; chain < width; chain++) {
                int next = firstNode[chain] + block[base + chain];
                if (next < firstNode[chain + 1]) {
                    min = Math.min(min, rank[next]);
                }
            }
            low[node] = min;
        }
    }

    private void computeHigh() {
        int min = Integer.MAX_VALUE;
        int[] minFrom = new int[graph.nodeCount];
        for (int i = graph.nodeCount - 1; i >= 0; i--) {
            min = Math.min(min, low[sortedNode[i]]);
            minFrom[i] = min;
        }
        int end = 0;
        for (int i = 0; i < graph.nodeCount; i++) {
            int node = sortedNode[i];
            while (end < graph.nodeCount && minFrom[end] <= rank[node]) {
                end++;
            }
            high[node] = end == graph.nodeCount ? Integer.MAX_VALUE : rank[sortedNode[end]];
        }
    }
}
