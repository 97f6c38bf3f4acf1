package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/** Register operations of transactions that arrived together; they leave in commit order. */
final class OperationBatch {

    /*
     * Layout.
     *
     *   slotOf[txn], firstOpOf[txn]            transactions in the order of arrival
     *   keyOf[op], valueOf[op], accessOf[op]   their operations; an access is packed as in ChunkIngest
     *   commits[i], order[i]                   transactions, sorted by commit before they leave; order[next] leaves next
     */

    static final int NONE = -1;

    private static final int MAX_TXNS = 1 << 12;
    private static final int FIRST_SIZE = 64;
    private static final long BYTES_OF_TXN = Long.BYTES + 3 * Integer.BYTES;
    private static final long BYTES_OF_OP = 2 * Long.BYTES + Integer.BYTES;

    private int txnCount;
    private long[] commits = new long[FIRST_SIZE];
    private int[] order = new int[FIRST_SIZE];
    private int[] slotOf = new int[FIRST_SIZE];
    private int[] firstOpOf = new int[FIRST_SIZE + 1];
    private int opCount;
    private int[] keyOf = new int[FIRST_SIZE];
    private long[] valueOf = new long[FIRST_SIZE];
    private long[] accessOf = new long[FIRST_SIZE];
    private long firstCommit = Long.MAX_VALUE;
    private int next;

    /** Receives operations. */
    @FunctionalInterface
    interface OpReceiver {
        void take(int op, long access);
    }

    // ---------------------------------------------------------------- filling

    /** Adds an operation of the transaction that {@link #endTxn} ends. */
    void op(int key, long value, long access) {
        if (opCount == keyOf.length) {
            int capacity = Math.multiplyExact(opCount, 2);
            keyOf = Arrays.copyOf(keyOf, capacity);
            valueOf = Arrays.copyOf(valueOf, capacity);
            accessOf = Arrays.copyOf(accessOf, capacity);
        }
        keyOf[opCount] = key;
        valueOf[opCount] = value;
        accessOf[opCount++] = access;
    }

    void endTxn(long commit, int slot) {
        if (txnCount == slotOf.length) {
            int capacity = txnCount * 2;
            commits = Arrays.copyOf(commits, capacity);
            order = new int[capacity];
            slotOf = Arrays.copyOf(slotOf, capacity);
            firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
        }
        commits[txnCount] = commit;
        slotOf[txnCount++] = slot;
        firstOpOf[txnCount] = opCount;
        firstCommit = Math.min(firstCommit, commit);
    }

    boolean isEmpty() {
        return txnCount == 0;
    }

    boolean isFull() {
        return txnCount >= MAX_TXNS;
    }

    /** Returns the smallest commit; the largest number if the batch is empty. */
    long firstCommit() {
        return firstCommit;
    }

    void clear() {
        txnCount = 0;
        opCount = 0;
        firstCommit = Long.MAX_VALUE;
        next = 0;
    }

    // ---------------------------------------------------------------- leaving

    /** Sorts by commit; nothing is added afterwards. */
    void sort() {
        boolean isSorted = true;
        for (int txn = 0; txn < txnCount; txn++) {
            order[txn] = txn;
            isSorted &= txn == 0 || commits[txn - 1] <= commits[txn];
        }
        if (!isSorted) {
            RadixSort.sort(commits, order, txnCount);
        }
    }

    /** Passes on the operations of transactions that committed up to a time and have not left. */
    void forEachOp(long upTo, OpReceiver to) {
        for (int i = next; i < txnCount && commits[i] <= upTo; i++) {
            int txn = order[i];
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                to.take(op, accessOf[op]);
            }
        }
    }

    /** Removes and returns the next transaction that committed up to a time; {@link #NONE} if none is left. */
    int poll(long upTo) {
        return isDone() || commits[next] > upTo ? NONE : order[next++];
    }

    boolean isDone() {
        return next == txnCount;
    }

    // ---------------------------------------------------------------- columns

    int firstOpOf(int txn) {
        return firstOpOf[txn];
    }

    int slot(int txn) {
        return slotOf[txn];
    }

    int key(int op) {
        return keyOf[op];
    }

    long value(int op) {
        return valueOf[op];
    }

    long access(int op) {
        return accessOf[op];
    }

    long byteSize() {
        return isEmpty() ? 0 : BYTES_OF_TXN * slotOf.length + BYTES_OF_OP * keyOf.length;
    }
}
