package io.nightjar.formats.table;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.RowSink;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

/** Transactions whose operations are still coming, one at a time or many side by side, in columns. */
public final class TxnGatherer {

    /** No transaction. */
    public static final int NONE = -1;

    private static final int KIND_BITS = 0xff;
    private static final int KEY_IS_NAME = 1 << 8;
    private static final int VALUE_IS_NAME = 1 << 9;
    private static final int NAMES_KEPT = 1 << 11;

    // Transaction t.
    private final LongArrayList idOf = new LongArrayList();
    private final LongArrayList sessionOf = new LongArrayList();
    private final NullableLongs seqOf = new NullableLongs();
    private final LongArrayList rowOf = new LongArrayList();
    private final NullableLongs startOf = new NullableLongs();
    private final NullableLongs commitOf = new NullableLongs();
    private final NullableLongs invokeOf = new NullableLongs();
    private final NullableLongs completeOf = new NullableLongs();
    private final IntArrayList statusOf = new IntArrayList();
    private final IntArrayList firstOpOf = new IntArrayList();
    private final IntArrayList lastOpOf = new IntArrayList();
    private final List<String> extraOf = new ArrayList<>();

    // Operation o; nextOf links those of one transaction.
    private final IntArrayList kindOf = new IntArrayList();
    private final LongArrayList keyOf = new LongArrayList();
    private final LongArrayList valueOf = new LongArrayList();
    private final NullableLongs versionOf = new NullableLongs();
    private final NullableLongs writerOf = new NullableLongs();
    private final NullableLongs orderOf = new NullableLongs();
    private final IntArrayList nextOf = new IntArrayList();

    // A list read has the place of its first element here as its value; the number of elements stands there.
    private final LongArrayList elements = new LongArrayList();
    private int list;

    private StringTable names = new StringTable();
    private boolean isOrdered = true;
    private VersionCounter versions; // null if versions are not counted

    // ---------------------------------------------------------------- transactions

    public int size() {
        return idOf.size();
    }

    /** A transaction that is committed and has no times until told otherwise. */
    public int begin(long row, long id, long session) {
        idOf.add(id);
        sessionOf.add(session);
        rowOf.add(row);
        statusOf.add(TxnStatus.COMMITTED);
        firstOpOf.add(NONE);
        lastOpOf.add(NONE);
        extraOf.add(null);
        return idOf.size() - 1;
    }

    /** Takes back the transaction begun last, which has no operations. */
    void cancel() {
        int txn = idOf.size() - 1;
        for (LongArrayList column : List.of(idOf, sessionOf, rowOf)) {
            column.size(txn);
        }
        for (NullableLongs column : List.of(seqOf, startOf, commitOf, invokeOf, completeOf)) {
            column.cut(txn);
        }
        statusOf.size(txn);
        firstOpOf.size(txn);
        lastOpOf.size(txn);
        extraOf.remove(txn);
    }

    public long id(int txn) {
        return idOf.getLong(txn);
    }

    public long session(int txn) {
        return sessionOf.getLong(txn);
    }

    public long row(int txn) {
        return rowOf.getLong(txn);
    }

    public void status(int txn, byte status) {
        statusOf.set(txn, status);
    }

    public byte status(int txn) {
        return (byte) statusOf.getInt(txn);
    }

    /** Gives the writes of committed transactions versions in the order in which they are handed on. */
    public void countVersions(VersionCounter counter) {
        versions = counter;
    }

    public String extra(int txn) {
        return extraOf.get(txn);
    }

    public void extra(int txn, String json) {
        extraOf.set(txn, json);
    }

    /** The column of a nullable number of transactions, {@code session_seq} included. */
    public NullableLongs numbers(HistoryColumn column) {
        return switch (column) {
            case SESSION_SEQ -> seqOf;
            case START_TS -> startOf;
            case COMMIT_TS -> commitOf;
            case INVOKE_NS -> invokeOf;
            case COMPLETE_NS -> completeOf;
            default -> throw new IllegalArgumentException("no number of transactions: column=" + column);
        };
    }

    public int opCount() {
        return kindOf.size();
    }

    /** Forgets everything, for those who have handed all transactions on. */
    public void clear() {
        for (LongArrayList column : List.of(idOf, sessionOf, rowOf)) {
            column.clear();
        }
        for (NullableLongs column :
                List.of(seqOf, startOf, commitOf, invokeOf, completeOf, versionOf, writerOf, orderOf)) {
            column.cut(0);
        }
        statusOf.clear();
        firstOpOf.clear();
        lastOpOf.clear();
        extraOf.clear();
        kindOf.clear();
        keyOf.clear();
        valueOf.clear();
        nextOf.clear();
        elements.clear();
        isOrdered = true;
        if (names.size() > NAMES_KEPT) {
            names = new StringTable();
        }
    }

    // ---------------------------------------------------------------- operations

    /** Adds an operation; its key, and its value if it has one, are set behind. */
    public void op(int txn, byte kind) {
        int op = kindOf.size();
        kindOf.add(kind);
        keyOf.add(0);
        valueOf.add(0);
        nextOf.add(NONE);
        int before = lastOpOf.getInt(txn);
        if (before == NONE) {
            firstOpOf.set(txn, op);
        } else {
            nextOf.set(before, op);
        }
        lastOpOf.set(txn, op);
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

    /** The position in the transaction, where rows say it. */
    public void order(long order) {
        isOrdered = false;
        orderOf.set(kindOf.size() - 1, order);
    }

    /** The operation added last is a read of a list, whose elements follow. */
    public void beginList() {
        list = elements.size();
        elements.add(0);
        valueOf.set(valueOf.size() - 1, list);
    }

    public void element(long element) {
        elements.add(element);
        elements.set(list, elements.getLong(list) + 1);
    }

    /** Elements of a list are all numbers or all names. */
    public void element(byte[] utf8, int from, int length) {
        int op = kindOf.size() - 1;
        kindOf.set(op, kindOf.getInt(op) | VALUE_IS_NAME);
        element(names.intern(utf8, from, length));
    }

    // ---------------------------------------------------------------- handing on

    /**
     * The positions that the rows of a transaction say they have in it.
     *
     * @param first the least
     * @param areMissing whether there is none between the first and the last
     */
    record Positions(long first, boolean areMissing) {

        /** Not each row says its own. */
        static final Positions UNKNOWN = new Positions(0, false);
    }

    /** The positions of a transaction's operations. */
    Positions positions(int txn) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long count = 0;
        for (int op = firstOpOf.getInt(txn); op != NONE; op = nextOf.getInt(op)) {
            long position = orderOf.getLong(op);
            if (position == HistorySlice.NONE) {
                return Positions.UNKNOWN;
            }
            first = Math.min(first, position);
            last = Math.max(last, position);
            count++;
        }
        return count == 0 ? Positions.UNKNOWN : new Positions(first, last - first >= count);
    }

    /** Makes a row of a transaction. */
    public void emit(int txn, RowSink sink) {
        sink.beginRow(rowOf.getLong(txn));
        if (isOrdered) {
            for (int op = firstOpOf.getInt(txn); op != NONE; op = nextOf.getInt(op)) {
                emitOp(txn, op, sink);
            }
        } else {
            for (int op : inOrder(txn)) {
                emitOp(txn, op, sink);
            }
        }
        long session = sessionOf.getLong(txn);
        long seq = seqOf.getLong(txn);
        SliceBuilder row =
                sink.beginTxn(idOf.getLong(txn), session, seq == HistorySlice.NONE ? sink.positionIn(session) : seq);
        row.status((byte) statusOf.getInt(txn))
                .timestamps(startOf.getLong(txn), commitOf.getLong(txn))
                .clientTimes(invokeOf.getLong(txn), completeOf.getLong(txn));
        sink.endRow(extraOf.get(txn));
    }

    /** Operations by their positions; those at one position, or without, as they came. */
    private int[] inOrder(int txn) {
        IntArrayList ops = new IntArrayList();
        for (int op = firstOpOf.getInt(txn); op != NONE; op = nextOf.getInt(op)) {
            ops.add(op);
        }
        int[] order = ops.toIntArray();
        IntArrays.mergeSort(order, (left, right) -> Long.compare(orderOf.getLong(left), orderOf.getLong(right)));
        return order;
    }

    private void emitOp(int txn, int op, RowSink sink) {
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
        if (versions != null && OpKind.isWrite(kind) && statusOf.getInt(txn) == TxnStatus.COMMITTED) {
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

    private long keyNamed(int name, RowSink sink) {
        return sink.key(names.bytes(), names.firstByte(name), names.length(name));
    }

    private long value(long value, boolean isNamed, RowSink sink) {
        if (!isNamed) {
            return sink.value(value);
        }
        int name = (int) value;
        return sink.value(names.bytes(), names.firstByte(name), names.length(name));
    }
}
