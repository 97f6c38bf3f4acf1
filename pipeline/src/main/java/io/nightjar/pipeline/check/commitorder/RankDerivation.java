package io.nightjar.pipeline.check.commitorder;

import java.util.Arrays;

/** Derives the edges of one key from its writers in the order of their ranks. */
final class RankDerivation {

    /*
     * Definitions. The rules of OrderSaturation, for positions:
     *
     *   position 0 .. count, the key's writers by the rank of their commits
     *   r read from w      w' -> w for w' with  low[w] <= rank[w'] < rank[r]  that comes before r, not before w
     *                      r -> t  for the first writers t that w comes before; who comes after them all is implied
     *   SI, a writer t     w' -> t for w' with  low[snapshot of t] <= rank[w'] < high[t]  whose snapshot comes before t;
     *                      from high[t] on t comes before w', and the rule adds that edge when it reaches w'
     *
     * Algorithm. Instead of the last writer in each chain, only writers that the ranks do not order with the node are
     * checked. Of several in one chain the nearest is enough. If ranks exclude too few writers, the derivation stops.
     *
     * Cost. Usually very few writers per node, however many the chains.
     */

    private static final int NONE = -1;

    /** Steps for each operation and chain after which the cursors of OrderSaturation are cheaper. */
    private static final int PATIENCE = 2;

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final OrderSaturation saturation;
    private final RankWindows windows;

    private long[] sorted = new long[64];
    private int[] nodeAt = new int[64];
    private int[] rankAt = new int[64];
    private int[] positionOf = new int[64]; // by version, from the key's first
    private int count;

    private final int[] eraOf; // by chain
    private int era;
    private int[] successor = new int[16];

    RankDerivation(OrderGraph graph, OrderSaturation saturation) {
        this.graph = graph;
        this.history = graph.history;
        this.saturation = saturation;
        this.windows = new RankWindows(graph);
        this.eraOf = new int[history.chainCount];
    }

    /** Takes changed rows into account. */
    void refresh() {
        windows.compute();
    }

    /**
     * Derives the forced edges of a key.
     *
     * @return false if it stopped early; edges derived so far remain
     */
    boolean derive(int key) {
        sortWriters(key);
        int firstTouch = history.firstTouchOf[key];
        int endOfTouches = history.firstTouchOf[key + 1];
        long patience = (long) PATIENCE * (endOfTouches - firstTouch) * Math.min(count, history.chainCount);
        for (int touch = firstTouch; touch < endOfTouches && patience >= 0; touch++) {
            int version = history.versionOfTouch[touch];
            int slot = history.slotOfTouch[touch];
            boolean isChanged = saturation.isChanged(touch);
            if (version < 0) {
                patience -= deriveOverwrites(key, ~version);
            } else if (isChanged) {
                patience -= deriveOverwritten(key, slot, version);
            }
            if (version < 0 && isChanged && graph.forbidsOverlap) {
                patience -= deriveNoOverlap(key, slot);
            }
            if (saturation.hasEnoughCycles()) {
                return true;
            }
        }
        return patience >= 0;
    }

    private void sortWriters(int key) {
        int first = history.firstVersionOf[key];
        count = history.firstVersionOf[key + 1] - first;
        if (count > nodeAt.length) {
            int capacity = count + (count >> 1);
            sorted = new long[capacity];
            nodeAt = new int[capacity];
            rankAt = new int[capacity];
            positionOf = new int[capacity];
        }
        for (int i = 0; i < count; i++) {
            sorted[i] = (long) windows.rank[graph.commitOf(history.writerOfVersion[first + i])] << 32 | i;
        }
        Arrays.sort(sorted, 0, count);
        for (int position = 0; position < count; position++) {
            int index = (int) sorted[position];
            nodeAt[position] = graph.commitOf(history.writerOfVersion[first + index]);
            rankAt[position] = (int) (sorted[position] >>> 32);
            positionOf[index] = position;
        }
    }

    /** Returns the first position whose rank is at least {@code rank}. */
    private int positionOfRank(int rank) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (rankAt[middle] < rank) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int deriveOverwritten(int key, int reader, int version) {
        int snapshot = graph.snapshotOf(reader);
        int writer = graph.commitOf(history.writerOfVersion[version]);
        int low = windows.low[writer];
        int end = positionOfRank(windows.rank[snapshot]);
        int position = end - 1;
        era++;
        for (; position >= 0 && rankAt[position] >= low; position--) {
            int other = nodeAt[position];
            if (other != writer && graph.comesBefore(other, snapshot) && !graph.comesBefore(other, writer)) {
                addNearest(other, other, writer, ForcedEdges.OVERWRITTEN, key, reader);
            }
        }
        return end - position;
    }

    private int deriveOverwrites(int key, int version) {
        int firstReader = history.firstReaderOf[version];
        int endOfReaders = history.firstReaderOf[version + 1];
        if (firstReader == endOfReaders) {
            return 0;
        }
        int writer = graph.commitOf(history.writerOfVersion[version]);
        int successors = 0;
        int bound = Integer.MAX_VALUE;
        int start = positionOf[version - history.firstVersionOf[key]] + 1;
        int position = start;
        for (; position < count && rankAt[position] < bound; position++) {
            int later = nodeAt[position];
            if (graph.comesBefore(writer, later)) {
                bound = Math.min(bound, windows.high[later]);
                if (successors == successor.length) {
                    successor = Arrays.copyOf(successor, 2 * successors);
                }
                successor[successors++] = later;
            }
        }
        for (int i = firstReader; i < endOfReaders; i++) {
            int reader = history.reader[i];
            int snapshot = graph.snapshotOf(reader);
            era++;
            for (int j = 0; j < successors; j++) {
                int later = successor[j];
                if (graph.slotOf(later) != reader && !graph.comesBefore(snapshot, later)) {
                    addNearest(later, snapshot, later, ForcedEdges.OVERWRITES, key, history.writerOfVersion[version]);
                }
            }
        }
        return position - start + successors * (endOfReaders - firstReader);
    }

    private int deriveNoOverlap(int key, int slot) {
        int commit = graph.commitOf(slot);
        int snapshot = graph.snapshotOf(slot);
        int chain = history.chainOf[slot];
        int low = windows.low[snapshot];
        int end = positionOfRank(windows.high[commit]);
        int position = end - 1;
        era++;
        for (; position >= 0 && rankAt[position] >= low; position--) {
            int other = nodeAt[position];
            if (graph.chainOf(other) != chain
                    && graph.comesBefore(other - 1, commit)
                    && !graph.comesBefore(other, snapshot)) {
                addNearest(other, other, snapshot, ForcedEdges.NO_OVERLAP, key, NONE);
            }
        }
        return end - position;
    }

    /** Adds an edge unless one for a nearer node of the same chain was added. */
    private void addNearest(int end, int from, int to, byte rule, int key, int because) {
        int chain = graph.chainOf(end);
        if (eraOf[chain] != era) {
            eraOf[chain] = era;
            saturation.add(from, to, rule, key, because);
        }
    }
}
