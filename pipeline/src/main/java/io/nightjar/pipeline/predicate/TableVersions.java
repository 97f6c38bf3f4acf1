package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.Comparator;

/** The versions of each row in their order, and which of them a read returned. */
final class TableVersions {

    /*
     * Versions are the writes and deletions of transactions that count, key by key in their order:
     *
     *   slot    firstOf[key] .. firstOf[key + 1]      opOf[slot] is the operation that made it
     *
     * In front of the first stands UNBORN. A deletion makes a version that is no row. What a transaction wrote and replaced
     * itself is a version too, which nobody else may see.
     *
     * Order is by version numbers if all versions of a key have one, else by commit timestamp if all have one; else it is
     * known only of keys that one transaction wrote.
     */

    /** Before the first version of any key. */
    static final int UNBORN = -1;

    /** Nobody can say which version. */
    static final int UNKNOWN = -2;

    /** A version that no transaction that counts has written. */
    static final int NOWHERE = -3;

    private final TableHistory history;
    final boolean[] counts; // by transaction: committed, or unknown and read from
    final boolean areTimestampsComplete;
    final int[] firstOf; // by key, one more
    final int[] opOf; // by slot
    final int[] txnOf; // by slot
    final boolean[] isFinal; // by slot
    final boolean[] isOrdered; // by key
    private final int[] slotOfOp; // by operation, NOWHERE for what is no version
    private final int[] readSlot; // by operation that reads a row

    TableVersions(TableHistory history) {
        this.history = history;
        this.counts = new boolean[history.txnCount];
        for (int txn = 0; txn < history.txnCount; txn++) {
            counts[txn] = history.status[txn] == TxnStatus.COMMITTED;
        }
        promote();
        this.areTimestampsComplete = areTimestampsComplete();
        this.firstOf = new int[history.keyCount() + 1];
        int slots = countVersions();
        this.opOf = new int[slots];
        this.txnOf = new int[slots];
        this.isFinal = new boolean[slots];
        this.isOrdered = new boolean[history.keyCount()];
        this.slotOfOp = new int[history.opCount];
        Arrays.fill(slotOfOp, NOWHERE);
        order();
        this.readSlot = new int[history.opCount];
        resolveAll();
    }

    static boolean isWrite(byte kind) {
        return kind == OpKind.WRITE || kind == OpKind.DELETE;
    }

    /** Whether an operation returned a row, or says which version of one it looked at. */
    static boolean isLook(byte kind) {
        return kind == OpKind.READ
                || kind == OpKind.READ_NOTHING
                || kind == OpKind.UNMATCHED
                || kind == OpKind.UNMATCHED_ROW;
    }

    /** Unknown transactions count that somebody who counts names as the writer of what was read. */
    private void promote() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (int txn = 0; txn < history.txnCount; txn++) {
                for (int op = history.firstOpOf[txn]; counts[txn] && op < history.firstOpOf[txn + 1]; op++) {
                    int writer = history.writer[op] == TableHistory.NO_NUMBER
                            ? TableHistory.NONE
                            : history.txnOfId(history.writer[op]);
                    if (writer >= 0 && !counts[writer] && history.status[writer] == TxnStatus.UNKNOWN) {
                        counts[writer] = true;
                        goesOn = true;
                    }
                }
            }
        }
    }

    private boolean areTimestampsComplete() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (counts[txn]
                    && (history.startTs[txn] == TableHistory.NO_NUMBER || commitTs(txn) == TableHistory.NO_NUMBER)) {
                return false;
            }
        }
        return true;
    }

    /** That of a transaction that only read is its start. */
    long commitTs(int txn) {
        long commit = history.commitTs[txn];
        boolean isMissing = commit == TableHistory.NO_NUMBER || commit == 0;
        return isMissing && !writes(txn) ? history.startTs[txn] : commit;
    }

    boolean writes(int txn) {
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            if (isWrite(history.kind[op])) {
                return true;
            }
        }
        return false;
    }

    private int countVersions() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int op = history.firstOpOf[txn]; counts[txn] && op < history.firstOpOf[txn + 1]; op++) {
                if (isWrite(history.kind[op])) {
                    firstOf[history.key[op] + 1]++;
                }
            }
        }
        for (int key = 0; key < history.keyCount(); key++) {
            firstOf[key + 1] += firstOf[key];
        }
        return firstOf[history.keyCount()];
    }

    private void order() {
        int[] next = Arrays.copyOf(firstOf, firstOf.length);
        int[] txnOfWrite = new int[opOf.length];
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int op = history.firstOpOf[txn]; counts[txn] && op < history.firstOpOf[txn + 1]; op++) {
                if (isWrite(history.kind[op])) {
                    int slot = next[history.key[op]]++;
                    opOf[slot] = op;
                    txnOfWrite[slot] = txn;
                }
            }
        }
        for (int key = 0; key < history.keyCount(); key++) {
            orderKey(key, txnOfWrite);
        }
        for (int slot = 0; slot < opOf.length; slot++) {
            slotOfOp[opOf[slot]] = slot;
            txnOf[slot] = history.txnOfOp(opOf[slot]);
        }
        for (int key = 0; key < history.keyCount(); key++) {
            for (int slot = firstOf[key]; slot < firstOf[key + 1]; slot++) {
                isFinal[slot] = isLastOfTxn(key, slot);
            }
        }
    }

    private boolean isLastOfTxn(int key, int slot) {
        int op = opOf[slot];
        for (int later = op + 1; later < history.firstOpOf[txnOf[slot] + 1]; later++) {
            if (isWrite(history.kind[later]) && history.key[later] == key) {
                return false;
            }
        }
        return true;
    }

    private void orderKey(int key, int[] txnOfWrite) {
        int from = firstOf[key];
        int to = firstOf[key + 1];
        boolean haveNumbers = true;
        boolean haveTimes = true;
        boolean isOneTxn = true;
        for (int slot = from; slot < to; slot++) {
            haveNumbers &= history.version[opOf[slot]] != TableHistory.NO_NUMBER;
            haveTimes &= commitTs(txnOfWrite[slot]) != TableHistory.NO_NUMBER;
            isOneTxn &= txnOfWrite[slot] == txnOfWrite[from];
        }
        Comparator<Integer> byOp = Comparator.naturalOrder();
        Comparator<Integer> order = byOp;
        if (haveNumbers) {
            order = Comparator.<Integer>comparingLong(op -> history.version[op]).thenComparing(byOp);
        } else if (haveTimes) {
            order = Comparator.<Integer>comparingLong(op -> commitTs(history.txnOfOp(op)))
                    .thenComparing(byOp);
        }
        if (!haveNumbers && !haveTimes && to > from) { // the initial state, if there is one, comes first
            order = Comparator.<Integer>comparingInt(op -> history.version[op] == 0 ? 0 : 1)
                    .thenComparing(byOp);
            isOneTxn = isByOneBesideTheFirst(from, to, txnOfWrite);
        }
        isOrdered[key] = haveNumbers && areDistinct(from, to) || haveTimes || isOneTxn;
        if (to - from > 1 && !isSorted(from, to, order)) {
            Integer[] ops = new Integer[to - from];
            for (int slot = from; slot < to; slot++) {
                ops[slot - from] = opOf[slot];
            }
            Arrays.sort(ops, order);
            for (int slot = from; slot < to; slot++) {
                opOf[slot] = ops[slot - from];
            }
        }
    }

    private boolean isByOneBesideTheFirst(int from, int to, int[] txnOfWrite) {
        int only = TableHistory.NONE;
        int initial = 0;
        for (int slot = from; slot < to; slot++) {
            if (history.version[opOf[slot]] == 0) {
                initial++;
            } else if (only != TableHistory.NONE && only != txnOfWrite[slot]) {
                return false;
            } else {
                only = txnOfWrite[slot];
            }
        }
        return initial <= 1;
    }

    private boolean isSorted(int from, int to, Comparator<Integer> order) {
        for (int slot = from + 1; slot < to; slot++) {
            if (order.compare(opOf[slot - 1], opOf[slot]) > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean areDistinct(int from, int to) {
        long[] numbers = new long[to - from];
        for (int slot = from; slot < to; slot++) {
            numbers[slot - from] = history.version[opOf[slot]];
        }
        Arrays.sort(numbers);
        for (int i = 1; i < numbers.length; i++) {
            if (numbers[i] == numbers[i - 1]) {
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- reads

    /** The slot of the version that an operation made; NOWHERE if it made none that counts. */
    int slotOfWrite(int op) {
        return slotOfOp[op];
    }

    /** The slot that a look at a row saw; {@link #UNBORN}, {@link #UNKNOWN} or {@link #NOWHERE} otherwise. */
    int slotOfRead(int op) {
        return readSlot[op];
    }

    /** The row of a version as an ordinal; NONE if there is no row. */
    int valueOf(int slot) {
        return slot < 0 ? TableHistory.NONE : history.value[opOf[slot]];
    }

    private void resolveAll() {
        Long2IntOpenHashMap slotOfNumber = new Long2IntOpenHashMap();
        Long2IntOpenHashMap slotOfValue = new Long2IntOpenHashMap(); // UNKNOWN where several
        slotOfNumber.defaultReturnValue(NOWHERE);
        slotOfValue.defaultReturnValue(NOWHERE);
        for (int key = 0; key < history.keyCount(); key++) {
            for (int slot = firstOf[key]; slot < firstOf[key + 1]; slot++) {
                int op = opOf[slot];
                if (history.version[op] != TableHistory.NO_NUMBER) {
                    slotOfNumber.put(pair(key, history.version[op]), slot);
                }
                long value = pair(key, history.value[op]);
                slotOfValue.put(value, slotOfValue.containsKey(value) ? UNKNOWN : slot);
            }
        }
        for (int op = 0; op < history.opCount; op++) {
            readSlot[op] = isLook(history.kind[op]) ? resolve(op, slotOfNumber, slotOfValue) : NOWHERE;
        }
    }

    /** Mixed so that two keys hardly ever meet; version numbers and ordinals are small. */
    private static long pair(int key, long number) {
        return (long) key * 0x9E3779B97F4A7C15L ^ number;
    }

    private int resolve(int op, Long2IntOpenHashMap slotOfNumber, Long2IntOpenHashMap slotOfValue) {
        int key = history.key[op];
        boolean saysValue = history.kind[op] != OpKind.UNMATCHED;
        if (history.version[op] != TableHistory.NO_NUMBER) {
            int slot = slotOfNumber.get(pair(key, history.version[op]));
            if (slot >= 0 && history.key[opOf[slot]] == key) {
                return slot;
            }
            if (isNumbered(key)) {
                return NOWHERE; // another version with the same row is not the one that was read
            }
        }
        if (history.writer[op] != TableHistory.NO_NUMBER) {
            int slot = lastOf(key, history.writer[op], saysValue ? history.value[op] : UNKNOWN);
            if (slot >= 0 || history.txnOfId(history.writer[op]) >= 0) {
                return slot;
            }
        }
        if (!saysValue) {
            return history.version[op] != TableHistory.NO_NUMBER ? NOWHERE : UNKNOWN;
        }
        int slot = slotOfValue.get(pair(key, history.value[op]));
        if (slot >= 0 && (history.key[opOf[slot]] != key || history.value[opOf[slot]] != history.value[op])) {
            slot = UNKNOWN;
        }
        if (history.kind[op] == OpKind.READ_NOTHING) {
            return slot == NOWHERE ? UNBORN : slot;
        }
        return slot;
    }

    private boolean isNumbered(int key) {
        int first = firstOf[key];
        return first < firstOf[key + 1] && history.version[opOf[firstOf[key + 1] - 1]] != TableHistory.NO_NUMBER;
    }

    /** The last version of a key by a transaction, with a value if it is to have one. */
    private int lastOf(int key, long writerId, int wanted) {
        int txn = history.txnOfId(writerId);
        int found = NOWHERE;
        for (int op = txn < 0 ? 0 : history.firstOpOf[txn]; txn >= 0 && op < history.firstOpOf[txn + 1]; op++) {
            boolean isIt = isWrite(history.kind[op])
                    && history.key[op] == key
                    && (wanted == UNKNOWN || history.value[op] == wanted);
            found = isIt ? slotOfOp[op] : found;
        }
        return found;
    }

    // ---------------------------------------------------------------- snapshots

    /** The version of a key that a snapshot shows, the own ones of a transaction left out; needs complete timestamps. */
    int atSnapshot(int key, long snapshot, int self) {
        int low = firstOf[key];
        int high = firstOf[key + 1];
        if (isByTime(key)) {
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (commitTs(txnOf[middle]) <= snapshot) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
        } else {
            low = high;
        }
        int slot = low - 1;
        while (slot >= firstOf[key] && (txnOf[slot] == self || !isFinal[slot] || commitTs(txnOf[slot]) > snapshot)) {
            slot--;
        }
        return slot < firstOf[key] ? UNBORN : slot;
    }

    /** The version of a key that was committed last at a snapshot, the own ones of a transaction left out. */
    int latestAt(int key, long snapshot, int self) {
        if (isSortedByTime(key)) {
            return atSnapshot(key, snapshot, self);
        }
        int latest = UNBORN;
        for (int slot = firstOf[key]; slot < firstOf[key + 1]; slot++) {
            boolean isShown = isFinal[slot] && txnOf[slot] != self && commitTs(txnOf[slot]) <= snapshot;
            if (isShown && (latest == UNBORN || commitTs(txnOf[slot]) >= commitTs(txnOf[latest]))) {
                latest = slot;
            }
        }
        return latest;
    }

    private boolean isByTime(int key) {
        return firstOf[key + 1] - firstOf[key] > 8 && isSortedByTime(key);
    }

    private byte[] byTime; // by key: 0 not looked at, 1 yes, 2 no

    private boolean isSortedByTime(int key) {
        if (byTime == null) {
            byTime = new byte[history.keyCount()];
        }
        if (byTime[key] == 0) {
            byTime[key] = 1;
            for (int slot = firstOf[key] + 1; slot < firstOf[key + 1]; slot++) {
                if (commitTs(txnOf[slot]) < commitTs(txnOf[slot - 1])) {
                    byTime[key] = 2;
                }
            }
        }
        return byTime[key] == 1;
    }

    /** The last version that a transaction made of a key before one of its operations; NOWHERE if it made none. */
    int ownBefore(int txn, int key, int before) {
        for (int op = before - 1; op >= history.firstOpOf[txn]; op--) {
            if (isWrite(history.kind[op]) && history.key[op] == key) {
                return slotOfOp[op];
            }
        }
        return NOWHERE;
    }

    /** The next version that others may see, made by somebody else than a transaction; NOWHERE if there is none. */
    int nextByOthers(int key, int slot, int self) {
        int next = slot == UNBORN ? firstOf[key] : slot + 1;
        while (next < firstOf[key + 1] && !isFinal[next]) {
            next++;
        }
        return next < firstOf[key + 1] && txnOf[next] != self ? next : NOWHERE;
    }
}
