package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.infer.SharedVersion;
import io.nightjar.pipeline.primitive.BinarySearch;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The versions of each row in their order, and which of them a read returned. */
final class TableVersions {

    /*
     * Definitions. Versions are the writes and deletions of transactions that count. UNBORN precedes the first version
     * of a key. A deletion creates a version without a row. A write that its own transaction replaced is a version too,
     * which no other transaction may observe.
     *
     * Layout. Key by key, in the order of versions:
     *
     *   slot    firstOf[key] .. firstOf[key + 1]      opOf[slot] is the operation that made the version
     *
     * Algorithm. Versions are ordered by version numbers if all versions of a key have one, else by commit timestamp if
     * all have one; else the order is known only for keys written by a single transaction. Numbers of a key that two
     * transactions share are ignored.
     */

    /** Before the first version of any key. */
    static final int UNBORN = -1;

    /** It is unknown which version. */
    static final int UNKNOWN = -2;

    /** A version that no transaction that counts has written. */
    static final int NOWHERE = -3;

    /** Writers of fewer operations are searched through, others' keys are. */
    private static final int FEW_OPS = 64;

    private final TableHistory history;
    final TxnOutcomes outcomes;
    private final AbortedWrites aborted;
    final boolean[] counts; // by transaction: committed, or unknown and read from
    private final boolean[] writes; // by transaction
    private final long[] commitOf; // by transaction
    final boolean areTimestampsComplete;
    final int[] firstOf; // by key, one more
    final int[] opOf; // by slot
    final int[] txnOf; // by slot
    final boolean[] isFinal; // by slot
    final boolean[] isOrdered; // by key
    private final boolean[] isNumbered; // by key: slots are in the order of version numbers
    private final boolean[] isByTime; // by key: slots are in the order of commit timestamps
    private final boolean[] isShared; // by key: two transactions made versions of one number
    private @Nullable SharedVersion shared; // null if no number is
    private final int[] slotOfOp; // by operation, NOWHERE for operations without a version
    private boolean isMaybeAborted; // known with readSlot
    private int @Nullable [] readSlot; // by operation that reads a row; null until requested
    private @Nullable Long2IntOpenHashMap slotOfNumber; // null until requested
    private @Nullable Long2IntOpenHashMap slotOfValue;
    private @Nullable RowIndexes indexes;
    private @Nullable AggregateMismatches contradicted; // null until requested

    TableVersions(TableHistory history) {
        this.history = history;
        this.outcomes = new TxnOutcomes(history);
        this.aborted = new AbortedWrites(history);
        this.counts = outcomes.counts;
        this.writes = new boolean[history.txnCount];
        this.commitOf = new long[history.txnCount];
        this.firstOf = new int[history.keyCount() + 1];
        int slots = countVersions();
        this.areTimestampsComplete = areTimestampsComplete();
        this.opOf = new int[slots];
        this.txnOf = new int[slots];
        this.isFinal = new boolean[slots];
        this.isOrdered = new boolean[history.keyCount()];
        this.isNumbered = new boolean[history.keyCount()];
        this.isByTime = new boolean[history.keyCount()];
        this.isShared = new boolean[history.keyCount()];
        this.slotOfOp = new int[history.opCount];
        Arrays.fill(slotOfOp, NOWHERE);
        order();
    }

    static boolean isWrite(byte kind) {
        return kind == OpKind.WRITE || kind == OpKind.DELETE;
    }

    /** Returns whether an operation returned a row, or names the version of a row that it evaluated. */
    static boolean isRead(byte kind) {
        return kind == OpKind.READ
                || kind == OpKind.READ_NOTHING
                || kind == OpKind.UNMATCHED
                || kind == OpKind.UNMATCHED_ROW;
    }

    private boolean areTimestampsComplete() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (counts[txn]
                    && (history.startTs[txn] == TableHistory.NO_NUMBER || commitOf[txn] == TableHistory.NO_NUMBER)) {
                return false;
            }
        }
        return true;
    }

    /** Returns when a transaction committed; one that only read, when it started. */
    long commitTs(int txn) {
        return commitOf[txn];
    }

    boolean writes(int txn) {
        return writes[txn];
    }

    /** Moves a transaction that only reads to a snapshot, since it has no other position. */
    void readsAt(int txn, long snapshot) {
        commitOf[txn] = writes[txn] ? commitOf[txn] : snapshot;
    }

    private int countVersions() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            writes[txn] = history.writesElsewhere(txn);
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                if (isWrite(history.kind[op])) {
                    writes[txn] = true;
                    firstOf[history.key[op] + 1] += counts[txn] ? 1 : 0;
                }
            }
            commitOf[txn] = HistorySlice.commitTs(history.startTs[txn], history.commitTs[txn], !writes[txn]);
        }
        CountingSort.addUp(firstOf);
        return firstOf[history.keyCount()];
    }

    private void order() {
        int[] next = Arrays.copyOf(firstOf, firstOf.length);
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int op = history.firstOpOf[txn]; counts[txn] && op < history.firstOpOf[txn + 1]; op++) {
                if (isWrite(history.kind[op])) {
                    int slot = next[history.key[op]]++;
                    opOf[slot] = op;
                    txnOf[slot] = txn;
                }
            }
        }
        for (int key = 0; key < history.keyCount(); key++) {
            orderKey(key);
        }
        for (int slot = 0; slot < opOf.length; slot++) {
            slotOfOp[opOf[slot]] = slot;
        }
        findFinal();
    }

    /** Finds the last version that each transaction made of a key, the only one that others see. */
    private void findFinal() {
        int[] seenIn = new int[history.keyCount()]; // the transaction that wrote it, plus one
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int op = history.firstOpOf[txn + 1] - 1; counts[txn] && op >= history.firstOpOf[txn]; op--) {
                if (isWrite(history.kind[op]) && seenIn[history.key[op]] != txn + 1) {
                    seenIn[history.key[op]] = txn + 1;
                    isFinal[slotOfOp[op]] = true;
                }
            }
        }
    }

    private void orderKey(int key) {
        int from = firstOf[key];
        int to = firstOf[key + 1];
        boolean haveNumbers = true;
        boolean haveTimes = true;
        boolean isOneTxn = true;
        for (int slot = from; slot < to; slot++) {
            haveNumbers &= history.version(opOf[slot]) != TableHistory.NO_NUMBER;
            haveTimes &= commitOf[txnOf[slot]] != TableHistory.NO_NUMBER;
            isOneTxn &= txnOf[slot] == txnOf[from];
        }
        isShared[key] = isAnyShared(from, to);
        haveNumbers &= !isShared[key];
        long[] positions = new long[to - from];
        for (int slot = from; slot < to; slot++) {
            long version = history.version(opOf[slot]);
            positions[slot - from] = haveNumbers ? version : haveTimes ? commitOf[txnOf[slot]] : version == 0 ? 0 : 1;
        }
        if (!haveNumbers && !haveTimes && to > from) { // the initial state, if any, comes first
            isOneTxn = isByOneOtherThanFirst(from, to);
        }
        sort(from, to, positions);
        isNumbered[key] = haveNumbers && to > from;
        isOrdered[key] = haveNumbers && areDistinct(positions) || haveTimes || isOneTxn;
        isByTime[key] = isSortedByTime(from, to);
    }

    /** Returns whether two transactions made versions of one number. */
    private boolean isAnyShared(int from, int to) {
        long[] numbers = new long[to - from];
        int[] txns = new int[to - from];
        int count = 0;
        boolean isRising = true;
        for (int slot = from; slot < to; slot++) {
            long number = history.version(opOf[slot]);
            if (number != TableHistory.NO_NUMBER) {
                isRising &= count == 0 || number > numbers[count - 1];
                numbers[count] = number;
                txns[count++] = txnOf[slot];
            }
        }
        if (isRising) {
            return false;
        }
        RadixSort.sort(numbers, txns, count);
        for (int i = 1; i < count; i++) {
            if (numbers[i] == numbers[i - 1] && txns[i] != txns[i - 1]) {
                shared = shared == null ? sharedBy(history.key[opOf[from]], numbers[i], txns[i - 1], txns[i]) : shared;
                return true;
            }
        }
        return false;
    }

    private SharedVersion sharedBy(int key, long number, int one, int other) {
        return SharedVersion.of(history.keyName(key), number, history.txnId[one], history.txnId[other]);
    }

    /** Returns the version of a key that two transactions made, so that versions are no evidence; null if none. */
    @Nullable
    SharedVersion shared() {
        return shared;
    }

    private void sort(int from, int to, long[] positions) {
        int[] ops = Arrays.copyOfRange(opOf, from, to);
        RadixSort.sort(positions, ops, to - from);
        if (!Arrays.equals(ops, 0, to - from, opOf, from, to)) {
            for (int slot = from; slot < to; slot++) {
                opOf[slot] = ops[slot - from];
                txnOf[slot] = history.txnOfOp(opOf[slot]);
            }
        }
    }

    private boolean isByOneOtherThanFirst(int from, int to) {
        int only = TableHistory.NONE;
        int initial = 0;
        for (int slot = from; slot < to; slot++) {
            if (history.version(opOf[slot]) == 0) {
                initial++;
            } else if (only != TableHistory.NONE && only != txnOf[slot]) {
                return false;
            } else {
                only = txnOf[slot];
            }
        }
        return initial <= 1;
    }

    private static boolean areDistinct(long[] sorted) {
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                return false;
            }
        }
        return true;
    }

    private boolean isSortedByTime(int from, int to) {
        for (int slot = from + 1; slot < to; slot++) {
            if (commitOf[txnOf[slot]] < commitOf[txnOf[slot - 1]]) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether versions of a key whose writers all have commit timestamps come in another order than these. */
    boolean areAgainstCommits() {
        for (int key = 0; key < history.keyCount(); key++) {
            boolean haveTimes = !isByTime[key];
            for (int slot = firstOf[key]; haveTimes && slot < firstOf[key + 1]; slot++) {
                haveTimes = commitOf[txnOf[slot]] != TableHistory.NO_NUMBER;
            }
            if (haveTimes) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the first version of a key is its initial state, by its number 0: before it a key is not there,
     * else.
     */
    boolean isInitial(int key) {
        int first = firstOf[key];
        return first < firstOf[key + 1] && history.version(opOf[first]) == 0;
    }

    // ---------------------------------------------------------------- reads

    /** Returns the versions by the values of columns. */
    RowIndexes indexes() {
        if (indexes == null) {
            indexes = new RowIndexes(history, this);
        }
        return indexes;
    }

    /** Returns whether the answer of a predicate read, or one of its rows, contradicts its snapshot. */
    boolean isContradicted(int op) {
        if (contradicted == null) {
            contradicted = AggregateMismatches.of(history, this);
        }
        return contradicted.has(op);
    }

    /** Returns the slot of the version that an operation made; NOWHERE if it made none that counts. */
    int slotOfWrite(int op) {
        return slotOfOp[op];
    }

    /** Returns the slot that a row read observed; {@link #UNBORN}, {@link #UNKNOWN} or {@link #NOWHERE} otherwise. */
    int slotOfRead(int op) {
        int[] slots = readSlot == null ? resolveAll() : readSlot;
        return slots[op];
    }

    /**
     * Returns whether the result of a row read is a version: its row, and the version and the writer that the read
     * names, if any.
     */
    boolean isSame(int op, int slot) {
        return history.value[op] == valueOf(slot) && isNamed(op, slot);
    }

    /** Returns whether two reads of one row may have returned the same version. */
    boolean areAlike(int op, int other) {
        int before = named(other);
        return history.value[op] == history.value[other] && (before < 0 || named(op) < 0 || isNamed(op, before));
    }

    /**
     * Returns whether a row read names a version with its own row, or nothing that contradicts it; reads that
     * contradict themselves are reported by {@link MalformedReads}.
     */
    private boolean isNamed(int op, int slot) {
        if (!isNaming(op)) {
            return true;
        }
        int seen = named(op);
        if (seen < 0) {
            return aborted.writerOf(op) == TableHistory.NONE;
        }
        boolean isOfNumber = !saysVersion(op)
                || slot >= 0 && history.version(opOf[slot]) == TableHistory.NO_NUMBER
                || slot >= 0 && history.version(opOf[slot]) == history.version(op);
        return slot >= 0 && txnOf[seen] == txnOf[slot] && isOfNumber;
    }

    /** Returns whether a row read names the version it observed, by number or by writer. */
    boolean isNaming(int op) {
        return saysVersion(op) || history.writer(op) != TableHistory.NO_NUMBER;
    }

    private boolean saysVersion(int op) {
        return history.version(op) != TableHistory.NO_NUMBER && !isShared[history.key[op]];
    }

    /**
     * Returns the version that a row read names by its number, or else by its writer; NOWHERE if none with its row is
     * one.
     */
    private int named(int op) {
        int key = history.key[op];
        int slot = saysVersion(op) ? ofNumber(key, history.version(op)) : NOWHERE;
        if (slot < 0 && saysVersion(op) && isNumbered[key]) {
            return NOWHERE;
        }
        if (slot < 0 && history.writer(op) != TableHistory.NO_NUMBER) {
            slot = lastOf(key, history.writer(op), history.value[op]);
        }
        return slot >= 0 && history.value[op] == valueOf(slot) ? slot : NOWHERE;
    }

    /** Returns whether a row read observed an aborted or an intermediate version. */
    boolean isUnseeable(int txn, int op) {
        int seen = slotOfRead(op);
        return seen == NOWHERE
                ? aborted.writerOf(op) != TableHistory.NONE
                : seen >= 0 && !isFinal[seen] && txnOf[seen] != txn;
    }

    /**
     * Returns the transaction that wrote the row returned by a read, aborted ones included; NONE if no transaction or
     * several may have.
     */
    int writerRead(int op) {
        int seen = slotOfRead(op);
        return seen >= 0 ? txnOf[seen] : seen == NOWHERE ? aborted.writerOf(op) : TableHistory.NONE;
    }

    /** Returns the row of a version as an ordinal; NONE if it has no row. */
    int valueOf(int slot) {
        return slot < 0 ? TableHistory.NONE : history.value[opOf[slot]];
    }

    /** Returns the key of a version. */
    int keyOf(int slot) {
        return history.key[opOf[slot]];
    }

    /** Returns whether a read is of a row that both an aborted transaction wrote and one of unknown outcome. */
    boolean isAnyMaybeAborted() {
        return isMaybeAborted;
    }

    private int[] resolveAll() {
        int[] slots = new int[history.opCount];
        readSlot = slots;
        for (int op = 0; op < history.opCount; op++) {
            slots[op] = isRead(history.kind[op]) ? resolve(op) : NOWHERE;
        }
        slotOfNumber = null;
        slotOfValue = null;
        return slots;
    }

    private int resolve(int op) {
        int key = history.key[op];
        boolean saysValue = history.kind[op] != OpKind.UNMATCHED;
        if (history.version(op) != TableHistory.NO_NUMBER && !isShared[key]) {
            int slot = ofNumber(key, history.version(op));
            if (slot >= 0) {
                return saysValue && history.value[op] != valueOf(slot) ? NOWHERE : slot;
            }
            boolean isTakenBack = history.kind[op] == OpKind.READ_NOTHING && aborted.writerOf(op) != TableHistory.NONE;
            if (isNumbered[key] || !saysValue || isTakenBack) {
                return NOWHERE; // even if other versions have the same row
            }
        }
        if (history.writer(op) != TableHistory.NO_NUMBER) {
            int slot = lastOf(key, history.writer(op), saysValue ? history.value[op] : UNKNOWN);
            if (slot >= 0 || history.txnOfId(history.writer(op)) >= 0) {
                return slot;
            }
        }
        if (!saysValue) {
            return UNKNOWN;
        }
        if (history.kind[op] != OpKind.READ_NOTHING && outcomes.isOpenRow(op)) {
            isMaybeAborted |= aborted.writerOf(op) != TableHistory.NONE;
            return UNKNOWN; // even where another transaction wrote the same row
        }
        int slot = ofValue(key, history.value[op]);
        return history.kind[op] == OpKind.READ_NOTHING ? nothing(key, slot) : slot;
    }

    /**
     * Returns the version observed by a read that found no row: a deletion, or none yet; unknown if both are possible.
     */
    private int nothing(int key, int deletion) {
        if (deletion == NOWHERE) {
            return outcomes.isOpen[key] ? UNKNOWN : UNBORN;
        }
        return isInitial(key) && !outcomes.isOpen[key] ? deletion : UNKNOWN;
    }

    /** Returns whether a version has the number that an operation names. */
    boolean hasNumber(int op) {
        return ofNumber(history.key[op], history.version(op)) >= 0;
    }

    /** Returns the version of a key with a number; NOWHERE if none has it. */
    private int ofNumber(int key, long number) {
        int from = firstOf[key];
        int to = firstOf[key + 1];
        if (from == to) {
            return NOWHERE;
        }
        if (!isNumbered[key]) {
            return ofNumberAnywhere(key, number);
        }
        int low = from;
        long guess = from + (number - history.version(opOf[from])); // numbers mostly follow each other
        if (guess >= from && guess < to && history.version(opOf[(int) guess]) == number) {
            low = (int) guess;
        }
        low = BinarySearch.first(low, to, slot -> history.version(opOf[slot]) >= number);
        boolean isFound = low < to && history.version(opOf[low]) == number;
        while (isFound && low + 1 < to && history.version(opOf[low + 1]) == number) {
            low++;
        }
        return isFound ? low : NOWHERE;
    }

    private int ofNumberAnywhere(int key, long number) {
        if (slotOfNumber == null) {
            slotOfNumber = new Long2IntOpenHashMap();
            slotOfNumber.defaultReturnValue(NOWHERE);
            for (int slot = 0; slot < opOf.length; slot++) {
                if (history.version(opOf[slot]) != TableHistory.NO_NUMBER) {
                    slotOfNumber.put(pair(keyOf(slot), history.version(opOf[slot])), slot);
                }
            }
        }
        int slot = slotOfNumber.get(pair(key, number));
        return slot >= 0 && keyOf(slot) == key && history.version(opOf[slot]) == number ? slot : NOWHERE;
    }

    /** Returns the version of a key with a row; UNKNOWN if several have it, NOWHERE if none has. */
    private int ofValue(int key, int value) {
        if (slotOfValue == null) {
            slotOfValue = new Long2IntOpenHashMap();
            slotOfValue.defaultReturnValue(NOWHERE);
            for (int slot = 0; slot < opOf.length; slot++) {
                long pair = pair(keyOf(slot), history.value[opOf[slot]]);
                slotOfValue.put(pair, slotOfValue.containsKey(pair) ? UNKNOWN : slot);
            }
        }
        int slot = slotOfValue.get(pair(key, value));
        return slot >= 0 && (keyOf(slot) != key || history.value[opOf[slot]] != value) ? UNKNOWN : slot;
    }

    /** Returns a number for a pair, mixed so that two keys hardly ever meet; version numbers and ordinals are small. */
    private static long pair(int key, long number) {
        return (long) key * 0x9E3779B97F4A7C15L ^ number;
    }

    /** Returns the last version of a key by a transaction, with a value if it is to have one. */
    private int lastOf(int key, long writerId, int wanted) {
        int txn = history.txnOfId(writerId);
        if (txn < 0 || !counts[txn]) {
            return NOWHERE;
        }
        int found = NOWHERE;
        if (history.firstOpOf[txn + 1] - history.firstOpOf[txn] <= FEW_OPS) {
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                boolean isIt = isWrite(history.kind[op]) && history.key[op] == key;
                found = isIt && (wanted == UNKNOWN || history.value[op] == wanted) ? slotOfOp[op] : found;
            }
            return found;
        }
        for (int slot = firstOf[key]; slot < firstOf[key + 1]; slot++) {
            boolean isIt = txnOf[slot] == txn && (wanted == UNKNOWN || valueOf(slot) == wanted);
            found = isIt && (found < 0 || opOf[slot] > opOf[found]) ? slot : found;
        }
        return found;
    }

    // ---------------------------------------------------------------- snapshots

    /** Returns whether the versions of a key come in the order of their commits. */
    boolean isByTime(int key) {
        return isByTime[key];
    }

    /**
     * Returns the version of a key in a snapshot, excluding a transaction's own versions; requires complete timestamps.
     */
    int atSnapshot(int key, long snapshot, int self) {
        int end = firstOf[key + 1];
        int slot = isByTime[key]
                ? BinarySearch.first(firstOf[key], end, each -> commitOf[txnOf[each]] > snapshot) - 1
                : end - 1;
        while (slot >= firstOf[key] && (txnOf[slot] == self || !isFinal[slot] || commitOf[txnOf[slot]] > snapshot)) {
            slot--;
        }
        return slot < firstOf[key] ? UNBORN : slot;
    }

    /** Returns the version of a key that was committed last at a snapshot, excluding a transaction's own versions. */
    int latestAt(int key, long snapshot, int self) {
        if (isByTime[key]) {
            return atSnapshot(key, snapshot, self);
        }
        int latest = UNBORN;
        for (int slot = firstOf[key]; slot < firstOf[key + 1]; slot++) {
            boolean isShown = isFinal[slot] && txnOf[slot] != self && commitOf[txnOf[slot]] <= snapshot;
            if (isShown && (latest == UNBORN || commitOf[txnOf[slot]] >= commitOf[txnOf[latest]])) {
                latest = slot;
            }
        }
        return latest;
    }

    // ---------------------------------------------------------------- neighbours

    /** Returns the version before the given one that others may observe; UNBORN if none. */
    int before(int key, int slot) {
        int before = slot - 1;
        while (before >= firstOf[key] && !isFinal[before]) {
            before--;
        }
        return before < firstOf[key] ? UNBORN : before;
    }

    /** Returns the version after the given one, or after UNBORN, that others may observe; NOWHERE if none. */
    int next(int key, int slot) {
        int next = slot == UNBORN ? firstOf[key] : slot + 1;
        while (next < firstOf[key + 1] && !isFinal[next]) {
            next++;
        }
        return next < firstOf[key + 1] ? next : NOWHERE;
    }

    /**
     * Returns the next version that others may observe, made by another than the given transaction; NOWHERE if none.
     */
    int nextByOthers(int key, int slot, int self) {
        int next = next(key, slot);
        return next >= 0 && txnOf[next] != self ? next : NOWHERE;
    }
}
