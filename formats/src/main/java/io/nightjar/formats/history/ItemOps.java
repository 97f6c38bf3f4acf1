package io.nightjar.formats.history;

import static java.util.Objects.requireNonNull;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a slice to reads, guards and writes of items, including the rows of predicate reads, for checks that support
 * no other operations; or replaces its conditional writes only.
 */
final class ItemOps {

    /*
     * Conditional writes become:
     *
     *   compare-and-set done      a read of the old value, a write of the new one
     *   compare-and-set failed    the guard that the value is not the old one
     *   insertion done            a read of nothing, a write
     *   insertion refused         the guard that the key has a value
     *   outcome unknown           a write, of a transaction that did not commit
     *
     * A missing old value is nothing. A version stays with the write, a writer with the read. A guard that an earlier own
     * write satisfies is omitted. A guard that an own write contradicts becomes a read of nothing: the transaction missed
     * its write.
     */

    private final HistorySlice slice;
    private final int[] firstOpOf;
    private final boolean isConditional;
    private final boolean keepsRelational;
    private final Long2LongOpenHashMap ownOf = new Long2LongOpenHashMap(0); // by key: the last own value
    private int count;
    private int[] opOf; // operation of the slice
    private byte[] kind;
    private long[] value;
    private @Nullable StringPool valueNames;

    private ItemOps(HistorySlice slice, boolean keepsRelational) {
        this.slice = slice;
        this.keepsRelational = keepsRelational;
        this.firstOpOf = new int[slice.txnCount + 1];
        this.isConditional = slice.isConditional();
        int capacity = isConditional ? 2 * slice.opCount : slice.opCount;
        this.opOf = new int[capacity];
        this.kind = new byte[capacity];
        this.value = new long[capacity];
        this.valueNames = slice.valueNames;
    }

    /** Returns the transactions of a slice as operations on items. */
    static HistorySlice of(HistorySlice slice) {
        return new ItemOps(slice, false).items();
    }

    /** Returns the transactions of a slice without conditional writes. */
    static HistorySlice withoutConditions(HistorySlice slice) {
        return new ItemOps(slice, true).items();
    }

    private HistorySlice items() {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            firstOpOf[txn] = count;
            ownOf.clear();
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                if (OpKind.isConditional(slice.kind[op])) {
                    addConditional(op);
                } else if (keepsRelational || !OpKind.isRelational(slice.kind[op])) {
                    add(op, slice.kind[op], slice.value[op]);
                }
            }
        }
        firstOpOf[slice.txnCount] = count;
        SliceBuilder items = slice.copy(slice.file);
        SliceBuilder.Columns columns = items.columns();
        columns.ops(
                count,
                firstOpOf,
                Arrays.copyOf(kind, count),
                requireNonNull(gathered(slice.key)),
                Arrays.copyOf(value, count));
        columns.valueType(slice.valueType, valueNames);
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            boolean isItems = HistoryColumn.OF_ITEM_OPS.contains(column);
            boolean isKept = isItems || keepsRelational && column != HistoryColumn.DONE;
            columns.numbers(column, isKept ? gathered(slice.numbers(column)) : null);
        }
        clearParams(items.numbers[HistoryColumn.PARAMS.ordinal()]);
        clear(slice.version == null ? null : items.numbers[HistoryColumn.VERSION.ordinal()], false);
        clear(slice.writerTxn == null ? null : items.numbers[HistoryColumn.WRITER_TXN.ordinal()], true);
        columns.texts(keepsRelational ? slice.texts : null);
        return items.buildItemsOf(slice);
    }

    private void addConditional(int op) {
        long[] done = slice.numbers(HistoryColumn.DONE);
        String params = slice.text(HistoryColumn.PARAMS, op);
        boolean isKnown =
                done != null && done[op] != HistorySlice.NONE && (slice.kind[op] == OpKind.INSERT || params != null);
        boolean isDone = !isKnown || done[op] != 0;
        String old = params == null ? null : ConditionalWrites.oldValue(params);
        if (isKnown && isDone) {
            add(op, old == null ? OpKind.READ_NOTHING : OpKind.READ, old == null ? 0 : valueOf(old));
        } else if (isKnown && !ownOf.containsKey(slice.key[op])) {
            add(op, old == null ? OpKind.PRESENT : OpKind.UNEQUAL, old == null ? 0 : valueOf(old));
        } else if (isKnown && old != null && ownOf.get(slice.key[op]) == valueOf(old)) {
            add(op, OpKind.READ_NOTHING, 0);
        }
        if (isDone) {
            add(op, OpKind.WRITE, slice.value[op]);
        }
    }

    private void add(int op, byte ofKind, long ofValue) {
        if (isConditional && ofKind == OpKind.WRITE) {
            ownOf.put(slice.key[op], ofValue);
        } else if (ofKind == OpKind.DELETE) {
            ownOf.remove(slice.key[op]);
        }
        opOf[count] = op;
        kind[count] = ofKind;
        value[count++] = ofValue;
    }

    private long valueOf(String json) {
        if (slice.valueType == ValueType.LONG) {
            return Long.parseLong(json);
        }
        byte[] text = ConditionalWrites.text(json);
        int known = requireNonNull(valueNames).find(text, 0, text.length);
        if (known >= 0) {
            return known;
        }
        if (valueNames == slice.valueNames) { // other slices may share it
            StringPool own = StringPool.like(valueNames);
            for (int name = 0; name < slice.valueNames.size(); name++) {
                own.internFrom(slice.valueNames, name);
            }
            valueNames = own;
        }
        return valueNames.intern(text, 0, text.length);
    }

    /** Removes numbers from the half of a conditional write that they do not concern. */
    private void clear(long @Nullable [] column, boolean ofWrites) {
        for (int item = 0; isConditional && column != null && item < count; item++) {
            if (OpKind.isConditional(slice.kind[opOf[item]]) && (kind[item] == OpKind.WRITE) == ofWrites) {
                column[item] = HistorySlice.NONE;
            }
        }
    }

    private void clearParams(long @Nullable [] column) {
        for (int item = 0; column != null && item < count; item++) {
            column[item] = OpKind.isConditional(slice.kind[opOf[item]]) ? HistorySlice.NONE : column[item];
        }
    }

    private long @Nullable [] gathered(long[] column) {
        if (column == null) {
            return null;
        }
        long[] gathered = new long[count];
        Arrays.setAll(gathered, item -> column[opOf[item]]);
        return gathered;
    }
}
