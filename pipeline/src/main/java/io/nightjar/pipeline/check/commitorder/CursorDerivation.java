package io.nightjar.pipeline.check.commitorder;

/** Derives the edges of one key with a cursor for each chain that writes it. */
final class CursorDerivation {

    /*
     * Algorithm. In a chain's operations on a key rows only grow, so each cursor only advances: to the last writer in
     * its chain that precedes the operation. A run is a range of consecutive versions of the key written by a single
     * chain.
     */

    private static final int NONE = OrderSaturation.NONE;

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final OrderSaturation saturation;

    private final int[] runChain;
    private final int[] runFirst;
    private final int[] cursor;
    private final int[] nextPosition;
    private final int[] lastPosition;
    private final int[] lastForWrites;

    CursorDerivation(OrderGraph graph, OrderSaturation saturation) {
        this.graph = graph;
        this.history = graph.history;
        this.saturation = saturation;
        int chains = history.chainCount;
        this.runChain = new int[chains];
        this.runFirst = new int[chains + 1];
        this.cursor = new int[chains];
        this.nextPosition = new int[chains];
        this.lastPosition = new int[chains];
        this.lastForWrites = new int[chains];
    }

    void derive(int key) {
        int runs = NONE;
        int chain = NONE;
        for (int touch = history.firstTouchOf[key]; touch < history.firstTouchOf[key + 1]; touch++) {
            int slot = history.slotOfTouch[touch];
            int version = history.versionOfTouch[touch];
            if (!saturation.isChanged(touch)) {
                continue;
            }
            if (runs == NONE) {
                runs = findRuns(key);
            }
            if (history.chainOf[slot] != chain) {
                chain = history.chainOf[slot];
                rewind(runs);
            }
            if (version >= 0) {
                deriveFromRead(key, slot, version, runs);
            } else {
                deriveFromWrite(key, slot, runs);
            }
            if (saturation.hasEnoughCycles()) {
                return;
            }
        }
    }

    /** Finds the runs of a key: ranges of versions written by a single chain. */
    private int findRuns(int key) {
        int runs = 0;
        int chain = NONE;
        for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
            int ofVersion = history.chainOf[history.writerOfVersion[version]];
            if (ofVersion != chain) {
                chain = ofVersion;
                runChain[runs] = chain;
                runFirst[runs++] = version;
            }
        }
        runFirst[runs] = history.firstVersionOf[key + 1];
        return runs;
    }

    private void rewind(int runs) {
        for (int run = 0; run < runs; run++) {
            cursor[run] = runFirst[run];
            nextPosition[run] = history.positionOf(history.writerOfVersion[runFirst[run]]);
            lastPosition[run] = NONE;
            lastForWrites[run] = NONE;
        }
    }

    /** Advances a cursor past all writers at positions below {@code committed}. */
    private void advance(int run, int committed) {
        int first = history.firstOf[runChain[run]];
        int end = runFirst[run + 1];
        int version = cursor[run];
        while (version < end && history.writerOfVersion[version] - first < committed) {
            version++;
        }
        cursor[run] = version;
        lastPosition[run] = history.writerOfVersion[version - 1] - first;
        nextPosition[run] = version == end ? Integer.MAX_VALUE : history.writerOfVersion[version] - first;
    }

    private void deriveFromRead(int key, int slot, int version, int runs) {
        int shift = graph.shift;
        int node = graph.snapshotOf(slot);
        int[] row = graph.clocks.blockOf(node);
        int base = graph.clocks.baseOf(node);
        int writer = graph.commitOf(history.writerOfVersion[version]);
        int[] writerRow = graph.clocks.blockOf(writer);
        int writerBase = graph.clocks.baseOf(writer);
        for (int run = 0; run < runs; run++) {
            int chain = runChain[run];
            int committed = row[base + chain] >> shift;
            if (committed > nextPosition[run]) {
                advance(run, committed);
            }
            if (lastPosition[run] >= writerRow[writerBase + chain] >> shift && cursor[run] - 1 != version) {
                int other = graph.commitOf(history.writerOfVersion[cursor[run] - 1]);
                saturation.add(other, writer, ForcedEdges.OVERWRITTEN, key, slot);
            }
        }
    }

    private void deriveFromWrite(int key, int slot, int runs) {
        int shift = graph.shift;
        int chainOfWriter = history.chainOf[slot];
        int node = graph.commitOf(slot);
        int[] row = graph.clocks.blockOf(node);
        int base = graph.clocks.baseOf(node);
        int snapshot = graph.snapshotOf(slot);
        int[] snapshotRow = graph.clocks.blockOf(snapshot);
        int snapshotBase = graph.clocks.baseOf(snapshot);
        for (int run = 0; run < runs; run++) {
            int chain = runChain[run];
            int count = row[base + chain];
            int committed = count >> shift;
            if (committed > nextPosition[run]) {
                advance(run, committed);
            }
            if (graph.forbidsOverlap && chain != chainOfWriter) {
                boolean isNextUnderWay = count + 1 >> 1 > nextPosition[run];
                int position = isNextUnderWay ? nextPosition[run] : lastPosition[run];
                if (position >= snapshotRow[snapshotBase + chain] >> 1) {
                    int other = history.writerOfVersion[isNextUnderWay ? cursor[run] : cursor[run] - 1];
                    saturation.add(graph.commitOf(other), snapshot, ForcedEdges.NO_OVERLAP, key, ForcedEdges.NONE);
                }
            }
            if (lastPosition[run] > lastForWrites[run]) {
                lastForWrites[run] = lastPosition[run];
                int version = cursor[run] - 1;
                int writer = history.writerOfVersion[version];
                for (int i = history.firstReaderOf[version]; i < history.firstReaderOf[version + 1]; i++) {
                    saturation.addOverwrites(history.reader[i], slot, key, writer);
                }
            }
        }
    }
}
