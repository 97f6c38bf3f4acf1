package io.nightjar.pipeline.check.commitorder;

/** Transactions by rank, the smallest first, while ranks grow. */
final class RankHeap {

    /*
     * Layout. Binary heap ordered by the rank of an entry at its last inspection.
     *
     * Invariant. Ranks only grow, so an entry can only be too far in front; it moves back when it reaches the top.
     */

    private final OrderGraph graph;
    private final EdgePropagation ranks;
    private final int[] slots;
    private final int[] knownRank;
    private int size;

    RankHeap(OrderGraph graph, EdgePropagation ranks, int[] members, int count) {
        this.graph = graph;
        this.ranks = ranks;
        this.slots = new int[count];
        this.knownRank = new int[count];
        this.size = count;
        for (int i = 0; i < count; i++) {
            slots[i] = members[i];
            knownRank[i] = ranks.rankOf(graph.commitOf(members[i]));
        }
        for (int i = count / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    /** Removes and returns the slot with the smallest rank, or -1. */
    int poll() {
        while (size > 0) {
            int slot = slots[0];
            int rank = ranks.rankOf(graph.commitOf(slot));
            if (rank == knownRank[0]) {
                size--;
                slots[0] = slots[size];
                knownRank[0] = knownRank[size];
                siftDown(0);
                return slot;
            }
            knownRank[0] = rank;
            siftDown(0);
        }
        return -1;
    }

    private void siftDown(int start) {
        int slot = slots[start];
        int rank = knownRank[start];
        int at = start;
        int child = 2 * at + 1;
        while (child < size) {
            if (child + 1 < size && isSmaller(child + 1, child)) {
                child++;
            }
            if (knownRank[child] > rank || knownRank[child] == rank && slots[child] >= slot) {
                break;
            }
            slots[at] = slots[child];
            knownRank[at] = knownRank[child];
            at = child;
            child = 2 * at + 1;
        }
        slots[at] = slot;
        knownRank[at] = rank;
    }

    private boolean isSmaller(int left, int right) {
        return knownRank[left] < knownRank[right] || knownRank[left] == knownRank[right] && slots[left] < slots[right];
    }
}
