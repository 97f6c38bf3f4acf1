package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.RadixSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Register operations of transactions that arrived together and are not sealed; they leave in commit order. */
final class OperationBatch {

    /*
     * Layout.
     *
     *   idOf[txn], startOf[txn], commitOf[txn], arrivedOf[txn], firstOpOf[txn]   transactions in the order of arrival
     *   keyOf[op], valueOf[op], accessOf[op]                                     their operations
     *   commits[i], order[i]       transactions, sorted by commit before they leave; order[next] leaves next
     *
     * An access is the rest of an operation, by bits; a level is a number, marks and flips belong to reads. Flips are in
     * another array, which exists from the first flip on:
     *
     *   bits 30 .. 19   flips of level 1        bit 3         whether it is placed
     *   bits 18 .. 7    flips of level 0        bits 2 .. 1   kind
     *   bits 5 .. 4     wrong, by level         bit 0         whether its transaction wrote nothing
     *   bit 6           of a list; its value is an index of lists
     */

    static final int READ_ONLY = 1;
    static final int KIND = 6;
    static final int READ = 0;
    static final int READ_NOTHING = 2;
    static final int WRITE = 4;
    static final int READ_LOOSE = 6; // of a list: more elements may follow
    static final int PLACED = 8;
    private static final int WRONG = 16;
    static final int LIST = 64;
    private static final int FLIPS_SHIFT = 7;
    private static final int FLIPS_BITS = 12;
    private static final int MAX_FLIPS = (1 << FLIPS_BITS) - 1;

    private static final int MAX_TXNS = 1 << 12;
    private static final int FIRST_SIZE = 64;
    private static final long[] NO_ELEMENTS = {};
    private static final long BYTES_OF_LIST = 40;
    private static final long BYTES_OF_TXN = 5 * Long.BYTES + 2 * Integer.BYTES;
    private static final long BYTES_OF_OP = Long.BYTES + Integer.BYTES + 1;

    private int txnCount;
    private long[] idOf;
    private long[] startOf;
    private long[] commitOf;
    private long[] arrivedOf;
    private int[] firstOpOf;
    private long[] commits = new long[0];
    private int[] order = new int[0];
    private int opCount;
    private int[] keyOf;
    private long[] valueOf;
    private byte[] accessOf;
    private int @Nullable [] flipsOf; // null before the first flip
    private final List<long[]> lists = new ArrayList<>(); // elements
    private long elementCount;
    private long firstCommit = Long.MAX_VALUE;
    private long firstStart = Long.MAX_VALUE;
    private int next;

    OperationBatch() {
        this(FIRST_SIZE, FIRST_SIZE);
    }

    /** Creates an empty batch with the size of another batch. */
    OperationBatch(OperationBatch before) {
        this(before.txnCount, before.opCount + before.opCount / 64);
    }

    private OperationBatch(int txns, int ops) {
        idOf = new long[txns];
        startOf = new long[txns];
        commitOf = new long[txns];
        arrivedOf = new long[txns];
        firstOpOf = new int[txns + 1];
        int opCapacity = Math.max(FIRST_SIZE, ops);
        keyOf = new int[opCapacity];
        valueOf = new long[opCapacity];
        accessOf = new byte[opCapacity];
    }

    // ---------------------------------------------------------------- filling

    /** Adds an operation of the transaction that {@link #endTxn} ends. */
    void op(int key, long value, int access) {
        if (opCount == keyOf.length) {
            int capacity = Math.multiplyExact(opCount, 2);
            keyOf = Arrays.copyOf(keyOf, capacity);
            valueOf = Arrays.copyOf(valueOf, capacity);
            accessOf = Arrays.copyOf(accessOf, capacity);
            flipsOf = flipsOf == null ? null : Arrays.copyOf(flipsOf, capacity);
        }
        keyOf[opCount] = key;
        valueOf[opCount] = value;
        accessOf[opCount++] = (byte) access;
        if (access >>> FLIPS_SHIFT != 0) {
            setFlips(opCount - 1, access >>> FLIPS_SHIFT);
        }
    }

    private void setFlips(int op, int flips) {
        if (flipsOf == null) {
            flipsOf = new int[keyOf.length];
        }
        flipsOf[op] = flips;
    }

    /** Adds an operation of a list. */
    void listOp(int key, long[] elements, int access) {
        op(key, lists.size(), access | LIST);
        lists.add(elements);
        elementCount += elements.length;
    }

    void endTxn(long id, long start, long commit, long arrived) {
        if (txnCount == idOf.length) {
            int capacity = txnCount * 2;
            idOf = Arrays.copyOf(idOf, capacity);
            startOf = Arrays.copyOf(startOf, capacity);
            commitOf = Arrays.copyOf(commitOf, capacity);
            arrivedOf = Arrays.copyOf(arrivedOf, capacity);
            firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
        }
        idOf[txnCount] = id;
        startOf[txnCount] = start;
        commitOf[txnCount] = commit;
        arrivedOf[txnCount++] = arrived;
        firstOpOf[txnCount] = opCount;
        firstCommit = Math.min(firstCommit, commit);
        firstStart = Math.min(firstStart, start);
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
        flipsOf = null;
        lists.clear();
        elementCount = 0;
        firstCommit = Long.MAX_VALUE;
        firstStart = Long.MAX_VALUE;
        next = 0;
    }

    // ---------------------------------------------------------------- leaving

    /** Sorts by commit; nothing is added afterwards. */
    void sort() {
        if (order.length < txnCount) {
            commits = new long[idOf.length];
            order = new int[idOf.length];
        }
        System.arraycopy(commitOf, 0, commits, 0, txnCount);
        for (int txn = 0; txn < txnCount; txn++) {
            order[txn] = txn;
        }
        RadixSort.sort(commits, order, txnCount);
    }

    /** Returns the largest commit of a sorted batch. */
    long lastCommit() {
        return commits[txnCount - 1];
    }

    /** Returns the smallest start of transactions that have not left a sorted batch. */
    long firstStart() {
        if (next == 0) {
            return firstStart;
        }
        long first = Long.MAX_VALUE;
        for (int i = next; i < txnCount; i++) {
            first = Math.min(first, startOf[order[i]]);
        }
        return first;
    }

    /** Returns whether a transaction that committed up to a time has not left. */
    boolean hasNext(long upTo) {
        return next < txnCount && commits[next] <= upTo;
    }

    /** Removes and returns the next transaction in commit order. */
    int poll() {
        return order[next++];
    }

    boolean isDone() {
        return next == txnCount;
    }

    /** Consumer of transactions. */
    @FunctionalInterface
    interface TxnTaker {
        void take(OperationBatch batch, int txn);
    }

    /** Passes on the transactions that have not left a sorted batch. */
    void forEachLeft(TxnTaker to) {
        for (int i = next; i < txnCount; i++) {
            to.take(this, order[i]);
        }
    }

    // ---------------------------------------------------------------- columns

    int txnCount() {
        return txnCount;
    }

    long id(int txn) {
        return idOf[txn];
    }

    long start(int txn) {
        return startOf[txn];
    }

    long commit(int txn) {
        return commitOf[txn];
    }

    long arrived(int txn) {
        return arrivedOf[txn];
    }

    OnlineTxn participant(int txn) {
        return new OnlineTxn(idOf[txn], startOf[txn], commitOf[txn]);
    }

    int firstOpOf(int txn) {
        return firstOpOf[txn];
    }

    /** Returns the keys of all operations. */
    int[] keys() {
        return keyOf;
    }

    int key(int op) {
        return keyOf[op];
    }

    long value(int op) {
        return valueOf[op];
    }

    boolean isOfList(int op) {
        return (accessOf[op] & LIST) != 0;
    }

    /** Returns the elements of a list's operation; none of another operation. */
    long[] elements(int op) {
        return isOfList(op) ? lists.get((int) valueOf[op]) : NO_ELEMENTS;
    }

    int access(int op) {
        return accessOf[op] | (flipsOf == null ? 0 : flipsOf[op] << FLIPS_SHIFT);
    }

    int kind(int op) {
        return accessOf[op] & KIND;
    }

    boolean isReadOnly(int op) {
        return (accessOf[op] & READ_ONLY) != 0;
    }

    boolean isPlaced(int op) {
        return (accessOf[op] & PLACED) != 0;
    }

    void setPlaced(int op) {
        accessOf[op] |= PLACED;
    }

    /** Returns whether a read is wrong at a level according to the rows so far. */
    boolean isWrong(int op, int level) {
        return (accessOf[op] & WRONG << level) != 0;
    }

    void setWrong(int op, int level, boolean isWrong) {
        accessOf[op] = (byte) (isWrong ? accessOf[op] | WRONG << level : accessOf[op] & ~(WRONG << level));
    }

    int flips(int op, int level) {
        return flipsOf == null ? 0 : flipsOf[op] >>> FLIPS_BITS * level & MAX_FLIPS;
    }

    /** Counts one more flip, up to the maximum. */
    void addFlip(int op, int level) {
        if (flips(op, level) < MAX_FLIPS) {
            setFlips(op, (flipsOf == null ? 0 : flipsOf[op]) + (1 << FLIPS_BITS * level));
        }
    }

    long byteSize() {
        long bytesOfLists = BYTES_OF_LIST * lists.size() + Long.BYTES * elementCount;
        return txnCount == 0 ? 0 : BYTES_OF_TXN * idOf.length + BYTES_OF_OP * keyOf.length + bytesOfLists;
    }
}
