package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import org.jspecify.annotations.Nullable;

/** Causal consistency where clocks would have too many columns: a few thousand writers at a time, a bit for each. */
final class CausalSweep {

    /*
     * Definitions. The rule is that of CausalRule. A block is a set of writers, adjacent in causal order.
     *
     * Layout.
     *
     *   bits[position * words ..]   writers of the block that are in the past of the transaction at a position of the causal
     *                               order, or are itself
     *   fullOf[position]            words that are full: all of their writers have the bit set
     *
     * Algorithm. Writers with a small future are processed individually. The others are processed in blocks, in causal
     * order. For each block, one sweep over the transactions from its first writer on computes the bits of a
     * transaction as the union over its direct predecessors. Then for each of its reads, the writers of the key in the
     * block that are in its past, and not in that of the writer it read from, are forced before the latter.
     *
     * Cost. Soon after the last writer of a block nearly all transactions have the whole block in their past. Full
     * words are never processed again, and a transaction that follows such a transaction, and reads only from such, is
     * skipped at once; so the work is limited to a short range, and does not depend on the number of sessions. At
     * worst, transactions times writers times direct predecessors, 64 writers at a time.
     */

    private static final int BUDGET_MASK = 0x3FF;
    private static final int MAX_WORDS = Long.SIZE;
    private static final int PAGE_BITS = 13;
    private static final long ALL = -1L;
    private static final int NONE = -1;

    private final ClientHistory history;
    private final int[] causalOrder;
    private final LevelEdges edges;
    private final int[] positionOf;
    private final SparseCausalRule smallFutures;

    /** By position: of the last of the direct predecessors. */
    private final int[] newestBefore;

    /** By position: of the first of the writers that it read a key from; {@link #NONE} if one is the initial state. */
    private final int[] oldestRead;

    private final boolean[] isFollowed;
    private final boolean[] hasLargeFuture;

    private final int words;
    private final long[][] pages;
    private final long[] fullOf;
    private final WriterBlock block;
    private final Chains sessions;

    /** The words that hold less than 64 writers are filled up, and empty ones are full. */
    private long @Nullable [] unused;

    private int firstPosition;

    CausalSweep(ClientHistory history, WriteSets writeSets, int[] causalOrder, LevelEdges edges, long maxBytes) {
        this.history = history;
        this.causalOrder = causalOrder;
        this.edges = edges;
        this.positionOf = new int[history.txnCount];
        for (int position = 0; position < causalOrder.length; position++) {
            positionOf[causalOrder[position]] = position;
        }
        this.newestBefore = new int[history.txnCount];
        this.oldestRead = new int[history.txnCount];
        this.isFollowed = new boolean[history.txnCount];
        recordPredecessors();
        this.smallFutures = new SparseCausalRule(history, writeSets, edges);
        this.hasLargeFuture = new boolean[history.txnCount];
        this.words = (int) Math.max(1, Math.min(MAX_WORDS, maxBytes / 8 / Math.max(1, history.txnCount)));
        this.pages = new long[(history.txnCount >> PAGE_BITS) + 1][];
        this.fullOf = new long[history.txnCount];
        this.sessions = Chains.ofSessions(history);
        this.block = new WriterBlock(history, words);
    }

    /** Returns false if the budget is spent, or too much is forced. */
    boolean derive(Budget budget) {
        if (!smallFutures.derive(hasLargeFuture, budget)) {
            return false;
        }
        int position = 0;
        while (position < causalOrder.length) {
            block.clear();
            while (position < causalOrder.length && !block.isFull()) {
                int txn = causalOrder[position];
                if (hasLargeFuture[txn]) {
                    if (block.size() == 0) {
                        firstPosition = position;
                    }
                    block.add(txn);
                }
                position++;
            }
            if (block.size() > 0) {
                block.index();
                unused = block.unusedBits();
                if (!sweep(budget)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void recordPredecessors() {
        for (int position = 0; position < causalOrder.length; position++) {
            int txn = causalOrder[position];
            int newest = NONE;
            int oldest = Integer.MAX_VALUE;
            if (isAfterAnother(txn)) {
                newest = positionOf[txn - 1];
                isFollowed[txn - 1] = true;
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int writer = history.writerOf[read];
                int at = writer == ClientHistory.INITIAL ? NONE : positionOf[writer];
                newest = Math.max(newest, at);
                if (history.keyOfRead[read] != ClientHistory.NO_KEY) {
                    oldest = Math.min(oldest, at);
                }
                if (writer != ClientHistory.INITIAL) {
                    isFollowed[writer] = true;
                }
            }
            newestBefore[position] = newest;
            oldestRead[position] = oldest;
        }
    }

    private boolean sweep(Budget budget) {
        int nextColumn = 0;
        int lastOpen = firstPosition; // all following transactions have the whole block in their past
        for (int position = firstPosition; position < causalOrder.length; position++) {
            if ((position & BUDGET_MASK) == 0 && (budget.isSpent() || !edges.keepFew(sessions, history.txnCount))) {
                return false;
            }
            if (newestBefore[position] > lastOpen && oldestRead[position] > lastOpen) {
                fullOf[position] = ALL;
                continue;
            }
            int txn = causalOrder[position];
            long full = newestBefore[position] > lastOpen ? ALL : fullBefore(txn);
            if (full != ALL) {
                fillRow(txn, position, full);
                full = fullNow(position, full);
            }
            fullOf[position] = full;
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int writer = history.writerOf[read];
                boolean knowsAll = writer != ClientHistory.INITIAL
                        && positionOf[writer] >= firstPosition
                        && fullOf[positionOf[writer]] == ALL;
                if (!knowsAll && history.keyOfRead[read] != ClientHistory.NO_KEY) {
                    check(txn, position, history.keyOfRead[read], writer);
                }
            }
            if (nextColumn < block.size() && block.txn(nextColumn) == txn) {
                pages[position >> PAGE_BITS][offset(position) + (nextColumn >> 6)] |= 1L << nextColumn;
                fullOf[position] = fullNow(position, full);
                nextColumn++;
            }
            if (fullOf[position] != ALL && isFollowed[txn]) {
                lastOpen = position;
            }
        }
        return true;
    }

    /** Returns the words that are full in one of the direct predecessors. */
    private long fullBefore(int txn) {
        long full = 0;
        if (isAfterAnother(txn) && positionOf[txn - 1] >= firstPosition) {
            full = fullOf[positionOf[txn - 1]];
        }
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1] && full != ALL; read++) {
            int writer = history.writerOf[read];
            if (writer != ClientHistory.INITIAL && positionOf[writer] >= firstPosition) {
                full |= fullOf[positionOf[writer]];
            }
        }
        return full;
    }

    private void fillRow(int txn, int position, long full) {
        if (pages[position >> PAGE_BITS] == null) {
            pages[position >> PAGE_BITS] = new long[words << PAGE_BITS];
        }
        long[] row = pages[position >> PAGE_BITS];
        int offset = offset(position);
        System.arraycopy(unused, 0, row, offset, words);
        if (isAfterAnother(txn)) {
            join(positionOf[txn - 1], row, offset, full);
        }
        int last = ClientHistory.INITIAL;
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
            int writer = history.writerOf[read];
            if (writer != ClientHistory.INITIAL && writer != last) {
                join(positionOf[writer], row, offset, full);
                last = writer;
            }
        }
    }

    private void join(int position, long[] into, int offset, long full) {
        if (position < firstPosition) {
            return;
        }
        long[] from = pages[position >> PAGE_BITS];
        int fromOffset = offset(position);
        if (full == 0) {
            for (int word = 0; word < words; word++) {
                into[offset + word] |= from[fromOffset + word];
            }
            return;
        }
        for (long open = ~full; open != 0; open &= open - 1) {
            int word = Long.numberOfTrailingZeros(open);
            into[offset + word] |= from[fromOffset + word];
        }
    }

    private long fullNow(int position, long full) {
        long[] row = pages[position >> PAGE_BITS];
        int offset = offset(position);
        long now = full;
        for (long open = ~full; open != 0; open &= open - 1) {
            int word = Long.numberOfTrailingZeros(open);
            if (word >= words || row[offset + word] == ALL) {
                now |= 1L << word;
            }
        }
        return now;
    }

    private void check(int reader, int position, int key, int writer) {
        int writerPosition = writer == ClientHistory.INITIAL ? NONE : positionOf[writer];
        if (block.hasMask(key)) {
            long open = writerPosition < firstPosition ? ALL : ~fullOf[writerPosition];
            for (; open != 0; open &= open - 1) {
                int word = Long.numberOfTrailingZeros(open);
                if (word < words) {
                    long seen = past(word, position) & ~past(word, writerPosition) & block.maskWord(key, word);
                    for (; seen != 0; seen &= seen - 1) {
                        force(word << 6 | Long.numberOfTrailingZeros(seen), writer, reader, key);
                    }
                }
            }
            return;
        }
        int end = block.endOfColumns(key);
        for (int i = block.firstColumn(key); i < end; i++) {
            int column = block.column(i);
            long seen = past(column >> 6, position) & ~past(column >> 6, writerPosition);
            if ((seen >>> column & 1) != 0) {
                force(column, writer, reader, key);
            }
        }
    }

    private void force(int column, int writer, int reader, int key) {
        if (writer == ClientHistory.INITIAL) {
            edges.addStaleRead(block.txn(column), reader, key);
        } else {
            edges.add(block.txn(column), writer);
        }
    }

    /**
     * Returns, for 64 writers of the block, which are in the past of the transaction at a position; its own bit is set
     * separately.
     */
    private long past(int word, int position) {
        if (position < firstPosition) {
            return 0;
        }
        return (fullOf[position] >>> word & 1) != 0 ? ALL : pages[position >> PAGE_BITS][offset(position) + word];
    }

    private boolean isAfterAnother(int txn) {
        return txn > 0 && history.sessionOf[txn - 1] == history.sessionOf[txn];
    }

    private int offset(int position) {
        return (position & (1 << PAGE_BITS) - 1) * words;
    }
}
