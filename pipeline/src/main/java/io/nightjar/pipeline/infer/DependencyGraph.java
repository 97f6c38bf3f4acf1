package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Dependencies between transactions: edges of several kinds, as arrays. */
public final class DependencyGraph {

    /*
     *   node  0 .. txnCount            a transaction of the log; without edges if it does not count
     *         txnCount .. nodeCount    a helper, which represents many edges at once
     *
     *   edge  firstEdgeOf[node] .. firstEdgeOf[node + 1], ordered by nothing in particular; one for each reason, so that
     *         two nodes may be joined by several
     *
     * A helper is entered by edges of one kind from transactions, and left by edges of kind VIA that cost nothing: the
     * path  T -RW-> helper -VIA-> helper -VIA-> U  represents one edge  T -RW-> U. No cycle consists of helpers only.
     */

    /** The target overwrote the version written by the source. */
    public static final byte WW = 1;

    /** The target read the version written by the source. */
    public static final byte WR = 2;

    /** The target overwrote the version read by the source. */
    public static final byte RW = 4;

    /** One comes after the other in their session. */
    public static final byte SO = 8;

    /** One began after the other had ended. */
    public static final byte RT = 16;

    /** An edge from a helper. */
    public static final byte VIA = 32;

    public final int txnCount;
    public final int nodeCount;
    public final int edgeCount;
    public final int[] firstEdgeOf;
    public final int[] targetOf;
    public final byte[] kindOf;

    private DependencyGraph(Builder from) {
        txnCount = from.txnCount;
        nodeCount = from.nodeCount;
        edgeCount = from.edgeCount;
        firstEdgeOf = new int[nodeCount + 1];
        targetOf = new int[edgeCount];
        kindOf = new byte[edgeCount];
        for (int edge = 0; edge < edgeCount; edge++) {
            firstEdgeOf[from.sourceOf[edge] + 1]++;
        }
        CountingSort.addUp(firstEdgeOf);
        for (int edge = edgeCount - 1; edge >= 0; edge--) { // backwards, so that the ends become the begins
            int at = --firstEdgeOf[from.sourceOf[edge] + 1];
            targetOf[at] = from.targetOf[edge];
            kindOf[at] = from.kindOf[edge];
        }
        System.arraycopy(firstEdgeOf, 1, firstEdgeOf, 0, nodeCount);
        firstEdgeOf[nodeCount] = edgeCount;
    }

    /** Returns the nodes in an order that respects every edge; null if the graph has a cycle. */
    public int @Nullable [] topologicalOrder() {
        int[] openEdgesInto = new int[nodeCount];
        for (int target : targetOf) {
            openEdgesInto[target]++;
        }
        int[] order = new int[nodeCount];
        int end = 0;
        for (int node = 0; node < nodeCount; node++) {
            if (openEdgesInto[node] == 0) {
                order[end++] = node;
            }
        }
        for (int index = 0; index < end; index++) {
            for (int edge = firstEdgeOf[order[index]]; edge < firstEdgeOf[order[index] + 1]; edge++) {
                if (--openEdgesInto[targetOf[edge]] == 0) {
                    order[end++] = targetOf[edge];
                }
            }
        }
        return end == nodeCount ? order : null;
    }

    /** Collects edges in any order. */
    public static final class Builder {

        private final int txnCount;
        private int nodeCount;
        private int edgeCount;
        private int[] sourceOf;
        private int[] targetOf;
        private byte[] kindOf;

        public Builder(int txnCount, int expectedEdges) {
            this.txnCount = txnCount;
            nodeCount = txnCount;
            sourceOf = new int[Math.max(16, expectedEdges)];
            targetOf = new int[sourceOf.length];
            kindOf = new byte[sourceOf.length];
        }

        public int addHelper() {
            return nodeCount++;
        }

        /** Adds the edges of a builder without helpers. */
        void addAll(Builder others) {
            int count = Math.addExact(edgeCount, others.edgeCount);
            if (count > sourceOf.length) {
                grow(count);
            }
            System.arraycopy(others.sourceOf, 0, sourceOf, edgeCount, others.edgeCount);
            System.arraycopy(others.targetOf, 0, targetOf, edgeCount, others.edgeCount);
            System.arraycopy(others.kindOf, 0, kindOf, edgeCount, others.edgeCount);
            edgeCount = count;
        }

        private void grow(int capacity) {
            sourceOf = Arrays.copyOf(sourceOf, capacity);
            targetOf = Arrays.copyOf(targetOf, capacity);
            kindOf = Arrays.copyOf(kindOf, capacity);
        }

        public void add(int source, int target, byte kind) {
            if (edgeCount == sourceOf.length) {
                grow(Math.addExact(edgeCount, edgeCount >> 1));
            }
            sourceOf[edgeCount] = source;
            targetOf[edgeCount] = target;
            kindOf[edgeCount++] = kind;
        }

        public DependencyGraph build() {
            return new DependencyGraph(this);
        }
    }
}
