package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;

/** Causal consistency where clocks would have too many columns: a few thousand writers at a time, a bit for each. */
final class CausalSweep {

    /*
     * The same rule as CausalRule. Writers that somebody follows are taken in blocks, in causal order. For each block one
     * sweep over the transactions from its first writer on:
     *
     *   bits[position * words ..]   which writers of the block are in the past of the transaction at a position of the
     *                               causal order, or are itself
     *
     * which is the union over its direct predecessors. Then for each of its reads: the writers of the key in the block
     * that are in its past and not in that of the writer it read from are forced before that one. Nothing depends on the
     * number of sessions; cost is transactions times writers times direct predecessors, 64 writers at a time.
     */

    private static final int BUDGET_MASK = 0x3FF;
    private static final int MOST_WORDS = 64;

    /** So many writers of a key in one block are looked at one by one. */
    private static final int FEW_WRITERS = 48;

    private static final int PAGE_BITS = 20;

    private final ClientHistory history;
    private final int[] causalOrder;
    private final ForcedEdges edges;
    private final int[] positionOf;
    private final boolean[] isFollowed;

    private final int words;
    private final int txnBits;
    private final long[][] pages;
    private final long[] nothing;

    /** The block: its writers in causal order, and for each key which columns write it. */
    private int[] blockTxns;

    private int blockSize;
    private final int[] columnsOfKeyIn; // by key: the block, plus one, for which the next two hold
    private final int[] firstColumnOf;
    private final int[] columnCountOf;
    private final IntColumn columns = new IntColumn();

    /** By key with many writers in the block: where their columns stand as bits in {@link #masks}. */
    private final int[] firstMaskWordOf;

    private long[] masks = new long[0];
    private int block;

    CausalSweep(ClientHistory history, int[] causalOrder, ForcedEdges edges, long maxBytes) {
        this.history = history;
        this.causalOrder = causalOrder;
        this.edges = edges;
        this.positionOf = new int[history.txnCount];
        for (int position = 0; position < causalOrder.length; position++) {
            positionOf[causalOrder[position]] = position;
        }
        this.isFollowed = new boolean[history.txnCount];
        for (int read = 0; read < history.readCount; read++) {
            if (history.writerOf[read] != ClientHistory.INITIAL) {
                isFollowed[history.writerOf[read]] = true;
            }
        }
        for (int txn = 1; txn < history.txnCount; txn++) {
            isFollowed[txn - 1] |= history.sessionOf[txn - 1] == history.sessionOf[txn];
        }
        this.words = (int) Math.max(1, Math.min(MOST_WORDS, maxBytes / 8 / Math.max(1, history.txnCount)));
        this.txnBits = PAGE_BITS - 7;
        this.pages = new long[(history.txnCount >> txnBits) + 1][];
        this.nothing = new long[words];
        this.firstMaskWordOf = new int[history.keyCount];
        this.blockTxns = new int[words * Long.SIZE];
        this.columnsOfKeyIn = new int[history.keyCount];
        this.firstColumnOf = new int[history.keyCount];
        this.columnCountOf = new int[history.keyCount];
    }

    /** Returns false if the budget is spent. */
    boolean derive(Budget budget) {
        int position = 0;
        while (position < causalOrder.length) {
            int firstPosition = position;
            blockSize = 0;
            while (position < causalOrder.length && blockSize < blockTxns.length) {
                int txn = causalOrder[position];
                if (isFollowed[txn] && history.firstWriteOf[txn] < history.firstWriteOf[txn + 1]) {
                    if (blockSize == 0) {
                        firstPosition = position;
                    }
                    blockTxns[blockSize++] = txn;
                }
                position++;
            }
            if (blockSize > 0) {
                block++;
                indexBlock();
                if (!sweep(firstPosition, budget)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void indexBlock() {
        IntColumn keys = new IntColumn();
        int count = 0;
        for (int column = 0; column < blockSize; column++) {
            int txn = blockTxns[column];
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int key = history.keyOfWrite[write];
                if (columnsOfKeyIn[key] != block) {
                    columnsOfKeyIn[key] = block;
                    columnCountOf[key] = 0;
                    keys.add(key);
                }
                columnCountOf[key]++;
                count++;
            }
        }
        while (columns.size() < count) {
            columns.add(0);
        }
        int first = 0;
        for (int i = 0; i < keys.size(); i++) {
            firstColumnOf[keys.get(i)] = first;
            first += columnCountOf[keys.get(i)];
            columnCountOf[keys.get(i)] = 0;
        }
        for (int column = 0; column < blockSize; column++) {
            int txn = blockTxns[column];
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int key = history.keyOfWrite[write];
                columns.set(firstColumnOf[key] + columnCountOf[key]++, column);
            }
        }
        indexMasks(keys);
    }

    private void indexMasks(IntColumn keys) {
        int count = 0;
        for (int i = 0; i < keys.size(); i++) {
            if (columnCountOf[keys.get(i)] > FEW_WRITERS) {
                firstMaskWordOf[keys.get(i)] = count;
                count += words;
            }
        }
        masks = new long[count];
        for (int i = 0; i < keys.size(); i++) {
            int key = keys.get(i);
            for (int column = 0; columnCountOf[key] > FEW_WRITERS && column < columnCountOf[key]; column++) {
                int bit = columns.get(firstColumnOf[key] + column);
                masks[firstMaskWordOf[key] + (bit >> 6)] |= 1L << bit;
            }
        }
    }

    private boolean sweep(int firstPosition, Budget budget) {
        int nextColumn = 0;
        for (int position = firstPosition; position < causalOrder.length; position++) {
            if ((position & BUDGET_MASK) == 0 && budget.isSpent()) {
                return false;
            }
            int txn = causalOrder[position];
            int page = position >> txnBits;
            if (pages[page] == null) {
                pages[page] = new long[words << txnBits];
            }
            long[] row = pages[page];
            int offset = offset(position);
            Arrays.fill(row, offset, offset + words, 0);
            if (txn > 0 && history.sessionOf[txn - 1] == history.sessionOf[txn]) {
                join(positionOf[txn - 1], firstPosition, row, offset);
            }
            int last = ClientHistory.INITIAL;
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int writer = history.writerOf[read];
                if (writer != ClientHistory.INITIAL && writer != last) {
                    join(positionOf[writer], firstPosition, row, offset);
                    last = writer;
                }
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int key = history.keyOfRead[read];
                if (key != ClientHistory.NO_KEY && columnsOfKeyIn[key] == block) {
                    judge(txn, key, history.writerOf[read], firstPosition, row, offset);
                }
            }
            if (nextColumn < blockSize && blockTxns[nextColumn] == txn) {
                row[offset + (nextColumn >> 6)] |= 1L << nextColumn;
                nextColumn++;
            }
        }
        return true;
    }

    private void join(int position, int firstPosition, long[] into, int offset) {
        if (position < firstPosition) {
            return;
        }
        long[] from = pages[position >> txnBits];
        int fromOffset = offset(position);
        for (int word = 0; word < words; word++) {
            into[offset + word] |= from[fromOffset + word];
        }
    }

    private void judge(int reader, int key, int writer, int firstPosition, long[] row, int offset) {
        boolean hasRow = writer != ClientHistory.INITIAL && positionOf[writer] >= firstPosition;
        long[] writerRow = hasRow ? pages[positionOf[writer] >> txnBits] : nothing;
        int writerOffset = hasRow ? offset(positionOf[writer]) : 0;
        int first = firstColumnOf[key];
        int end = first + columnCountOf[key];
        if (end - first <= FEW_WRITERS) {
            for (int i = first; i < end; i++) {
                int column = columns.get(i);
                long past = row[offset + (column >> 6)] & ~writerRow[writerOffset + (column >> 6)];
                if ((past >>> column & 1) != 0) {
                    force(column, writer, reader, key);
                }
            }
            return;
        }
        int firstMaskWord = firstMaskWordOf[key];
        for (int word = 0; word < words; word++) {
            long past = row[offset + word] & ~writerRow[writerOffset + word] & masks[firstMaskWord + word];
            while (past != 0) {
                force(word << 6 | Long.numberOfTrailingZeros(past), writer, reader, key);
                past &= past - 1;
            }
        }
    }

    private void force(int column, int writer, int reader, int key) {
        int seen = blockTxns[column];
        if (writer == ClientHistory.INITIAL) {
            edges.addStaleRead(seen, reader, key);
        } else if (seen != writer) {
            edges.add(seen, writer);
        }
    }

    private int offset(int position) {
        return (position & (1 << txnBits) - 1) * words;
    }
}
