package io.nightjar.formats.table;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.RowSliceBuilder;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Columns of the transaction being assembled; reused for the next one. */
public final class TxnAccumulator {

    private static final int KIND_BITS = 0xff;
    private static final int KEY_IS_NAME = 1 << 8;
    private static final int VALUE_IS_NAME = 1 << 9;
    private static final int NAMES_KEPT = 1 << 11;

    private static final int SEQ = 0;
    private static final int START = 1;
    private static final int COMMIT = 2;
    private static final int INVOKE = 3;
    private static final int COMPLETE = 4;

    private long id;
    private long session;
    private long row;
    private byte status;
    private @Nullable String extra;
    private final long[] numbers = new long[COMPLETE + 1];

    // Arrays by operation.
    private final IntArrayList kindOf = new IntArrayList();
    private final LongArrayList keyOf = new LongArrayList();
    private final LongArrayList valueOf = new LongArrayList();
    private final NullableLongs versionOf = new NullableLongs();
    private final NullableLongs writerOf = new NullableLongs();
    private final NullableLongs orderOf = new NullableLongs();

    // The value of a list read is the index of its first element here; that index contains the number of elements.
    private final LongArrayList elements = new LongArrayList();
    private int list;

    private StringPool names = new StringPool();
    private int positioned; // operations that have a position
    private boolean areAscending = true; // whether those positions ascend
    private VersionCounter versions; // null if versions are not counted

    // ---------------------------------------------------------------- the transaction

    /**
     * Clears the previous transaction and starts a transaction that is committed and has no times unless they are set.
     */
    public void begin(long atRow, long txnId, long sessionId) {
        id = txnId;
        session = sessionId;
        row = atRow;
        status = TxnStatus.COMMITTED;
        extra = null;
        Arrays.fill(numbers, HistorySlice.NONE);
        versionOf.clear();
        writerOf.clear();
        orderOf.clear();
        kindOf.clear();
        keyOf.clear();
        valueOf.clear();
        elements.clear();
        positioned = 0;
        areAscending = true;
        if (names.size() > NAMES_KEPT) {
            names = new StringPool();
        }
    }

    public long id() {
        return id;
    }

    public long row() {
        return row;
    }

    public void status(byte of) {
        status = of;
    }

    public byte status() {
        return status;
    }

    /** Numbers the versions of committed writes in the order in which transactions are emitted. */
    @SetsFields
    public void countVersions(VersionCounter counter) {
        versions = counter;
    }

    public @Nullable String extra() {
        return extra;
    }

    public void extra(@Nullable String json) {
        extra = json;
    }

    /** Sets a nullable number of the transaction, including {@code session_seq}; {@code NONE} if unknown. */
    public long number(HistoryColumn column) {
        return numbers[position(column)];
    }

    public void number(HistoryColumn column, long number) {
        numbers[position(column)] = number;
    }

    private static int position(HistoryColumn column) {
        return switch (column) {
            case SESSION_SEQ -> SEQ;
            case START_TS -> START;
            case COMMIT_TS -> COMMIT;
            case INVOKE_NS -> INVOKE;
            case COMPLETE_NS -> COMPLETE;
            default -> throw new IllegalArgumentException("no number of transactions: column=" + column);
        };
    }

    // ---------------------------------------------------------------- operations

    /** Adds an operation; its key, and its value if it has one, are set afterwards. */
    public void op(byte kind) {
        kindOf.add(kind);
        keyOf.add(0);
        valueOf.add(0);
    }

    public void key(long key) {
        keyOf.set(keyOf.size() - 1, key);
    }

    public void key(byte[] utf8, int from, int length) {
        int op = kindOf.size() - 1;
        keyOf.set(op, names.intern(utf8, from, length));
        kindOf.set(op, kindOf.getInt(op) | KEY_IS_NAME);
    }

    public void value(long value) {
        valueOf.set(valueOf.size() - 1, value);
    }

    public void value(byte[] utf8, int from, int length) {
        int op = kindOf.size() - 1;
        valueOf.set(op, names.intern(utf8, from, length));
        kindOf.set(op, kindOf.getInt(op) | VALUE_IS_NAME);
    }

    public void version(long version) {
        versionOf.set(kindOf.size() - 1, version);
    }

    public void writer(long txn) {
        writerOf.set(kindOf.size() - 1, txn);
    }

    /** Sets the position in the transaction, if rows have one. */
    public void order(long order) {
        int op = kindOf.size() - 1;
        areAscending &= op == 0 || orderOf.getLong(op - 1) <= order;
        positioned++;
        orderOf.set(op, order);
    }

    /** Makes the operation added last a read of a list, whose elements follow. */
    public void beginList() {
        list = elements.size();
        elements.add(0);
        valueOf.set(valueOf.size() - 1, list);
    }

    public void element(long element) {
        elements.add(element);
        elements.set(list, elements.getLong(list) + 1);
    }

    /** Adds an element; the elements of a list are all numbers or all names. */
    public void element(byte[] utf8, int from, int length) {
        int op = kindOf.size() - 1;
        kindOf.set(op, kindOf.getInt(op) | VALUE_IS_NAME);
        element(names.intern(utf8, from, length));
    }

    // ---------------------------------------------------------------- output

    /**
     * Positions of the rows of a transaction.
     *
     * @param first the smallest
     * @param areMissing whether a position between the first and the last is missing
     */
    record Positions(long first, boolean areMissing) {

        /** Value used if not every row has a position. */
        static final Positions UNKNOWN = new Positions(0, false);
    }

    /** Returns the positions of the operations. */
    Positions positions() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        int count = kindOf.size();
        if (count == 0 || positioned < count) {
            return Positions.UNKNOWN;
        }
        for (int op = 0; op < count; op++) {
            long position = orderOf.getLong(op);
            first = Math.min(first, position);
            last = Math.max(last, position);
        }
        return new Positions(first, last - first >= count);
    }

    /** Emits the transaction as a row. */
    public void emit(RowSliceBuilder sink) {
        sink.beginRow(row);
        int count = kindOf.size();
        if (positioned == 0 || positioned == count && areAscending) {
            for (int op = 0; op < count; op++) {
                emitOp(op, sink);
            }
        } else {
            for (int op : inOrder()) {
                emitOp(op, sink);
            }
        }
        long seq = numbers[SEQ];
        SliceBuilder txn = sink.beginTxn(id, session, seq == HistorySlice.NONE ? sink.positionIn(session) : seq);
        txn.status(status).timestamps(numbers[START], numbers[COMMIT]).clientTimes(numbers[INVOKE], numbers[COMPLETE]);
        sink.endRow(extra);
    }

    /** Returns the operations sorted by position; operations with equal positions, or without, in order of arrival. */
    private int[] inOrder() {
        int[] order = new int[kindOf.size()];
        for (int op = 0; op < order.length; op++) {
            order[op] = op;
        }
        IntArrays.mergeSort(order, (left, right) -> Long.compare(orderOf.getLong(left), orderOf.getLong(right)));
        return order;
    }

    private void emitOp(int op, RowSliceBuilder sink) {
        int flags = kindOf.getInt(op);
        byte kind = (byte) (flags & KIND_BITS);
        long name = keyOf.getLong(op);
        long key = (flags & KEY_IS_NAME) == 0 ? sink.key(name) : keyNamed((int) name, sink);
        boolean isValueNamed = (flags & VALUE_IS_NAME) != 0;
        SliceBuilder ops = sink.ops();
        if (OpKind.hasList(kind)) {
            int at = (int) valueOf.getLong(op);
            int count = (int) elements.getLong(at);
            ops.beginList();
            for (int i = 1; i <= count; i++) {
                ops.element(value(elements.getLong(at + i), isValueNamed, sink));
            }
            ops.listRead(key);
        } else {
            ops.op(kind, key, OpKind.hasValue(kind) ? value(valueOf.getLong(op), isValueNamed, sink) : 0);
        }
        if (versions != null && OpKind.isWrite(kind) && status == TxnStatus.COMMITTED) {
            int n = (int) name;
            boolean isNamed = (flags & KEY_IS_NAME) != 0;
            ops.version(
                    isNamed ? versions.next(names.bytes(), names.firstByte(n), names.length(n)) : versions.next(name));
        } else if (versionOf.getLong(op) != HistorySlice.NONE) {
            ops.version(versionOf.getLong(op));
        }
        if (writerOf.getLong(op) != HistorySlice.NONE) {
            ops.writerTxn(writerOf.getLong(op));
        }
    }

    private long keyNamed(int name, RowSliceBuilder sink) {
        return sink.key(names.bytes(), names.firstByte(name), names.length(name));
    }

    private long value(long value, boolean isNamed, RowSliceBuilder sink) {
        if (!isNamed) {
            return sink.value(value);
        }
        int name = (int) value;
        return sink.value(names.bytes(), names.firstByte(name), names.length(name));
    }
}
