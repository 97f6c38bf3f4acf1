package io.nightjar.formats.history;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
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
     * An increment with a result becomes a read of the value before it, and an increment.
     *
     * A predicate read becomes a guard of each key that it is about and that neither it returned nor an own change
     * explains, if these keys are given; an inspected row with a value becomes a read. A computed answer becomes a guard
     * of each key that the transaction did not change itself, with the own rows in its value.
     *
     * Where changes of a set conflict, each is followed by the removal of an element that no set has.
     *
     * A deletion becomes an erasure. A missing old value is nothing. A version stays with the write, a writer with the
     * read. A guard or a read of nothing is omitted if an earlier own write satisfies it. If an own write contradicts a
     * guard, the guard becomes a read of nothing, because the transaction missed that write. If an own erasure does, it
     * becomes a guard that nothing satisfies.
     */

    /** The element whose removal represents a change of its set, as a number and as text. */
    private static final long WHOLE_SET = HistorySlice.NONE + 1;

    private static final byte[] NO_ELEMENT = {1};

    private final HistorySlice slice;
    private final int[] firstOpOf;
    private final boolean isConditional;
    private final boolean keepsRelational;
    private final boolean readsResults;
    private final @Nullable SearchedKeys searched;
    private final boolean conflictsBySet;
    private final Long2LongOpenHashMap ownOf = new Long2LongOpenHashMap(0); // by key: the last own value
    private final LongOpenHashSet erased = new LongOpenHashSet(0); // keys that an own erasure left without a value
    private final Map<Element, Boolean> ownElements = new HashMap<>(); // whether an own change left it in its set
    private int count;
    private int[] opOf; // operation of the slice
    private byte[] kind;
    private long[] key;
    private long[] value;
    private ValueType keyType;
    private @Nullable StringPool keyNames;
    private @Nullable StringPool valueNames;

    private record Element(long key, long value) {}

    private ItemOps(
            HistorySlice slice,
            boolean keepsRelational,
            boolean readsResults,
            @Nullable SearchedKeys searched,
            boolean conflictsBySet) {
        this.readsResults = readsResults;
        this.conflictsBySet = conflictsBySet;
        this.slice = slice;
        this.searched = searched;
        this.keepsRelational = keepsRelational;
        this.firstOpOf = new int[slice.txnCount + 1];
        this.isConditional = slice.isConditional();
        int capacity = isConditional ? 2 * slice.opCount : slice.opCount;
        this.opOf = new int[capacity];
        this.kind = new byte[capacity];
        this.key = new long[capacity];
        this.value = new long[capacity];
        this.keyType = slice.keyType;
        this.keyNames = slice.keyNames;
        this.valueNames = slice.valueNames;
    }

    /** Returns the transactions of a slice as operations on items. */
    static HistorySlice of(HistorySlice slice, @Nullable SearchedKeys searched, boolean conflictsBySet) {
        return new ItemOps(slice, false, true, searched, conflictsBySet).items();
    }

    /** Returns the transactions of a slice without conditional writes. */
    static HistorySlice withoutConditions(HistorySlice slice, boolean readsResults) {
        return new ItemOps(slice, true, readsResults, null, false).items();
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
                } else if (searched != null && OpKind.isRelational(slice.kind[op])) {
                    addSearch(txn, op, searched);
                } else if (keepsRelational || !OpKind.isRelational(slice.kind[op])) {
                    addReadBefore(op);
                    add(op, slice.kind[op], slice.value[op]);
                }
            }
        }
        firstOpOf[slice.txnCount] = count;
        SliceBuilder items = slice.copy(slice.file);
        SliceBuilder.Columns columns = items.columns();
        columns.ops(
                count, firstOpOf, Arrays.copyOf(kind, count), Arrays.copyOf(key, count), Arrays.copyOf(value, count));
        columns.keyType(keyType, keyNames);
        columns.valueType(valueNames == slice.valueNames ? slice.valueType : ValueType.STRING, valueNames);
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            boolean isItems = HistoryColumn.OF_ITEM_OPS.contains(column);
            boolean isKept =
                    isItems || keepsRelational && column != HistoryColumn.DONE && column != HistoryColumn.RESULT;
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
        String params = slice.text(HistoryColumn.PARAMS, op);
        boolean isKnown = slice.has(HistoryColumn.DONE, op) && (of != OpKind.CAS || params != null);
        boolean isDone = !isKnown || slice.number(HistoryColumn.DONE, op) != 0;
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

    /** Adds the read that the result of an increment states. */
    private void addReadBefore(int op) {
        boolean hasResult = slice.kind[op] == OpKind.INCREMENT && slice.has(HistoryColumn.RESULT, op);
        if (!hasResult || !readsResults) {
            return;
        }
        if (slice.valueType == ValueType.LONG) {
            add(op, OpKind.READ, slice.number(HistoryColumn.RESULT, op) - slice.value[op]);
            return;
        }
        try {
            long before = slice.number(HistoryColumn.RESULT, op) - Long.parseLong(slice.valueText(slice.value[op]));
            add(op, OpKind.READ, valueOfText(SearchedKeys.utf8(Long.toString(before))));
        } catch (NumberFormatException notANumber) {
            // the key is no counter
        }
    }

    /** Adds the guards of a predicate read, or the read of an inspected row. */
    private void addSearch(int txn, int op, SearchedKeys keys) {
        if (slice.kind[op] == OpKind.UNMATCHED_ROW) {
            add(op, OpKind.READ, slice.value[op]);
        }
        boolean isSearch = OpKind.isPredicate(slice.kind[op]) && slice.status[txn] == TxnStatus.COMMITTED;
        Collection<String> names = isSearch ? keys.of(slice, txn, op) : List.of();
        if (isSearch && slice.hasKey(op) && keys.isImpossible(slice, txn, op)) {
            add(op, OpKind.NEVER, 0);
        }
        if (names.isEmpty()) {
            return;
        }
        boolean isComputed = !SearchedKeys.isGuard(slice, op);
        long[] rows = slice.numbers(HistoryColumn.ROWS);
        boolean areRowsKnown = SearchedKeys.areRowsKnown(slice, op);
        LongOpenHashSet others = new LongOpenHashSet(erased);
        others.addAll(ownOf.keySet());
        for (int row = op + 1; rows != null && areRowsKnown && !isComputed && row <= op + rows[op]; row++) {
            if (slice.kind[row] == OpKind.READ) {
                others.add(slice.key[row]);
            }
        }
        String text = isComputed
                ? SearchedKeys.answer(slice, op, op - slice.firstOpOf[txn], ownRows(op))
                : SearchedKeys.condition(slice, op);
        long condition = valueOfText(SearchedKeys.utf8(text));
        for (String name : names) {
            keyType = keys.haveNames() ? ValueType.STRING : ValueType.LONG;
            long ofName = keys.haveNames() ? keyOfText(SearchedKeys.utf8(name)) : Long.parseLong(name);
            if (!others.contains(ofName)) {
                add(op, isComputed ? OpKind.COMPUTED : OpKind.UNLIKE, condition);
                key[count - 1] = ofName;
            }
        }
    }

    /** Returns the rows that the transaction wrote before a predicate read of their relation. */
    private List<String> ownRows(int search) {
        String relation = slice.hasKey(search) ? slice.keyText(search) : null;
        List<String> rows = new ArrayList<>();
        for (Long2LongMap.Entry own : ownOf.long2LongEntrySet()) {
            String name = slice.keyNames == null ? "" : slice.keyNames.get((int) own.getLongKey());
            if (relation == null || SearchedKeys.relationOf(name).equals(relation)) {
                rows.add(slice.valueText(own.getLongValue()));
            }
        }
        return rows;
    }

    private void addOfElement(int op) {
        byte of = slice.kind[op];
        boolean isKnown = slice.has(HistoryColumn.DONE, op);
        boolean isDone = slice.number(HistoryColumn.DONE, op) != 0;
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
        long ofKey = slice.key[op];
        if (isConditional && (ofKind == OpKind.ADD || ofKind == OpKind.TAKE)) {
            ownElements.put(element(op), ofKind == OpKind.ADD);
        }
        if (ofKind == OpKind.WRITE) {
            erased.remove(ofKey);
            if (isConditional || searched != null) {
                ownOf.put(ofKey, ofValue);
            }
        } else if (ofKind == OpKind.ERASE || ofKind == OpKind.DELETE) {
            ownOf.remove(ofKey);
            erased.add(ofKey);
        }
        append(op, ofKind, ofValue);
        if (conflictsBySet && (ofKind == OpKind.ADD || ofKind == OpKind.TAKE)) {
            append(op, OpKind.TAKE, slice.valueType == ValueType.LONG ? WHOLE_SET : valueOfText(NO_ELEMENT));
        }
    }

    private void append(int op, byte ofKind, long ofValue) {
        if (count == kind.length) {
            grow();
        }
        opOf[count] = op;
        kind[count] = ofKind;
        key[count] = slice.key[op];
        value[count++] = ofValue;
    }

    private void grow() {
        int capacity = Math.addExact(count + 16, count >> 1);
        opOf = Arrays.copyOf(opOf, capacity);
        kind = Arrays.copyOf(kind, capacity);
        key = Arrays.copyOf(key, capacity);
        value = Arrays.copyOf(value, capacity);
    }

    private long valueOf(String json) {
        if (slice.valueType == ValueType.LONG) {
            return Long.parseLong(json);
        }
        return valueOfText(ConditionalWrites.text(json));
    }

    private int valueOfText(byte[] text) {
        valueNames = poolWith(text, valueNames, slice.valueNames);
        return valueNames.find(text, 0, text.length);
    }

    private int keyOfText(byte[] text) {
        keyNames = poolWith(text, keyNames, slice.keyNames);
        return keyNames.find(text, 0, text.length);
    }

    /** Returns a pool with a text; a copy of a pool that other slices may share, a new one of a slice without texts. */
    private static StringPool poolWith(byte[] text, @Nullable StringPool pool, @Nullable StringPool ofSlice) {
        if (pool != null && pool.find(text, 0, text.length) >= 0) {
            return pool;
        }
        StringPool own = pool == null ? new StringPool() : pool;
        if (pool != null && pool == ofSlice) {
            own = StringPool.like(pool);
            for (int name = 0; name < pool.size(); name++) {
                own.internFrom(pool, name);
            }
        }
        own.intern(text, 0, text.length);
        return own;
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
            boolean isKept = keepsRelational && !OpKind.isConditional(slice.kind[opOf[item]]);
            column[item] = isKept ? column[item] : HistorySlice.NONE;
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
