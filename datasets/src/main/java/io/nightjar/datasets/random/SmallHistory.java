package io.nightjar.datasets.random;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A history of a few transactions as plain objects, rows in order: what brute force and shrinking work on.
 *
 * <p>Keys and values are text. They are int64 in slices if every one of them is a number, and strings otherwise.
 *
 * @param initialValue the value that means the initial state as null does, or null if there is none
 */
public record SmallHistory(List<Txn> txns, String initialValue) {

    private static final String FILE = "small.txt";

    public SmallHistory {
        txns = List.copyOf(txns);
    }

    /**
     * One row.
     *
     * @param status a {@link TxnStatus}
     * @param start {@link HistorySlice#NONE} if missing
     * @param commit {@link HistorySlice#NONE} if missing
     */
    public record Txn(long id, long session, long seq, byte status, long start, long commit, List<Op> ops) {

        public Txn {
            ops = List.copyOf(ops);
        }

        /** Whether nothing in it changes a key. */
        public boolean isReadOnly() {
            return ops.stream().noneMatch(Op::isWrite);
        }

        public List<Op> opsOn(String key) {
            return ops.stream().filter(op -> op.key().equals(key)).toList();
        }

        public Txn withOps(List<Op> other) {
            return new Txn(id, session, seq, status, start, commit, other);
        }
    }

    /**
     * One operation.
     *
     * @param kind an {@link OpKind}
     * @param value what was written, or read from a register; null for a list and for nothing
     * @param elements what was read from a list or set; null otherwise
     */
    public record Op(byte kind, String key, String value, List<String> elements) {

        public Op {
            elements = elements == null ? null : List.copyOf(elements);
        }

        public static Op write(String key, String value) {
            return new Op(OpKind.WRITE, key, value, null);
        }

        public static Op append(String key, String value) {
            return new Op(OpKind.APPEND, key, value, null);
        }

        public static Op read(String key, String value) {
            return new Op(value == null ? OpKind.READ_NOTHING : OpKind.READ, key, value, null);
        }

        public static Op readList(String key, List<String> elements) {
            return new Op(OpKind.READ_LIST, key, null, elements);
        }

        public boolean isRead() {
            return OpKind.isRead(kind);
        }

        public boolean isWrite() {
            return OpKind.isWrite(kind);
        }
    }

    public List<String> keys() {
        TreeSet<String> keys = new TreeSet<>();
        txns.forEach(txn -> txn.ops().forEach(op -> keys.add(op.key())));
        return List.copyOf(keys);
    }

    /** The same rows in another order. */
    public SmallHistory shuffled(long seed) {
        List<Txn> rows = new ArrayList<>(txns);
        Collections.shuffle(rows, new Random(seed));
        return withTxns(rows);
    }

    public SmallHistory withTxns(List<Txn> rows) {
        return new SmallHistory(rows, initialValue);
    }

    /** The history as columns. */
    public List<HistorySlice> slices(int txnsPerSlice) {
        boolean longKeys = keys().stream().allMatch(SmallHistory::isLong);
        boolean longValues = everyValue(SmallHistory::isLong);
        List<HistorySlice> slices = new ArrayList<>();
        for (int first = 0; first < txns.size(); first += txnsPerSlice) {
            SliceBuilder builder = new SliceBuilder(FILE);
            for (int row = first; row < Math.min(first + txnsPerSlice, txns.size()); row++) {
                Txn txn = txns.get(row);
                builder.beginTxn(row + 1L, txn.id(), txn.session(), txn.seq());
                builder.status(txn.status()).timestamps(txn.start(), txn.commit());
                txn.ops().forEach(op -> addOp(builder, op, longKeys, longValues));
                builder.endTxn();
            }
            slices.add(builder.build());
        }
        return slices;
    }

    private boolean everyValue(Predicate<String> test) {
        for (Txn txn : txns) {
            for (Op op : txn.ops()) {
                if (op.value() != null && !test.test(op.value())) {
                    return false;
                }
                if (op.elements() != null && !op.elements().stream().allMatch(test)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isLong(String text) {
        return text.matches("-?[0-9]{1,18}");
    }

    private static void addOp(SliceBuilder builder, Op op, boolean longKeys, boolean longValues) {
        if (longKeys) {
            builder.keysAreLongs();
        } else {
            builder.keysAreStrings();
        }
        long key = longKeys ? Long.parseLong(op.key()) : builder.keyNames().intern(op.key());
        if (op.kind() == OpKind.READ_LIST) {
            builder.beginList();
            op.elements().forEach(element -> builder.element(scalar(builder, element, longValues)));
            builder.listRead(key);
        } else {
            builder.op(op.kind(), key, op.value() == null ? 0 : scalar(builder, op.value(), longValues));
        }
    }

    private static long scalar(SliceBuilder builder, String text, boolean longValues) {
        if (longValues) {
            builder.valuesAreLongs();
            return Long.parseLong(text);
        }
        builder.valuesAreStrings();
        return builder.valueNames().intern(text);
    }

    /** The history in notation, one transaction a line, sessions in their order. */
    public String toText() {
        return SmallNotation.print(this);
    }

    /** Reads what {@link #toText} wrote. */
    public static SmallHistory parse(String text) {
        return SmallNotation.parse(text);
    }

    @Override
    public String toString() {
        return toText();
    }
}
