package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;

import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import java.util.BitSet;

/** An order of the nodes of a component that only few edges go against. */
final class FewBackEdgesOrder {

    /*
     * Algorithm. Nodes are placed as soon as all their predecessors are. If only cycles remain, the next node is the
     * earliest in the believed order, preferably a node that only rw edges still enter. In a history of a few anomalies
     * the backward edges are then those by which a transaction missed a version: nearly every backward edge is a
     * separate anomaly. If only rw edges go backwards, the order is a topological order of all other edges.
     */

    private static final int UNPLACED = -1;

    /** By node: its position. */
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
        rankOf = new int[graph.nodeOf.length];
        Arrays.fill(rankOf, UNPLACED);
        firmOf = new int[graph.nodeOf.length];
        missedOf = new int[graph.nodeOf.length];
        nodeAt = new int[graph.nodeOf.length];
        positionOf = new int[graph.nodeOf.length];
        ready = new int[graph.nodeOf.length];
        believe(believedOf);
        for (int edge = 0; edge < graph.edges.edgeCount; edge++) {
            (graph.edges.kindsOf[edge] == RW ? missedOf : firmOf)[graph.edges.headOf[edge]]++;
        }
        for (int node = 0; node < graph.nodeOf.length; node++) {
            if (firmOf[node] == 0) {
                release(node);
            }
        }
        boolean isAlwaysMissed = true;
        while (placed < graph.nodeOf.length) {
            while (readyCount > 0) {
                place(ready[--readyCount]);
            }
            if (placed < graph.nodeOf.length) {
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
        long[] numbers = new long[graph.nodeOf.length];
        for (int node = 0; node < graph.nodeOf.length; node++) {
            nodeAt[node] = node;
            numbers[node] = graph.isHelper(node) ? Long.MAX_VALUE : believedOf[graph.nodeOf[node]];
        }
        for (int helper = graph.firstHelper; helper < graph.nodeOf.length; helper++) {
            for (int edge = graph.edges.firstEdgeOf[helper]; edge < graph.edges.firstEdgeOf[helper + 1]; edge++) {
                if (!graph.isHelper(graph.edges.headOf[edge])) {
                    numbers[helper] = Math.min(numbers[helper], numbers[graph.edges.headOf[edge]]);
                }
            }
        }
        RadixSort.sort(numbers, nodeAt, graph.nodeOf.length);
        for (int position = 0; position < graph.nodeOf.length; position++) {
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
        for (int edge = graph.edges.firstEdgeOf[node]; edge < graph.edges.firstEdgeOf[node + 1]; edge++) {
            int target = graph.edges.headOf[edge];
            (graph.edges.kindsOf[edge] == RW ? missedOf : firmOf)[target]--;
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
