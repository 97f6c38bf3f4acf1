package io.nightjar.formats.history;

import static java.util.Objects.requireNonNull;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
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
     *   write, deletion done      the same guard, a write or an erasure
     *   write, deletion refused   a read of nothing
     *   outcome unknown           a write or an erasure, of a transaction that did not commit
     *
     * An addition to or removal from a set becomes a guard if its outcome is known, and a change if it took effect. A test
     * of a set becomes a guard.
     *
     * A deletion becomes an erasure. A missing old value is nothing. A version stays with the write, a writer with the
     * read. A guard or a read of nothing is omitted if an earlier own write satisfies it. If an own write contradicts a
     * guard, the guard becomes a read of nothing, because the transaction missed that write. If an own erasure does, it
     * becomes a guard that nothing satisfies.
     */

    private final HistorySlice slice;
    private final int[] firstOpOf;
    private final boolean isConditional;
    private final boolean keepsRelational;
    private final Long2LongOpenHashMap ownOf = new Long2LongOpenHashMap(0); // by key: the last own value
    private final LongOpenHashSet erased = new LongOpenHashSet(0); // keys that an own erasure left without a value
    private final Map<Element, Boolean> ownElements = new HashMap<>(); // whether an own change left it in its set
    private int count;
    private int[] opOf; // operation of the slice
    private byte[] kind;
    private long[] value;
    private @Nullable StringPool valueNames;

    private record Element(long key, long value) {}

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
            erased.clear();
            ownElements.clear();
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                if (OpKind.isConditional(slice.kind[op])) {
                    addConditional(op);
                } else if (!keepsRelational && slice.kind[op] == OpKind.READ_NOTHING) {
                    addAbsence(op);
                } else if (!keepsRelational && slice.kind[op] == OpKind.DELETE) {
                    add(op, OpKind.ERASE, 0);
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
        byte of = slice.kind[op];
        if (of == OpKind.HAS || of == OpKind.REMOVE || of == OpKind.ADD_ABSENT) {
            addOfElement(op);
            return;
        }
        long[] done = slice.numbers(HistoryColumn.DONE);
        String params = slice.text(HistoryColumn.PARAMS, op);
        boolean isKnown = done != null && done[op] != HistorySlice.NONE && (of != OpKind.CAS || params != null);
        boolean isDone = !isKnown || done[op] != 0;
        String old = params == null ? null : ConditionalWrites.oldValue(params);
        boolean isOnPresence = of == OpKind.UPDATE || of == OpKind.DELETE_PRESENT;
        if (isKnown && old != null) {
            addComparison(op, valueOf(old), isDone);
        } else if (isKnown && isOnPresence == isDone) {
            addPresence(op);
        } else if (isKnown) {
            addAbsence(op);
        }
        if (isDone && of == OpKind.DELETE_PRESENT) {
            add(op, keepsRelational ? OpKind.DELETE : OpKind.ERASE, 0);
        } else if (isDone) {
            add(op, OpKind.WRITE, slice.value[op]);
        }
    }

    private void addOfElement(int op) {
        byte of = slice.kind[op];
        long[] done = slice.numbers(HistoryColumn.DONE);
        boolean isKnown = done != null && done[op] != HistorySlice.NONE;
        boolean isDone = !isKnown || done[op] != 0;
        boolean wasIn = (of == OpKind.ADD_ABSENT) != isDone;
        Boolean isIn = ownElements.get(element(op));
        if (isKnown && isIn == null) {
            add(op, wasIn ? OpKind.CONTAINS : OpKind.LACKS, slice.value[op]);
        } else if (isIn != null && isKnown && isIn != wasIn) {
            add(op, OpKind.NEVER, 0);
        }
        if (of != OpKind.HAS && isDone) {
            add(op, of == OpKind.REMOVE ? OpKind.TAKE : OpKind.ADD, slice.value[op]);
        }
    }

    private Element element(int op) {
        return new Element(slice.key[op], slice.value[op]);
    }

    private void addComparison(int op, long old, boolean isEqual) {
        long key = slice.key[op];
        if (isEqual) {
            add(op, OpKind.READ, old);
        } else if (ownOf.containsKey(key) && ownOf.get(key) == old) {
            add(op, OpKind.READ_NOTHING, 0);
        } else if (!ownOf.containsKey(key) && !erased.contains(key)) {
            add(op, OpKind.UNEQUAL, old);
        }
    }

    private void addPresence(int op) {
        if (erased.contains(slice.key[op])) {
            add(op, OpKind.NEVER, 0);
        } else if (!ownOf.containsKey(slice.key[op])) {
            add(op, OpKind.PRESENT, 0);
        }
    }

    private void addAbsence(int op) {
        if (!erased.contains(slice.key[op])) {
            add(op, OpKind.READ_NOTHING, 0);
        }
    }

    private void add(int op, byte ofKind, long ofValue) {
        long key = slice.key[op];
        if (isConditional && (ofKind == OpKind.ADD || ofKind == OpKind.TAKE)) {
            ownElements.put(element(op), ofKind == OpKind.ADD);
        }
        if (ofKind == OpKind.WRITE) {
            erased.remove(key);
            if (isConditional) {
                ownOf.put(key, ofValue);
            }
        } else if (ofKind == OpKind.ERASE || ofKind == OpKind.DELETE) {
            ownOf.remove(key);
            erased.add(key);
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
            if (OpKind.isConditional(slice.kind[opOf[item]]) && OpKind.isWrite(kind[item]) == ofWrites) {
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
