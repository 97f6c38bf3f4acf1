package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/** Causal consistency: nobody reads an older version of a key than one in its causal past. By vector clocks. */
final class CausalRule {

    /*
     * Figure 2 of [1]: t3 reads x from t1; t2 writes x too and is in the past of t3 by sessions and reads: t2 comes
     * before t1. For each chain only the last such t2 matters, since the earlier ones come before that. If it is in the
     * past of t1 as well nothing new is forced.
     *
     * Key by key: the writers of a key lie in groups, one for each chain; its readers are taken chain by chain, in the
     * order of the chain. Their clocks only grow, so a cursor in each group walks forward:
     *
     *   lastOf[group]   position in its chain of the last writer inside the clock, or NOBODY
     *   nextOf[group]   position of the one after it, or NO_MORE
     *
     * Cost: for each key its reads times the chains that write it, plus transactions times chains for the clocks.
     *
     * [1] docs/papers.md#biswas-enea
     */

    private static final int NOBODY = -1;
    private static final int NO_MORE = Integer.MAX_VALUE;
    private static final int BUDGET_MASK = 0x3FF;

    private final ClientHistory history;
    private final Chains chains;
    private final CausalClocks clocks;
    private final LevelEdges edges;

    /** Writers and readers of each key, chain by chain. */
    private final WritersByKey writersByKey;

    private int[] firstReaderOf;
    private int[] readers;
    private int[] writersRead;

    private final int[] noClock;
    private int[] chainOfGroup = new int[16];
    private int[] firstOfGroup = new int[16];
    private int[] cursorOf = new int[16];
    private int[] lastOf = new int[16];
    private int[] nextOf = new int[16];
    private int[] positions = new int[16];
    private int groupCount;

    CausalRule(ClientHistory history, Chains chains, CausalClocks clocks, LevelEdges edges) {
        this.history = history;
        this.chains = chains;
        this.clocks = clocks;
        this.edges = edges;
        this.noClock = new int[chains.chainCount];
        this.writersByKey = WritersByKey.of(history, chains.txns);
        groupReadersByKey();
    }

    /** Returns false if the budget is spent, or too much is forced. */
    boolean derive(Budget budget) {
        int steps = 0;
        for (int key = 0; key < history.keyCount; key++) {
            if (firstReaderOf[key] == firstReaderOf[key + 1]) {
                continue;
            }
            groupWriters(key);
            int ownChain = NOBODY;
            for (int i = firstReaderOf[key]; i < firstReaderOf[key + 1] && groupCount > 0; i++) {
                int reader = readers[i];
                if (chains.chainOf[reader] != ownChain) {
                    ownChain = chains.chainOf[reader];
                    rewind();
                }
                boolean isRepeated = i > firstReaderOf[key] && readers[i - 1] == reader;
                if (!isRepeated || writersRead[i - 1] != writersRead[i]) {
                    judge(key, reader, writersRead[i]);
                }
                if ((++steps & BUDGET_MASK) == 0 && budget.isSpent()) {
                    return false;
                }
            }
            if (!edges.keepFew(chains, history.txnCount)) {
                return false;
            }
        }
        return true;
    }

    private void judge(int key, int reader, int writer) {
        int[] row = clocks.page(reader);
        int offset = clocks.offset(reader);
        boolean isInitial = writer == ClientHistory.INITIAL;
        int[] writerRow = isInitial ? noClock : clocks.page(writer);
        int writerOffset = isInitial ? 0 : clocks.offset(writer);
        int ownChain = chains.chainOf[reader];
        int ownPosition = chains.positionOf[reader];
        for (int group = 0; group < groupCount; group++) {
            int chain = chainOfGroup[group];
            int pastCount = chain == ownChain ? ownPosition : row[offset + chain];
            if (nextOf[group] < pastCount) {
                advance(group, pastCount);
            }
            if (lastOf[group] >= writerRow[writerOffset + chain]) {
                int seen = chains.txns[chains.firstOf[chain] + lastOf[group]];
                if (isInitial) {
                    edges.addStaleRead(seen, reader, key);
                } else {
                    edges.add(seen, writer);
                }
            }
        }
    }

    private void advance(int group, int pastCount) {
        int cursor = cursorOf[group];
        int end = firstOfGroup[group + 1];
        while (cursor < end && positions[cursor] < pastCount) {
            cursor++;
        }
        cursorOf[group] = cursor;
        lastOf[group] = positions[cursor - 1];
        nextOf[group] = cursor < end ? positions[cursor] : NO_MORE;
    }

    private void rewind() {
        Arrays.fill(lastOf, 0, groupCount, NOBODY);
        for (int group = 0; group < groupCount; group++) {
            cursorOf[group] = firstOfGroup[group];
            nextOf[group] = positions[firstOfGroup[group]];
        }
    }

    private void groupWriters(int key) {
        int first = writersByKey.firstWriterOf[key];
        int count = writersByKey.firstWriterOf[key + 1] - first;
        if (count > positions.length) {
            positions = new int[Math.max(count, 2 * positions.length)];
        }
        groupCount = 0;
        int chain = NOBODY;
        for (int i = 0; i < count; i++) {
            int writer = writersByKey.writers[first + i];
            positions[i] = chains.positionOf[writer];
            if (chains.chainOf[writer] != chain) {
                chain = chains.chainOf[writer];
                makeRoomForGroup();
                chainOfGroup[groupCount] = chain;
                firstOfGroup[groupCount++] = i;
            }
        }
        firstOfGroup[groupCount] = count;
    }

    private void makeRoomForGroup() {
        if (groupCount + 1 == chainOfGroup.length) {
            int capacity = 2 * chainOfGroup.length;
            chainOfGroup = Arrays.copyOf(chainOfGroup, capacity);
            firstOfGroup = Arrays.copyOf(firstOfGroup, capacity);
            cursorOf = new int[capacity];
            lastOf = new int[capacity];
            nextOf = new int[capacity];
        }
    }

    private void groupReadersByKey() {
        int[] first = new int[history.keyCount + 2];
        for (int read = 0; read < history.readCount; read++) {
            if (history.keyOfRead[read] != ClientHistory.NO_KEY) {
                first[history.keyOfRead[read] + 2]++;
            }
        }
        for (int key = 0; key < history.keyCount; key++) {
            first[key + 2] += first[key + 1];
        }
        readers = new int[first[history.keyCount + 1]];
        writersRead = new int[readers.length];
        for (int txn : chains.txns) { // first[key + 1] is where the key's next reader goes
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.keyOfRead[read] != ClientHistory.NO_KEY) {
                    int to = first[history.keyOfRead[read] + 1]++;
                    readers[to] = txn;
                    writersRead[to] = history.writerOf[read];
                }
            }
        }
        firstReaderOf = first;
    }
}
