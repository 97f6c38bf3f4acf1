package io.nightjar.pipeline.partition;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scan of the transactions of a slice: checks each transaction internally, and routes its other operations to lanes.
 *
 * <p>One instance for each thread: it owns the scratch of the scan and the chunks it fills.
 */
public final class TransactionScan {

    /*
     * Operations of one transaction are chained by key, backwards:
     *
     *   previous[i]   the operation before i on the same key, or NONE
     *   lastWrite[i]  the last write of that key up to and including i, or NONE
     *
     * isFaulted[i] is set if a read of that key up to i was wrong; a key is reported once.
     *
     * A read without a previous operation is external: its lane compares it with the snapshot. A read with one must
     * agree with it (axiom INT); when it does not, both values go to the lane as a pair, because only the lane
     * determines whether the key is of a checkable type. A write that another one follows is intermediate.
     *
     * Whether a key occurred before is determined by one word with a bit for each of 64 hash classes, and by the
     * class's latest operation; only if two keys share a class is the transaction searched, backwards. Beyond SHORT
     * operations a small hash table is used instead. Cost: O(operations).
     */

    private static final int NONE = -1;
    private static final int REGISTER_USE = 1;
    private static final int LIST_USE = 2;
    private static final int UNJUDGED_USE = 4;
    private static final int SHORT = 64;

    private final int @Nullable [] chunkOfLane; // null if each lane has a chunk
    private final LaneChunk[] chunks;
    private final @Nullable String initialValue;

    private int[] previous = new int[SHORT];
    private int[] lastWrite = new int[SHORT];
    private boolean[] isReplaced = new boolean[SHORT];
    private boolean[] isFaulted = new boolean[SHORT];
    private byte[] useBefore = new byte[0]; // how the key is used before each operation; of the transaction usesFoundOf
    private int[] firstReadBefore = new int[0]; // the first operation on the key before each that is no append
    private int usesFoundOf = NONE;
    private final int[] latestOfClass = new int[64]; // valid where the class's bit is set
    private final LatestByKey latest = new LatestByKey();
    private long[] ownElements = new long[16];
    private int ownCount;
    private int[] openLanes = new int[16];
    private int openLaneCount;
    private final boolean[] isOpen;

    private @Nullable KeyFilter filter; // null if all keys are routed
    private boolean[] isKeptName = new boolean[0];

    private HistorySlice slice;
    private int[] laneOfName = new int[0];
    private boolean ownsLists;
    private @Nullable ListPool lists;
    private long initialAsLong;
    private boolean hasInitial;

    private long committedWithoutTimestamps;
    private int txn;
    private byte flags;
    private long commitTs;

    /**
     * @param laneCount a power of two
     * @param initialValue the text of the value that means the initial state as null does, or null
     */
    public TransactionScan(int laneCount, @Nullable String initialValue) {
        this(laneCount, laneCount, null, initialValue);
    }

    /**
     * @param chunkOfLane the index of each lane's chunk, ascending; as many as a power of two
     * @param initialValue the text of the value that means the initial state as null does, or null
     */
    public TransactionScan(int[] chunkOfLane, @Nullable String initialValue) {
        this(chunkOfLane.length, 1 + chunkOfLane[chunkOfLane.length - 1], chunkOfLane, initialValue);
    }

    private TransactionScan(
            int laneCount, int chunkCount, int @Nullable [] chunkOfLane, @Nullable String initialValue) {
        if (Integer.bitCount(laneCount) != 1) {
            throw new IllegalArgumentException("lanes not a power of two: laneCount=" + laneCount);
        }
        this.chunkOfLane = chunkOfLane;
        this.initialValue = initialValue;
        this.chunks = new LaneChunk[chunkCount];
        this.isOpen = new boolean[chunkCount];
        for (int chunk = 0; chunk < chunkCount; chunk++) {
            chunks[chunk] = new LaneChunk();
        }
    }

    /** Restricts routing to operations on these keys. */
    public void setKeyFilter(@Nullable KeyFilter keys) {
        filter = keys;
    }

    /** Scans a slice. The chunks of the slice before are overwritten, except those given away by {@link #exchange}. */
    public void scan(HistorySlice of) {
        begin(of);
        for (int t = 0; t < of.txnCount; t++) {
            scanTxn(t);
        }
        for (LaneChunk chunk : chunks) {
            chunk.lists = lists;
        }
    }

    /** Returns the operations of the last scanned slice in a lane; valid until the next scan. */
    public LaneChunk chunk(int lane) {
        return chunks[lane];
    }

    /** Returns the chunk of a lane, which the caller may retain; the scan continues with the replacement. */
    public LaneChunk exchange(int lane, LaneChunk with) {
        LaneChunk filled = chunks[lane];
        chunks[lane] = with;
        return filled;
    }

    @SetsFields
    private void begin(HistorySlice of) {
        slice = of;
        usesFoundOf = NONE;
        lists = of.lists;
        ownsLists = false;
        for (LaneChunk chunk : chunks) {
            chunk.clear();
            chunk.keyType = of.keyType;
            chunk.valueType = of.valueType;
            chunk.keyNames = of.keyNames;
            chunk.valueNames = of.valueNames;
        }
        if (chunks.length == 1) {
            chunks[0].expect(of.txnCount, of.opCount);
        }
        if (of.keyType == ValueType.STRING && chunks.length > 1) {
            findLanesOfNames();
        }
        if (of.keyType == ValueType.STRING && filter != null) {
            findNamesKept(filter);
        }
        String initial = initialValue;
        hasInitial = initial != null && InitialValue.isKnown(of.valueType, of.valueNames, initial);
        initialAsLong = initial != null && hasInitial ? InitialValue.asLong(of.valueType, of.valueNames, initial) : 0;
    }

    private void findLanesOfNames() {
        int count = slice.keyNames.size();
        if (laneOfName.length < count) {
            laneOfName = new int[count];
        }
        for (int name = 0; name < count; name++) {
            laneOfName[name] = laneOfHash(KeyHash.of(slice.keyNames, name));
        }
    }

    private void findNamesKept(KeyFilter kept) {
        int count = slice.keyNames.size();
        if (isKeptName.length < count) {
            isKeptName = new boolean[count];
        }
        for (int name = 0; name < count; name++) {
            isKeptName[name] = kept.holds(slice.keyNames, name);
        }
    }

    private boolean isKept(long key, KeyFilter kept) {
        return slice.keyType == ValueType.STRING ? isKeptName[(int) key] : kept.holds(key);
    }

    private int laneOf(long key) {
        if (chunks.length == 1) {
            return 0;
        }
        return slice.keyType == ValueType.STRING ? laneOfName[(int) key] : laneOfHash(KeyHash.of(key));
    }

    private int laneOfHash(long hash) {
        return chunkOfLane == null
                ? KeyHash.lane(hash, chunks.length)
                : chunkOfLane[KeyHash.lane(hash, chunkOfLane.length)];
    }

    // ---------------------------------------------------------------- one transaction

    private void scanTxn(int t) {
        int first = slice.firstOpOf[t];
        int count = slice.firstOpOf[t + 1] - first;
        txn = t;
        boolean wrote = chain(first, count);
        flags = LaneChunk.flags(slice.status[t], wrote);
        commitTs = commitOf(t, wrote);
        openLaneCount = 0;
        if (slice.status[t] == TxnStatus.COMMITTED) {
            for (int i = 0; i < count; i++) {
                emitCommitted(first, i);
            }
        } else {
            boolean isUnknown = slice.status[t] == TxnStatus.UNKNOWN;
            for (int i = 0; i < count; i++) {
                emitUncommitted(first, i, isUnknown);
            }
        }
        for (int i = 0; i < openLaneCount; i++) {
            isOpen[openLanes[i]] = false;
        }
    }

    private long commitOf(int t, boolean wrote) {
        long start = slice.startTs == null ? HistorySlice.NONE : slice.startTs[t];
        long commit = slice.commitTsOf(t, !wrote && slice.status[t] == TxnStatus.COMMITTED);
        if (slice.status[t] == TxnStatus.COMMITTED && (start == HistorySlice.NONE || commit == HistorySlice.NONE)) {
            committedWithoutTimestamps++;
        }
        return commit;
    }

    /** Chains the operations by key; returns whether the transaction wrote anything. */
    private boolean chain(int first, int count) {
        if (count > previous.length) {
            growScratch(count);
        }
        byte[] kind = slice.kind;
        long[] key = slice.key;
        boolean wrote = false;
        long seen = 0;
        boolean isLong = count > SHORT;
        if (isLong) {
            latest.clear(count);
        }
        for (int i = 0; i < count; i++) {
            if (OpKind.isGuard(kind[first + i])) {
                previous[i] = NONE;
                lastWrite[i] = NONE;
                continue;
            }
            long k = key[first + i];
            int before = NONE;
            if (isLong) {
                before = latest.swap(k, i);
            } else {
                int hashClass = (int) (k * 0x9E3779B97F4A7C15L >>> 58);
                if ((seen & 1L << hashClass) != 0) {
                    before = findBefore(key, first, latestOfClass[hashClass], k);
                }
                seen |= 1L << hashClass;
                latestOfClass[hashClass] = i;
            }
            previous[i] = before;
            isReplaced[i] = false;
            int olderWrite = before == NONE ? NONE : lastWrite[before];
            if (OpKind.isWrite(kind[first + i])) {
                wrote = true;
                lastWrite[i] = i;
                if (olderWrite != NONE && kind[first + i] == OpKind.WRITE) {
                    isReplaced[olderWrite] = true;
                }
            } else {
                lastWrite[i] = olderWrite;
            }
        }
        return wrote;
    }

    private static int findBefore(long[] key, int first, int from, long k) {
        int op = first + from;
        while (op >= first && key[op] != k) {
            op--;
        }
        return op - first; // NONE when it ran past the first
    }

    private void growScratch(int needed) {
        int capacity = Math.max(needed, previous.length * 2);
        previous = new int[capacity];
        lastWrite = new int[capacity];
        isReplaced = new boolean[capacity];
        isFaulted = new boolean[capacity];
    }

    private void emitCommitted(int first, int i) {
        int op = first + i;
        byte kind = slice.kind[op];
        isFaulted[i] = previous[i] != NONE && isFaulted[previous[i]];
        if (OpKind.isGuard(kind)) {
            emit(LaneOp.UNJUDGED, slice.key[op], 0);
        } else if (OpKind.isWrite(kind)) {
            emitWrite(first, i);
        } else if (previous[i] == NONE) {
            emit(kind, slice.key[op], slice.value[op]); // the codes of OpKind and LaneOp agree for reads
        } else {
            checkInternalRead(first, i);
        }
    }

    /**
     * Routes the operations of transactions that did not commit: their writes explain the origin of values; reads of
     * unknown transactions identify the writers read from.
     */
    private void emitUncommitted(int first, int i, boolean isUnknown) {
        int op = first + i;
        byte kind = slice.kind[op];
        if (OpKind.isGuard(kind)) {
            emit(LaneOp.MENTION, slice.key[op], 0);
        } else if (OpKind.isWrite(kind)) {
            emitWrite(first, i);
        } else if (isUnknown && (previous[i] == NONE || kind == OpKind.READ_LIST && followsAppendsOnly(first, i))) {
            emit(kind, slice.key[op], slice.value[op]);
        } else if (isUnknown && kind == OpKind.READ_LIST) {
            emit(LaneOp.OWN_OBSERVED_LIST, slice.key[op], slice.value[op]);
        } else if (isUnknown && kind == OpKind.READ && !repeatsValue(first, i)) {
            emit(LaneOp.OWN_OBSERVED, slice.key[op], slice.value[op]);
        } else {
            emit(LaneOp.MENTION, slice.key[op], 0);
        }
    }

    private boolean repeatsValue(int first, int i) {
        int before = first + previous[i];
        return slice.kind[before] != OpKind.READ_NOTHING && slice.value[before] == slice.value[first + i];
    }

    private boolean followsAppendsOnly(int first, int i) {
        findUses(first);
        return firstReadBefore[i] == NONE;
    }

    private void emitWrite(int first, int i) {
        int op = first + i;
        boolean again = previous[i] != NONE && lastWrite[previous[i]] != NONE;
        byte kind =
                switch (slice.kind[op]) {
                    case OpKind.WRITE -> isReplaced[i] ? LaneOp.INTERMEDIATE_WRITE : LaneOp.WRITE;
                    case OpKind.APPEND -> again ? LaneOp.APPEND_AGAIN : LaneOp.APPEND;
                    default -> LaneOp.UNJUDGED;
                };
        emit(kind, slice.key[op], kind == LaneOp.UNJUDGED ? 0 : slice.value[op]);
    }

    private void emit(byte kind, long key, long value) {
        if (filter != null && !isKept(key, filter)) {
            return;
        }
        int lane = laneOf(key);
        LaneChunk chunk = chunks[lane];
        if (!isOpen[lane]) {
            open(lane, chunk);
        }
        chunk.op(kind, key, value);
    }

    private void open(int lane, LaneChunk chunk) {
        isOpen[lane] = true;
        if (openLaneCount == openLanes.length) {
            openLanes = Arrays.copyOf(openLanes, openLaneCount * 2);
        }
        openLanes[openLaneCount++] = lane;
        long start = slice.startTs == null ? HistorySlice.NONE : slice.startTs[txn];
        chunk.beginTxn(slice.txnId[txn], start, commitTs, flags);
    }

    // ---------------------------------------------------------------- reads after own operations

    private void checkInternalRead(int first, int i) {
        byte before = slice.kind[first + previous[i]];
        if (slice.kind[first + i] == OpKind.READ && (before == OpKind.READ || before == OpKind.WRITE)) {
            checkOwnValue(first, i); // earlier operations were checked when the previous operation was processed
            return;
        }
        findUses(first);
        int uses = useBefore[i] | useOf(slice.kind[first + i]);
        if ((useBefore[i] & UNJUDGED_USE) != 0) {
            return;
        }
        boolean list = (uses & LIST_USE) != 0;
        boolean register = (uses & REGISTER_USE) != 0;
        if (list && register) {
            emit(LaneOp.UNJUDGED, slice.key[first + i], 0);
        } else if (list) {
            checkOwnList(first, i);
        } else {
            checkOwnValue(first, i);
        }
    }

    private void checkOwnValue(int first, int i) {
        int op = first + i;
        int before = first + previous[i];
        boolean wasNothing = slice.kind[before] == OpKind.READ_NOTHING;
        boolean isNothing = slice.kind[op] == OpKind.READ_NOTHING;
        boolean agrees = wasNothing == isNothing && (isNothing || slice.value[op] == slice.value[before]);
        if (agrees) {
            return;
        }
        if (isFaulted[i]) {
            if (!isNothing) {
                emit(LaneOp.OWN_OBSERVED, slice.key[op], slice.value[op]); // records the writer read from
            }
            return;
        }
        // null and the initial value are the same unless a transaction wrote that value, which only the lane can
        // determine
        boolean mayAgree =
                hasInitial && wasNothing != isNothing && slice.value[wasNothing ? op : before] == initialAsLong;
        isFaulted[i] = !mayAgree;
        long key = slice.key[op];
        emit(wasNothing ? LaneOp.OWN_EXPECTED_NOTHING : LaneOp.OWN_EXPECTED, key, wasNothing ? 0 : slice.value[before]);
        emit(isNothing ? LaneOp.OWN_OBSERVED_NOTHING : LaneOp.OWN_OBSERVED, key, isNothing ? 0 : slice.value[op]);
    }

    /*
     * A list read is the snapshot's list followed by the own appends. The first read determines the snapshot's list, if
     * it ends with the own appends; every later read must be that list with the own appends so far.
     */
    private void checkOwnList(int first, int i) {
        int firstRead = firstReadBefore[i];
        if (firstRead == NONE) {
            collectOwnElements(first, i);
            emitFirstReadAfterAppends(first, i);
        } else if (!isFaulted[i]) {
            checkLaterListRead(first, i, firstRead);
        } else if (slice.kind[first + i] == OpKind.READ_LIST) {
            emit(LaneOp.OWN_OBSERVED_LIST, slice.key[first + i], slice.value[first + i]);
        }
    }

    private void emitFirstReadAfterAppends(int first, int i) {
        int op = first + i;
        long ref = listAt(op);
        int snapshotLength = ListRef.length(ref) - ownCount;
        long key = slice.key[op];
        if (endsWithOwn(ref)) {
            emit(LaneOp.READ_LIST, key, ListRef.of(ListRef.list(ref), snapshotLength));
            return;
        }
        isFaulted[i] = true;
        emit(LaneOp.READ_LIST_LOOSE, key, ref);
        emit(LaneOp.OWN_EXPECTED_LIST, key, addList(ownElements, ownCount));
        emit(LaneOp.OWN_OBSERVED_LIST, key, ref);
    }

    private void checkLaterListRead(int first, int i, int firstRead) {
        collectOwnElements(first, firstRead);
        long firstRef = listAt(first + firstRead);
        int snapshotLength = ListRef.length(firstRef) - ownCount;
        collectOwnElements(first, i);
        long ref = listAt(first + i);
        boolean agrees = ListRef.length(ref) == snapshotLength + ownCount
                && samePrefix(firstRef, ref, snapshotLength)
                && endsWithOwn(ref);
        if (agrees) {
            if (snapshotLength + ownCount == 0 && slice.kind[first + i] == OpKind.READ_LIST) {
                emit(LaneOp.OWN_OBSERVED_LIST, slice.key[first + i], ref); // all before it may have been null
            }
            return;
        }
        isFaulted[i] = true;
        long[] expected = new long[snapshotLength + ownCount];
        for (int at = 0; at < snapshotLength; at++) {
            expected[at] = lists().element(ListRef.list(firstRef), at);
        }
        System.arraycopy(ownElements, 0, expected, snapshotLength, ownCount);
        long key = slice.key[first + i];
        emit(LaneOp.OWN_EXPECTED_LIST, key, addList(expected, expected.length));
        emit(LaneOp.OWN_OBSERVED_LIST, key, ref);
    }

    /**
     * Collects the elements that the transaction appended to the key of operation {@code i} before it, in program
     * order.
     */
    private void collectOwnElements(int first, int i) {
        int count = 0;
        for (int j = writeBefore(i); j != NONE; j = writeBefore(j)) {
            count += slice.kind[first + j] == OpKind.APPEND ? 1 : 0;
        }
        if (count > ownElements.length) {
            ownElements = new long[count * 2];
        }
        ownCount = count;
        for (int j = writeBefore(i); j != NONE; j = writeBefore(j)) {
            if (slice.kind[first + j] == OpKind.APPEND) {
                ownElements[--count] = slice.value[first + j];
            }
        }
    }

    private int writeBefore(int i) {
        return previous[i] == NONE ? NONE : lastWrite[previous[i]];
    }

    /** Finds how the transaction uses the key of each operation before it: once for all of its operations. */
    private void findUses(int first) {
        if (usesFoundOf == txn) {
            return;
        }
        usesFoundOf = txn;
        int count = slice.firstOpOf[txn + 1] - first;
        if (useBefore.length < count) {
            useBefore = new byte[previous.length];
            firstReadBefore = new int[previous.length];
        }
        for (int i = 0; i < count; i++) {
            int before = previous[i];
            if (before == NONE) {
                useBefore[i] = 0;
                firstReadBefore[i] = NONE;
            } else {
                byte kind = slice.kind[first + before];
                useBefore[i] = (byte) (useBefore[before] | useOf(kind));
                boolean isFirst = firstReadBefore[before] == NONE && kind != OpKind.APPEND;
                firstReadBefore[i] = isFirst ? before : firstReadBefore[before];
            }
        }
    }

    private static int useOf(byte kind) {
        return switch (kind) {
            case OpKind.ADD, OpKind.INCREMENT, OpKind.ERASE, OpKind.TAKE -> UNJUDGED_USE;
            case OpKind.APPEND, OpKind.READ_LIST -> LIST_USE;
            case OpKind.WRITE, OpKind.READ -> REGISTER_USE;
            default -> 0;
        };
    }

    private boolean endsWithOwn(long ref) {
        int from = ListRef.length(ref) - ownCount;
        if (from < 0) {
            return false;
        }
        for (int at = 0; at < ownCount; at++) {
            if (lists().element(ListRef.list(ref), from + at) != ownElements[at]) {
                return false;
            }
        }
        return true;
    }

    private boolean samePrefix(long ref, long other, int length) {
        if (ListRef.list(ref) == ListRef.list(other)) {
            return true;
        }
        for (int at = 0; at < length; at++) {
            if (lists().element(ListRef.list(ref), at) != lists().element(ListRef.list(other), at)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the list that an operation read; null read as a list is the empty one. */
    private long listAt(int op) {
        return slice.kind[op] == OpKind.READ_LIST ? slice.value[op] : addList(ownElements, 0);
    }

    private long addList(long[] elements, int length) {
        if (!ownsLists) {
            lists = lists == null ? new ListPool() : lists.copy();
            ownsLists = true;
        }
        return ListRef.of(lists().add(elements, 0, length), length);
    }

    /** Returns the lists to which operations of the slice refer. */
    private ListPool lists() {
        return requireNonNull(lists);
    }
}
