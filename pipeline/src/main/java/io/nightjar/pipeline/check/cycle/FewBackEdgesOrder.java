package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;

import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import java.util.BitSet;

/** An order of the nodes of a component that only few edges go against. */
final class FewBackEdgesOrder {

    /*
     * Nodes are placed as soon as all their predecessors are. If only cycles remain, the next node is the earliest in
     * the believed order, preferably a node that only rw edges still enter. In a history of a few anomalies the
     * backward edges are then those by which a transaction missed a version: nearly every backward edge is a separate
     * anomaly. If only rw edges go backwards, the order is a topological order of all other edges.
     */

    private static final int UNPLACED = -1;

    /** By node: its place. */
    final int[] rankOf;

    /** Whether only rw edges go backwards. */
    final boolean isOnlyMissed;

    private final DependencySubgraph graph;
    private final int[] firmOf; // by node: unplaced nodes with other edges than rw into it
    private final int[] missedOf; // by node: unplaced nodes with rw edges into it
    private final int[] nodeAt; // by believed position
    private final int[] positionOf;
    private final int[] ready;
    private int readyCount;
    private final BitSet stuck = new BitSet(); // believed positions of nodes that only rw edges still enter
    private int firstStuck;
    private int firstUnplaced;
    private int placed;

    /** @param believedOf a number by transaction, the believed order of their effects */
    FewBackEdgesOrder(DependencySubgraph graph, long[] believedOf) {
        this.graph = graph;
        rankOf = new int[graph.nodeCount];
        Arrays.fill(rankOf, UNPLACED);
        firmOf = new int[graph.nodeCount];
        missedOf = new int[graph.nodeCount];
        nodeAt = new int[graph.nodeCount];
        positionOf = new int[graph.nodeCount];
        ready = new int[graph.nodeCount];
        believe(believedOf);
        for (int edge = 0; edge < graph.edgeCount(); edge++) {
            (graph.kindOf[edge] == RW ? missedOf : firmOf)[graph.targetOf[edge]]++;
        }
        for (int node = 0; node < graph.nodeCount; node++) {
            if (firmOf[node] == 0) {
                release(node);
            }
        }
        boolean isAlwaysMissed = true;
        while (placed < graph.nodeCount) {
            while (readyCount > 0) {
                place(ready[--readyCount]);
            }
            if (placed < graph.nodeCount) {
                isAlwaysMissed &= placeLikeliest();
            }
        }
        isOnlyMissed = isAlwaysMissed;
    }

    boolean isBackward(int source, int target) {
        return rankOf[target] < rankOf[source];
    }

    /** Assigns each helper the position of its first successor in the believed order. */
    private void believe(long[] believedOf) {
        long[] numbers = new long[graph.nodeCount];
        for (int node = 0; node < graph.nodeCount; node++) {
            nodeAt[node] = node;
            numbers[node] = graph.isHelper(node) ? Long.MAX_VALUE : believedOf[graph.nodeOf[node]];
        }
        for (int helper = graph.firstHelper; helper < graph.nodeCount; helper++) {
            for (int edge = graph.firstEdgeOf[helper]; edge < graph.firstEdgeOf[helper + 1]; edge++) {
                if (!graph.isHelper(graph.targetOf[edge])) {
                    numbers[helper] = Math.min(numbers[helper], numbers[graph.targetOf[edge]]);
                }
            }
        }
        RadixSort.sort(numbers, nodeAt, graph.nodeCount);
        for (int position = 0; position < graph.nodeCount; position++) {
            positionOf[nodeAt[position]] = position;
        }
    }

    private void release(int node) {
        if (missedOf[node] == 0) {
            stuck.clear(positionOf[node]);
            ready[readyCount++] = node;
        } else {
            stuck.set(positionOf[node]);
            firstStuck = Math.min(firstStuck, positionOf[node]);
        }
    }

    private void place(int node) {
        if (rankOf[node] != UNPLACED) {
            return;
        }
        rankOf[node] = placed++;
        for (int edge = graph.firstEdgeOf[node]; edge < graph.firstEdgeOf[node + 1]; edge++) {
            int target = graph.targetOf[edge];
            (graph.kindOf[edge] == RW ? missedOf : firmOf)[target]--;
            if (rankOf[target] == UNPLACED && firmOf[target] == 0) {
                release(target);
            }
        }
    }

    /** Breaks a cycle; returns whether rw edges alone go backwards by that. */
    private boolean placeLikeliest() {
        firstStuck = stuck.nextSetBit(firstStuck);
        if (firstStuck >= 0) {
            stuck.clear(firstStuck);
            place(nodeAt[firstStuck]);
            return true;
        }
        firstStuck = 0;
        while (rankOf[nodeAt[firstUnplaced]] != UNPLACED) {
            firstUnplaced++;
        }
        place(nodeAt[firstUnplaced]);
        return false;
    }
}
