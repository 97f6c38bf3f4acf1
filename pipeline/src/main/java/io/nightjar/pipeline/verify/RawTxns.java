package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.OpsByKey;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The rows of the transactions that findings speak of, as columns with one spelling of keys and values. */
final class RawTxns {

    /*
     * Layout.
     *
     *   txn   0 .. txnCount    in the order of the rows
     *   op    firstOpOf[txn] .. firstOpOf[txn + 1], in program order
     *
     * Keys and values are numbered as in ScalarPool. The value of a list read is
     *
     *   63          32 31           0
     *   +-------------+-------------+
     *   |    first    |   length    |     of its elements
     *   +-------------+-------------+
     *
     * Reads of one slice that are prefixes of each other share their elements.
     */

    static final int NONE = -1;

    final ScalarPool keys = new ScalarPool();
    final ScalarPool values = new ScalarPool();

    int txnCount;
    long[] txnId = new long[16];
    long[] sessionId = new long[16];
    long[] sessionSeq = new long[16];
    byte[] status = new byte[16];
    boolean[] isReadOnly = new boolean[16];
    long[] startTs = new long[16];
    long[] commitTs = new long[16];
    long[] invokeNs = new long[16];
    long[] completeNs = new long[16];
    int[] firstOpOf = new int[17];

    private int opCount;
    byte[] kind = new byte[64];
    long[] key = new long[64];
    long[] value = new long[64];
    long[] writerTxn = new long[64];
    long[] version = new long[64];

    // Indexes over the operations of a transaction, made when it is first queried.
    private final Int2ObjectOpenHashMap<OpsByKey> opsByKey = new Int2ObjectOpenHashMap<>();
    private int[] previousWrite = {}; // per operation: the nearest one before it that writes its key, or NONE
    private int[] writesBefore = {}; // per operation: how many before it write its key

    private final LongSet wanted;
    private final Long2IntOpenHashMap txnOfId = new Long2IntOpenHashMap();
    private final LongArrayList elements = new LongArrayList();
    private final Int2LongOpenHashMap keptListOf = new Int2LongOpenHashMap(); // by list of keptSlice
    private @Nullable HistorySlice keptSlice;

    RawTxns(LongSet wantedTxnIds) {
        wanted = wantedTxnIds;
        txnOfId.defaultReturnValue(NONE);
        keptListOf.defaultReturnValue(NONE);
    }

    /** Returns one transaction of a slice with some of its operations, as transaction 0. */
    static RawTxns of(HistorySlice slice, int txn, IntPredicate keepsOp) {
        RawTxns one = new RawTxns(LongSets.EMPTY_SET);
        one.keys.learn(slice.keyType);
        one.values.learn(slice.valueType);
        one.keep(slice, txn, keepsOp);
        return one;
    }

    /** Keeps the wanted transactions of a slice. */
    void observe(HistorySlice slice) {
        keys.learn(slice.keyType);
        values.learn(slice.valueType);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (wanted.contains(slice.txnId[txn])) {
                keep(slice, txn, op -> true);
            }
        }
    }

    /** Returns the wanted transaction of this id, or {@link #NONE}. */
    int txnOf(long id) {
        return txnOfId.get(id);
    }

    boolean isRead(int op) {
        return OpKind.isRead(kind[op]);
    }

    boolean isListRead(int op) {
        return kind[op] == OpKind.READ_LIST;
    }

    /** Returns how many elements a read returned; none if it is no list read. */
    int length(int op) {
        return isListRead(op) ? (int) value[op] : 0;
    }

    long element(int op, int position) {
        return elements.getLong((int) (value[op] >>> 32) + position);
    }

    /** Returns whether a list read ends with some elements. */
    boolean endsWith(int op, LongArrayList last) {
        int first = length(op) - last.size();
        boolean endsSo = first >= 0;
        for (int i = 0; endsSo && i < last.size(); i++) {
            endsSo = element(op, first + i) == last.getLong(i);
        }
        return endsSo;
    }

    /** Returns the elements that a list read returned. */
    long[] list(int op) {
        long[] list = new long[length(op)];
        for (int position = 0; position < list.length; position++) {
            list[position] = element(op, position);
        }
        return list;
    }

    /** Returns the elements that a list read returned, without the own appends if it ends with all of them. */
    long[] outsideList(int txn, int read) {
        return Arrays.copyOf(list(read), outsideLength(txn, read));
    }

    /** Returns how many elements of a list read are not the own appends, if it ends with all of them; else all. */
    int outsideLength(int txn, int read) {
        int outside = length(read);
        index(txn);
        for (int op = previousWrite[read]; op != NONE; op = previousWrite[op]) {
            outside--;
            if (outside < 0 || kind[op] != OpKind.APPEND || element(read, outside) != value[op]) {
                return length(read);
            }
        }
        return outside;
    }

    /** Returns how many operations of a transaction before another one write its key. */
    int writesBefore(int txn, int op) {
        index(txn);
        return writesBefore[op];
    }

    /** Returns whether no later operation of a transaction writes the key of an operation. */
    boolean isLastWrite(int txn, int op) {
        int[] ops = index(txn).on(key[op]);
        int last = ops[ops.length - 1];
        return op >= (OpKind.isWrite(kind[last]) ? last : previousWrite[last]);
    }

    /** Returns whether a transaction writes a key. */
    boolean writes(int txn, long ofKey) {
        int[] ops = opsOn(txn, ofKey);
        int last = ops.length - 1;
        return last >= 0 && (OpKind.isWrite(kind[ops[last]]) || writesBefore[ops[last]] > 0);
    }

    /** Returns the keys on which at least two of some transactions have operations. */
    LongSet sharedKeys(int[] txns) {
        Long2IntOpenHashMap firstOf = new Long2IntOpenHashMap(); // transaction, by key
        firstOf.defaultReturnValue(NONE);
        LongSet shared = new LongOpenHashSet();
        for (int txn : txns) {
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                int first = firstOf.putIfAbsent(key[op], txn);
                if (first != NONE && first != txn) {
                    shared.add(key[op]);
                }
            }
        }
        return shared;
    }

    /**
     * Returns the keys that matter to an order of some transactions: keys that they share, keys of guards, and all keys that
     * a single transaction reads.
     */
    LongSet keysOfOrder(int[] txns) {
        LongSet keys = sharedKeys(txns);
        for (int txn : txns) {
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                if (OpKind.isGuard(kind[op]) || txns.length == 1 && isRead(op)) {
                    keys.add(key[op]);
                }
            }
        }
        return keys;
    }

    /** Returns the operations of a transaction on a key but guards, in program order. */
    int[] opsOn(int txn, long onKey) {
        int[] ops = index(txn).on(onKey);
        for (int op : ops) {
            if (OpKind.isGuard(kind[op])) {
                return Arrays.stream(ops)
                        .filter(any -> !OpKind.isGuard(kind[any]))
                        .toArray();
            }
        }
        return ops;
    }

    private OpsByKey index(int txn) {
        OpsByKey ofTxn = opsByKey.get(txn);
        if (ofTxn != null) {
            return ofTxn;
        }
        if (previousWrite.length < opCount) {
            previousWrite = Arrays.copyOf(previousWrite, kind.length);
            writesBefore = Arrays.copyOf(writesBefore, kind.length);
        }
        Long2IntOpenHashMap nearestWriteOf = new Long2IntOpenHashMap();
        nearestWriteOf.defaultReturnValue(NONE);
        for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
            int write = nearestWriteOf.get(key[op]);
            previousWrite[op] = write;
            writesBefore[op] = write == NONE ? 0 : writesBefore[write] + 1;
            if (OpKind.isWrite(kind[op])) {
                nearestWriteOf.put(key[op], op);
            }
        }
        ofTxn = new OpsByKey(firstOpOf[txn], firstOpOf[txn + 1], op -> key[op]);
        opsByKey.put(txn, ofTxn);
        return ofTxn;
    }

    /** Returns whether some first elements of two list reads differ at a position that both have. */
    boolean areTorn(int read, int length, int other, int otherLength) {
        for (int position = 0; position < Math.min(length, otherLength); position++) {
            if (element(read, position) != element(other, position)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the text by which findings denote the value that an operation wrote or returned. */
    @Nullable
    String text(int op) {
        return switch (kind[op]) {
            case OpKind.READ_NOTHING -> null;
            case OpKind.ERASE -> "null";
            case OpKind.READ_LIST -> ListText.of(length(op), position -> values.text(element(op, position)));
            default -> values.text(value[op]);
        };
    }

    // ---------------------------------------------------------------- keeping

    /** Keeps a transaction of a slice whose types are known, and some of its operations. */
    void keep(HistorySlice slice, int txn, IntPredicate keepsOp) {
        if (slice != keptSlice) {
            keptSlice = slice;
            keptListOf.clear();
        }
        if (txnCount == txnId.length) {
            growTxns();
        }
        txnOfId.put(slice.txnId[txn], txnCount);
        txnId[txnCount] = slice.txnId[txn];
        sessionId[txnCount] = slice.sessionId[txn];
        sessionSeq[txnCount] = slice.sessionSeq[txn];
        status[txnCount] = slice.status[txn];
        startTs[txnCount] = orNone(slice.startTs, txn);
        commitTs[txnCount] = orNone(slice.commitTs, txn);
        invokeNs[txnCount] = orNone(slice.invokeNs, txn);
        completeNs[txnCount] = orNone(slice.completeNs, txn);
        isReadOnly[txnCount] = true;
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            isReadOnly[txnCount] &= !OpKind.isWrite(slice.kind[op]);
            if (keepsOp.test(op)) {
                keepOp(slice, op);
            }
        }
        txnCount++;
        firstOpOf[txnCount] = opCount;
    }

    private void keepOp(HistorySlice slice, int op) {
        if (opCount == kind.length) {
            int capacity = opCount * 2;
            kind = Arrays.copyOf(kind, capacity);
            key = Arrays.copyOf(key, capacity);
            value = Arrays.copyOf(value, capacity);
            writerTxn = Arrays.copyOf(writerTxn, capacity);
            version = Arrays.copyOf(version, capacity);
        }
        kind[opCount] = slice.kind[op];
        key[opCount] = keys.intern(slice.keyNames, slice.key[op]);
        value[opCount] = switch (slice.kind[op]) {
            case OpKind.READ_NOTHING -> 0;
            case OpKind.ERASE -> HistorySlice.NONE; // the value of no read
            case OpKind.READ_LIST -> keepList(slice, slice.value[op]);
            default -> OpKind.hasValue(slice.kind[op]) ? values.intern(slice.valueNames, slice.value[op]) : 0;
        };
        writerTxn[opCount] = orNone(slice.writerTxn, op);
        version[opCount] = orNone(slice.version, op);
        opCount++;
    }

    private long keepList(HistorySlice slice, long ref) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        long kept = keptListOf.get(list);
        if (kept == NONE || (int) kept < length) {
            kept = ((long) elements.size() << 32) | length;
            for (int position = 0; position < length; position++) {
                elements.add(values.intern(slice.valueNames, slice.lists.element(list, position)));
            }
            keptListOf.put(list, kept);
        }
        return (kept >>> 32 << 32) | length;
    }

    private static long orNone(long @Nullable [] column, int at) {
        return column == null ? HistorySlice.NONE : column[at];
    }

    private void growTxns() {
        int capacity = txnCount * 2;
        txnId = Arrays.copyOf(txnId, capacity);
        sessionId = Arrays.copyOf(sessionId, capacity);
        sessionSeq = Arrays.copyOf(sessionSeq, capacity);
        status = Arrays.copyOf(status, capacity);
        isReadOnly = Arrays.copyOf(isReadOnly, capacity);
        startTs = Arrays.copyOf(startTs, capacity);
        commitTs = Arrays.copyOf(commitTs, capacity);
        invokeNs = Arrays.copyOf(invokeNs, capacity);
        completeNs = Arrays.copyOf(completeNs, capacity);
        firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
    }
}
