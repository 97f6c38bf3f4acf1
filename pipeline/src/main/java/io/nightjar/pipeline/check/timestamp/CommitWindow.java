package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.LongUnaryOperator;

/** Buffer of committed transactions that restores the commit order of nearly ordered rows. */
final class CommitWindow {

    /*
     * Layout. A transaction is an int, the number of a buffered chunk and the index in it:
     *
     *   31 30                19 18                 0
     *   0  |      chunk        |        txn        |
     *
     * Algorithm. The distance of rows from their sorted position is measured as they are sorted, and the window is made
     * twice as long.
     *
     * Invariant. At one timestamp writers precede read-only transactions, each by id: the serial order. Transactions of
     * one timestamp leave the window together. A transaction that arrives after others of its timestamp have left is
     * late, at any position among them: the replay of a tie requires all of its transactions.
     */

    static final int MAX_TXNS_OF_CHUNK = 1 << 19;

    private static final int TXN_BITS = 19;
    private static final int TXN_MASK = MAX_TXNS_OF_CHUNK - 1;
    private static final int MAX_CHUNKS = 1 << 12;
    private static final int MAX_SPENT = 32;
    private static final int BYTES_TO_SORT = 12;
    static final int FIRST_LENGTH = 1 << 14;

    private final Taker taker;
    private final long maxBytes;
    private int length;

    private long[] commits = new long[1 << 10];
    private int[] txns = new int[1 << 10];
    private int count;
    private boolean isSorted = true;

    private LaneChunk[] chunks = new LaneChunk[64];
    private long[] firstRowOf = new long[64];
    private int[] leftOf = new int[64];
    private int chunkCount; // slots in use or free
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final Queue<LaneChunk> spent = new ArrayBlockingQueue<>(MAX_SPENT);
    private long heldBytes;
    private long maxHeldBytes; // released chunks are reused
    private long rowCount;

    private boolean hasLast; // of the transactions that left
    private long lastCommit;

    /** Receiver of the transactions that leave the window. */
    interface Taker {

        /** Announces that several transactions of one timestamp follow, among them more than one writer or reader. */
        void tie(LaneChunk chunk, int txn);

        /** Takes the next transaction in the order of commits. */
        void take(LaneChunk chunk, int txn);

        /** Receives a transaction after others that it should have preceded or accompanied. */
        void takeLate(LaneChunk chunk, int txn);
    }

    /**
     * @param maxBytes memory limit of the chunks in bytes
     * @param length initial number of buffered transactions
     */
    CommitWindow(Taker taker, long maxBytes, int length) {
        this.length = length;
        this.taker = taker;
        this.maxBytes = maxBytes;
    }

    /** Returns whether a chunk can be held. */
    boolean fits(LaneChunk chunk) {
        return chunk.txnCount <= MAX_TXNS_OF_CHUNK
                && heldBytes + byteSize(chunk) <= 2 * maxBytes
                && (chunkCount < MAX_CHUNKS || !freeSlots.isEmpty());
    }

    long byteSize() {
        return maxHeldBytes + 2L * BYTES_TO_SORT * commits.length; // once more while it is sorted
    }

    /** Holds a chunk: its committed transactions, all of which have timestamps. */
    void add(LaneChunk chunk) {
        int slot = newSlot();
        chunks[slot] = chunk;
        firstRowOf[slot] = rowCount;
        leftOf[slot] = 0;
        heldBytes += byteSize(chunk);
        maxHeldBytes = Math.max(maxHeldBytes, heldBytes);
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            if (!LaneChunk.isCommitted(chunk.flags[txn])) {
                continue;
            }
            if (isAfterLast(chunk, txn)) {
                taker.takeLate(chunk, txn);
                length = (int) Math.min(2L * length, MAX_TXNS_OF_CHUNK);
                continue;
            }
            add(chunk.commitTs[txn], slot << TXN_BITS | txn);
            leftOf[slot]++;
        }
        rowCount += chunk.txnCount;
        if (leftOf[slot] == 0) {
            release(slot);
        }
        if (count >= 2 * length || heldBytes > maxBytes) {
            sort();
            emit(heldBytes > maxBytes ? count / 2 : count - length);
        }
    }

    /** Returns a chunk for reuse, or null if none is free; for any thread. */
    LaneChunk pollSpent() {
        return spent.poll();
    }

    /** Ends the input. */
    void finish() {
        sort();
        emit(count);
    }

    private void add(long commit, int txn) {
        if (count == commits.length) {
            commits = Arrays.copyOf(commits, 2 * count);
            txns = Arrays.copyOf(txns, 2 * count);
        }
        isSorted &= count == 0 || commit > commits[count - 1];
        commits[count] = commit;
        txns[count] = txn;
        count++;
    }

    private boolean isAfterLast(LaneChunk chunk, int txn) {
        return hasLast && chunk.commitTs[txn] <= lastCommit;
    }

    // ---------------------------------------------------------------- order

    private void sort() {
        if (isSorted) {
            return;
        }
        RadixSort.sort(commits, txns, count);
        for (int first = 0; first < count; ) {
            int end = endOfTie(first);
            if (end - first > 1) {
                IntArrays.quickSort(txns, first, end, this::compare);
            }
            first = end;
        }
        measure();
        isSorted = true;
    }

    private int endOfTie(int first) {
        int end = first + 1;
        while (end < count && commits[end] == commits[first]) {
            end++;
        }
        return end;
    }

    private int compare(int txn, int other) {
        LaneChunk chunk = chunk(txn);
        LaneChunk otherChunk = chunk(other);
        boolean isReadOnly = isReadOnly(chunk, txn & TXN_MASK);
        return isReadOnly == isReadOnly(otherChunk, other & TXN_MASK)
                ? Long.compare(chunk.txnId[txn & TXN_MASK], otherChunk.txnId[other & TXN_MASK])
                : isReadOnly ? 1 : -1;
    }

    private static boolean isReadOnly(LaneChunk chunk, int txn) {
        return (chunk.flags[txn] & LaneChunk.WROTE) == 0;
    }

    /** Makes the window twice as long as the maximum distance between rows in the wrong order. */
    private void measure() {
        long firstRow = Long.MAX_VALUE; // of transactions that commit later
        long maxTxns = 0;
        for (int i = count - 1; i >= 0; i--) {
            long row = firstRowOf[txns[i] >>> TXN_BITS] + (txns[i] & TXN_MASK);
            maxTxns = Math.max(maxTxns, row - firstRow);
            firstRow = Math.min(firstRow, row);
        }
        length = (int) Math.max(length, Math.min(2 * maxTxns, MAX_TXNS_OF_CHUNK));
    }

    // ---------------------------------------------------------------- leaving

    private void emit(int wanted) {
        int end = 0;
        while (end < wanted) {
            int first = end;
            end = endOfTie(first);
            for (int i = first; end - first > 1 && i < end; i++) {
                taker.tie(chunk(txns[i]), txns[i] & TXN_MASK);
            }
            for (int i = first; i < end; i++) {
                taker.take(chunk(txns[i]), txns[i] & TXN_MASK);
            }
        }
        if (end == 0) {
            return;
        }
        hasLast = true;
        lastCommit = commits[end - 1];
        for (int i = 0; i < end; i++) {
            int slot = txns[i] >>> TXN_BITS;
            if (--leftOf[slot] == 0) {
                release(slot);
            }
        }
        count -= end;
        System.arraycopy(commits, end, commits, 0, count);
        System.arraycopy(txns, end, txns, 0, count);
    }

    private LaneChunk chunk(int txn) {
        return chunks[txn >>> TXN_BITS];
    }

    private int newSlot() {
        if (!freeSlots.isEmpty()) {
            return freeSlots.pop();
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
            firstRowOf = Arrays.copyOf(firstRowOf, 2 * chunkCount);
            leftOf = Arrays.copyOf(leftOf, 2 * chunkCount);
        }
        return chunkCount++;
    }

    private void release(int slot) {
        heldBytes -= byteSize(chunks[slot]);
        spent.offer(chunks[slot]); // unclaimed chunks are garbage
        chunks[slot] = null;
        freeSlots.push(slot);
    }

    private static long byteSize(LaneChunk chunk) {
        return 29L * chunk.txnId.length + 17L * chunk.kind.length;
    }

    /** Renumbers every value that waits, for {@link RecentVersions#renumberValues}. */
    void renumberValues(LongUnaryOperator renumber) {
        for (int i = 0; i < count; i++) {
            LaneChunk chunk = chunk(txns[i]);
            int txn = txns[i] & TXN_MASK;
            for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
                if (LaneOp.holdsValue(chunk.kind[op])) {
                    chunk.value[op] = renumber.applyAsLong(chunk.value[op]);
                }
            }
        }
    }

    static boolean isPlaced(LaneChunk chunk, int txn) {
        return chunk.startTs[txn] != HistorySlice.NONE && chunk.commitTs[txn] != HistorySlice.NONE;
    }
}
