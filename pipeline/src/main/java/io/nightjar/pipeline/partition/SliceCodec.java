package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import org.jspecify.annotations.Nullable;

/** Slices, or some of their transactions, as bytes for the wire. One instance for each thread: it owns scratch. */
public final class SliceCodec {

    /*
     *   form flags file keyType valueType
     *   transactions                         as SliceTxns writes them
     *   only if operations were read:
     *     operation counts                   packed
     *     versions writers ...               as SparseLongs writes them, in the order of HistoryColumn.OP_NUMBERS
     *     ALL:    operations                 as OpCodec writes them
     *     HEADS:  kinds                      two a byte
     *             [key of the first operation]
     *             position of the first operation with a value, [that value]
     *
     * The two examples of HEADS appear in the message of TypeAgreement.
     */

    private static final int ROWS_ARE_LINES = 1;
    private static final int HAS_OPS = 2;

    private static final ValueType[] TYPES = ValueType.values();
    private static final SliceForm[] FORMS = SliceForm.values();
    private static final byte[] HELD_BY = heldBy();

    private final SliceTxns txnCodec = new SliceTxns();
    private final OpCodec opCodec = new OpCodec(HELD_BY);
    private final SparseLongs sparse = new SparseLongs();
    private long[] longs = new long[64];
    private byte[] bytes = new byte[64];

    private HistorySlice slice; // the slice being encoded, or encoded last
    private int @Nullable [] txns; // null for all
    private int txnCount;
    private int opCount;

    // ---------------------------------------------------------------- encoding

    /** Appends a whole slice to a sink. */
    public void encode(HistorySlice from, SliceForm form, ByteWriter to) {
        encode(from, null, from.txnCount, form, to);
    }

    /** Appends some transactions of a slice: the first {@code count} of {@code which}, in their order there. */
    @SetsFields
    public void encode(HistorySlice from, int @Nullable [] which, int count, SliceForm form, ByteWriter to) {
        slice = from;
        txns = which;
        txnCount = count;
        to.putByte(form.ordinal());
        to.putByte((from.rowsAreLines ? ROWS_ARE_LINES : 0) | (from.firstOpOf != null ? HAS_OPS : 0));
        to.putString(from.file);
        to.putByte(from.keyType.ordinal());
        to.putByte(from.valueType.ordinal());
        txnCodec.encode(from, which, count, form == SliceForm.ALL, to);
        if (from.firstOpOf != null) {
            encodeOps(form, to);
        }
    }

    private void encodeOps(SliceForm form, ByteWriter to) {
        putOpCounts(to);
        boolean isAll = form == SliceForm.ALL;
        for (HistoryColumn column : HistoryColumn.OP_NUMBERS) {
            sparse.encode(gathered(slice.numbers(column)), opCount, isAll, to);
        }
        if (isAll) {
            encodeAll(to);
        } else {
            encodeHeads(to);
        }
    }

    private void putOpCounts(ByteWriter to) {
        ensureLongs(txnCount);
        int[] firstOpOf = slice.firstOpOf;
        opCount = 0;
        for (int i = 0; i < txnCount; i++) {
            int txn = txnAt(i);
            int count = firstOpOf[txn + 1] - firstOpOf[txn];
            longs[i] = count;
            opCount = Math.addExact(opCount, count);
        }
        PackedLongs.put(longs, txnCount, to);
    }

    private void encodeAll(ByteWriter to) {
        opCodec.begin(
                slice.keyType == ValueType.STRING ? slice.keyNames : null,
                slice.valueType == ValueType.STRING ? slice.valueNames : null,
                slice.lists);
        if (txns == null) {
            opCodec.add(slice.kind, slice.key, slice.value, 0, opCount);
        } else {
            for (int i = 0; i < txnCount; i++) {
                int first = slice.firstOpOf[txns[i]];
                opCodec.add(slice.kind, slice.key, slice.value, first, slice.firstOpOf[txns[i] + 1]);
            }
        }
        opCodec.finish(to);
    }

    private void encodeHeads(ByteWriter to) {
        to.putCodes(gatheredKinds(), opCount);
        if (opCount > 0) {
            putText(slice.keyType, slice.keyNames, slice.key[firstOp()], to);
        }
        int position = 0;
        for (int i = 0; i < txnCount && slice.valueType != ValueType.NONE; i++) {
            for (int op = slice.firstOpOf[txnAt(i)]; op < slice.firstOpOf[txnAt(i) + 1]; op++) {
                if (showsValue(op)) {
                    to.putVarint(position);
                    putText(slice.valueType, slice.valueNames, valueShown(op), to);
                    return;
                }
                position++;
            }
        }
        to.putVarint(opCount);
    }

    private int firstOp() {
        int i = 0;
        while (slice.firstOpOf[txnAt(i)] == slice.firstOpOf[txnAt(i) + 1]) {
            i++;
        }
        return slice.firstOpOf[txnAt(i)];
    }

    private boolean showsValue(int op) {
        return switch (HELD_BY[slice.kind[op]]) {
            case OpCodec.NOTHING -> false;
            case OpCodec.LIST -> ListRef.length(slice.value[op]) > 0;
            default -> true;
        };
    }

    private long valueShown(int op) {
        long value = slice.value[op];
        return HELD_BY[slice.kind[op]] == OpCodec.LIST ? slice.lists.element(ListRef.list(value), 0) : value;
    }

    private static void putText(ValueType type, StringPool names, long scalar, ByteWriter to) {
        if (type == ValueType.STRING) {
            to.putString(names.get((int) scalar));
        } else {
            to.putSigned(scalar);
        }
    }

    private int txnAt(int i) {
        return txns == null ? i : txns[i];
    }

    private long @Nullable [] gathered(long @Nullable [] column) {
        if (txns == null || column == null) {
            return column;
        }
        ensureLongs(opCount);
        int next = 0;
        for (int i = 0; i < txnCount; i++) {
            int first = slice.firstOpOf[txns[i]];
            int count = slice.firstOpOf[txns[i] + 1] - first;
            System.arraycopy(column, first, longs, next, count);
            next += count;
        }
        return longs;
    }

    private byte[] gatheredKinds() {
        if (txns == null) {
            return slice.kind;
        }
        if (bytes.length < opCount) {
            bytes = new byte[Math.max(opCount, bytes.length * 2)];
        }
        int next = 0;
        for (int i = 0; i < txnCount; i++) {
            int first = slice.firstOpOf[txns[i]];
            int count = slice.firstOpOf[txns[i] + 1] - first;
            System.arraycopy(slice.kind, first, bytes, next, count);
            next += count;
        }
        return bytes;
    }

    private void ensureLongs(int count) {
        if (longs.length < count) {
            longs = new long[Math.max(count, longs.length * 2)];
        }
    }

    // ---------------------------------------------------------------- decoding

    /** Returns the next slice of a feed. */
    public HistorySlice decode(ByteReader from) {
        SliceForm form = FORMS[from.getByte()];
        int flags = from.getByte();
        SliceBuilder builder = new SliceBuilder(from.getString());
        if ((flags & ROWS_ARE_LINES) != 0) {
            builder.rowsAreLines();
        }
        ValueType keyType = TYPES[from.getByte()];
        ValueType valueType = TYPES[from.getByte()];
        SliceBuilder.Columns columns = builder.columns();
        int count = txnCodec.decode(from, columns);
        if ((flags & HAS_OPS) == 0) {
            columns.ops(0, null, null, null, null);
            columns.keyType(keyType, names(keyType)).valueType(valueType, names(valueType));
            return builder.build();
        }
        int[] firstOpOf = getFirstOps(from, count);
        boolean isAll = form == SliceForm.ALL;
        for (HistoryColumn column : HistoryColumn.OP_NUMBERS) {
            columns.numbers(column, SparseLongs.decode(from, firstOpOf[count], isAll));
        }
        if (isAll) {
            decodeAll(from, firstOpOf, keyType, valueType, columns);
        } else {
            decodeHeads(from, firstOpOf, firstOpOf[count], keyType, valueType, columns);
        }
        return builder.build();
    }

    private int[] getFirstOps(ByteReader from, int count) {
        ensureLongs(count);
        PackedLongs.get(from, longs, count);
        int[] firstOpOf = new int[count + 1];
        for (int txn = 0; txn < count; txn++) {
            firstOpOf[txn + 1] = firstOpOf[txn] + (int) longs[txn];
        }
        return firstOpOf;
    }

    private void decodeAll(
            ByteReader from, int[] firstOpOf, ValueType keyType, ValueType valueType, SliceBuilder.Columns columns) {
        OpColumns ops = opCodec.decode(from, keyType == ValueType.STRING, valueType == ValueType.STRING);
        columns.ops(ops.opCount, firstOpOf, ops.kind, ops.key, ops.value);
        columns.keyType(keyType, ops.keyNames)
                .valueType(valueType, ops.valueNames)
                .lists(ops.lists);
    }

    private static void decodeHeads(
            ByteReader from,
            int[] firstOpOf,
            int opCount,
            ValueType keyType,
            ValueType valueType,
            SliceBuilder.Columns columns) {
        byte[] kind = new byte[opCount];
        from.getCodes(kind, opCount);
        StringPool keyNames = names(keyType);
        long[] key = opCount == 0 ? new long[0] : new long[] {getText(from, keyNames)};
        StringPool valueNames = names(valueType);
        int example = from.getCount();
        long[] value = new long[example == opCount ? opCount : example + 1];
        ListPool lists = null;
        if (example < opCount) {
            value[example] = getText(from, valueNames);
            if (HELD_BY[kind[example]] == OpCodec.LIST) {
                lists = new ListPool();
                value[example] = ListRef.of(lists.add(value, example, 1), 1);
            }
        }
        columns.ops(opCount, firstOpOf, kind, key, value);
        columns.keyType(keyType, keyNames).valueType(valueType, valueNames).lists(lists);
    }

    private static @Nullable StringPool names(ValueType type) {
        return type == ValueType.STRING ? new StringPool() : null;
    }

    private static long getText(ByteReader from, @Nullable StringPool names) {
        return names == null ? from.getSigned() : names.intern(from.getString());
    }

    private static byte[] heldBy() {
        byte[] heldBy = new byte[OpKind.COUNT];
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            heldBy[kind] =
                    OpKind.hasValue(kind) ? OpCodec.VALUE : OpKind.hasList(kind) ? OpCodec.LIST : OpCodec.NOTHING;
        }
        return heldBy;
    }
}
