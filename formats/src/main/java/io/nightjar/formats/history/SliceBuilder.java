package io.nightjar.formats.history;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builder of the columns of one {@link HistorySlice}, transaction by transaction or a column at a time.
 *
 * <p>By row: {@link #beginTxn}, its setters, its operations, {@link #endTxn}; a transaction that proves malformed is
 * discarded by {@link #cancelTxn}. Operations may also be added before their transaction is started, for files that
 * contain them first. By column: readers that decode whole columns pass them through {@link #columns}.
 */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
public final class SliceBuilder {

    private static final int NO_LIST = -1;
    private static final int MIN_TXNS = 64;
    private static final int MIN_OPS = 512;
    private static final long[] NO_LONGS = {};
    private static final byte[] NO_BYTES = {};
    private static final List<HistoryColumn> TXN_NUMBERS = HistoryColumn.TXN_NUMBERS;
    private static final List<HistoryColumn> OP_NUMBERS = HistoryColumn.OP_NUMBERS;
    private static final List<HistoryColumn> OP_TEXTS = HistoryColumn.OP_TEXTS;
    private static final HistoryColumn[] NO_COLUMNS = {};

    final String file;
    long firstRow = 1;
    boolean rowsAreLines;
    int[] rowOffsetOf;

    int txnCount;
    long[] txnId = NO_LONGS;
    long[] sessionId = NO_LONGS;
    long[] sessionSeq = NO_LONGS;
    byte[] status = NO_BYTES;
    String[] extra;

    /** Nullable numbers of transactions and of operations, by {@link HistoryColumn}; null if the slice has none. */
    final long[][] numbers = new long[HistoryColumn.COUNT][];

    int opCount;
    int[] firstOpOf = new int[1];
    byte[] kind = NO_BYTES;
    long[] key = NO_LONGS;
    long[] value = NO_LONGS;

    ValueType keyType = ValueType.NONE;
    ValueType valueType = ValueType.NONE;
    StringPool keyNames;
    StringPool valueNames;
    ListPool lists;
    StringPool texts; // null until an operation has one

    private HistoryColumn[] opColumns = NO_COLUMNS; // nullable columns of the operations added so far

    private long[] listBuffer = NO_LONGS;
    private int listLength;
    private Long2IntOpenHashMap maxListLengthOf; // by key; null until the first list is added

    public SliceBuilder(String file) {
        this.file = file;
        for (HistoryColumn column : TXN_NUMBERS) {
            numbers[column.ordinal()] = NO_LONGS;
        }
    }

    /** Allocates the given capacity at once, to avoid growing by steps. */
    public void expect(int txns, int ops) {
        ensureTxns(txns);
        growOps(ops);
    }

    /** Marks rows as lines of text, so that messages use that word. */
    public void rowsAreLines() {
        rowsAreLines = true;
    }

    public int txnCount() {
        return txnCount;
    }

    public int opCount() {
        return opCount;
    }

    /** Returns the number of operations and list elements, which determines whether a slice is full. */
    public int weight() {
        return opCount + (lists == null ? 0 : lists.elementCount());
    }

    // ---------------------------------------------------------------- transactions

    /** Starts a transaction that is committed and has no timestamps unless they are set. */
    public SliceBuilder beginTxn(long row, long id, long session, long seq) {
        ensureTxns(txnCount + 1);
        if (txnCount == 0) {
            firstRow = row;
        }
        setRow(row);
        txnId[txnCount] = id;
        sessionId[txnCount] = session;
        sessionSeq[txnCount] = seq;
        status[txnCount] = TxnStatus.COMMITTED;
        for (HistoryColumn column : TXN_NUMBERS) {
            numbers[column.ordinal()][txnCount] = HistorySlice.NONE;
        }
        if (extra != null) {
            extra[txnCount] = null;
        }
        return this;
    }

    public SliceBuilder status(byte code) {
        status[txnCount] = code;
        return this;
    }

    public SliceBuilder timestamps(long start, long commit) {
        txnNumber(HistoryColumn.START_TS, start);
        return txnNumber(HistoryColumn.COMMIT_TS, commit);
    }

    public SliceBuilder clientTimes(long invoke, long complete) {
        txnNumber(HistoryColumn.INVOKE_NS, invoke);
        return txnNumber(HistoryColumn.COMPLETE_NS, complete);
    }

    /** Sets a nullable number of the current transaction. */
    public SliceBuilder txnNumber(HistoryColumn column, long number) {
        numbers[column.ordinal()][txnCount] = number;
        return this;
    }

    public SliceBuilder extra(@Nullable String json) {
        if (json != null && extra == null) {
            extra = new String[txnId.length];
        }
        if (extra != null) {
            extra[txnCount] = json;
        }
        return this;
    }

    public void endTxn() {
        txnCount++;
        firstOpOf[txnCount] = opCount;
    }

    /** Discards the current transaction and its operations. Names and lists that it added remain unused. */
    public void cancelTxn() {
        opCount = firstOpOf[txnCount];
    }

    // ---------------------------------------------------------------- operations

    /** Makes keys int64. Returns false if they are already strings. */
    public boolean keysAreLongs() {
        return keysAre(ValueType.LONG, null);
    }

    /** Makes keys strings. Returns false if they are already int64. */
    public boolean keysAreStrings() {
        return keysAre(ValueType.STRING, null);
    }

    /** Makes values int64. Returns false if they are already strings. */
    public boolean valuesAreLongs() {
        return valuesAre(ValueType.LONG, null);
    }

    /** Makes values strings. Returns false if they are already int64. */
    public boolean valuesAreStrings() {
        return valuesAre(ValueType.STRING, null);
    }

    /**
     * Sets the type of keys. Returns false if they already have another type.
     *
     * @param type NONE for any
     * @param model strings of the same type, plain or JSON; null for plain strings
     */
    public boolean keysAre(ValueType type, @Nullable StringPool model) {
        if (keyType == ValueType.NONE) {
            keyType = type;
            keyNames = type == ValueType.STRING ? StringPool.like(model) : null;
        }
        return type == ValueType.NONE || keyType == type && areAlike(keyNames, model);
    }

    /** Sets the type of values, as {@link #keysAre} does that of keys. */
    public boolean valuesAre(ValueType type, @Nullable StringPool model) {
        if (valueType == ValueType.NONE) {
            valueType = type;
            valueNames = type == ValueType.STRING ? StringPool.like(model) : null;
        }
        return type == ValueType.NONE || valueType == type && areAlike(valueNames, model);
    }

    private static boolean areAlike(@Nullable StringPool names, @Nullable StringPool model) {
        return names == null || model == null || names.isJson() == model.isJson();
    }

    /** Replaces every key by the ordinal of a name. */
    public void nameKeys(StringPool names, LongUnaryOperator ordinalOf) {
        boolean hasKeys = keyType != ValueType.NONE;
        keyType = ValueType.STRING;
        keyNames = names;
        for (int op = 0; op < opCount && hasKeys; op++) {
            if (key[op] != HistorySlice.NONE || !OpKind.isPredicate(kind[op])) {
                key[op] = ordinalOf.applyAsLong(key[op]);
            }
        }
        if (hasKeys && maxListLengthOf != null) {
            Long2IntOpenHashMap renamed = new Long2IntOpenHashMap();
            renamed.defaultReturnValue(NO_LIST);
            maxListLengthOf
                    .long2IntEntrySet()
                    .forEach(entry -> renamed.put(ordinalOf.applyAsLong(entry.getLongKey()), entry.getIntValue()));
            maxListLengthOf = renamed;
        }
    }

    /** Replaces every value, and every element of a list, by the ordinal of a name. */
    public void nameValues(StringPool names, LongUnaryOperator ordinalOf) {
        boolean hasValues = valueType != ValueType.NONE;
        valueType = ValueType.STRING;
        valueNames = names;
        for (int op = 0; op < opCount && hasValues; op++) {
            if (OpKind.hasValue(kind[op])) {
                value[op] = ordinalOf.applyAsLong(value[op]);
            }
        }
        if (hasValues && lists != null) {
            lists.replaceElements(ordinalOf);
        }
        for (int i = 0; i < listLength && hasValues; i++) {
            listBuffer[i] = ordinalOf.applyAsLong(listBuffer[i]);
        }
    }

    /** Returns the names of string keys; valid after {@link #keysAreStrings}. */
    public StringPool keyNames() {
        return keyNames;
    }

    /** Returns the names of string values; valid after {@link #valuesAreStrings}. */
    public StringPool valueNames() {
        return valueNames;
    }

    /** Adds an operation whose key and value are numbers, ordinals of names, or a {@link ListRef}. */
    public void op(byte opKind, long opKey, long opValue) {
        if (opCount == kind.length) {
            growOps(opCount + 1);
        }
        kind[opCount] = opKind;
        key[opCount] = opKey;
        value[opCount] = opValue;
        for (HistoryColumn column : opColumns) {
            numbers[column.ordinal()][opCount] = HistorySlice.NONE;
        }
        opCount++;
    }

    /** Sets the version of the operation added last. */
    public void version(long of) {
        opNumber(HistoryColumn.VERSION, of);
    }

    /** Sets the writer of the version that the operation added last read. */
    public void writerTxn(long id) {
        opNumber(HistoryColumn.WRITER_TXN, id);
    }

    /** Sets a nullable number of the operation added last. */
    public void opNumber(HistoryColumn column, long number) {
        long[] ofOps = numbers[column.ordinal()];
        if (ofOps == null) {
            ofOps = new long[kind.length];
            Arrays.fill(ofOps, HistorySlice.NONE);
            numbers[column.ordinal()] = ofOps;
            opColumns = Arrays.copyOf(opColumns, opColumns.length + 1);
            opColumns[opColumns.length - 1] = column;
        }
        ofOps[opCount - 1] = number;
        if (column == HistoryColumn.DONE && number != HistorySlice.NONE) {
            kind[opCount - 1] = OpKind.withOutcome(kind[opCount - 1]);
        }
    }

    /** Sets a text of the operation added last. */
    public void opText(HistoryColumn column, byte[] utf8, int offset, int length) {
        opNumber(column, texts().intern(utf8, offset, length));
    }

    /** Sets a text of the operation added last. */
    public void opText(HistoryColumn column, String text) {
        opNumber(column, texts().intern(text));
    }

    StringPool texts() {
        if (texts == null) {
            texts = new StringPool();
        }
        return texts;
    }

    /** Returns the key of an operation added before. */
    public long keyOf(int op) {
        return key[op];
    }

    /** Replaces kind, key and value of an operation added before; its nullable columns are unchanged. */
    public void setOp(int op, byte opKind, long opKey, long opValue) {
        kind[op] = opKind;
        key[op] = opKey;
        value[op] = opValue;
    }

    /** Returns the position of the next operation, for a later call of {@link #setOpNumber}. */
    public int nextOp() {
        return opCount;
    }

    /** Sets a nullable number of an operation added before. */
    public void setOpNumber(HistoryColumn column, int op, long number) {
        int count = opCount;
        opCount = op + 1;
        opNumber(column, number);
        opCount = count;
    }

    /** Sets a nullable text of an operation added before. */
    public void setOpText(HistoryColumn column, int op, byte[] utf8, int offset, int length) {
        setOpNumber(column, op, texts().intern(utf8, offset, length));
    }

    /**
     * Returns the error in the conditional writes of the transaction being added, or null.
     *
     * @param ofTxn the {@link TxnStatus} of the transaction
     */
    public @Nullable InputError conditionFault(byte ofTxn) {
        return ConditionalWrites.fault(
                kind,
                numbers[HistoryColumn.PARAMS.ordinal()],
                numbers[HistoryColumn.DONE.ordinal()],
                texts,
                valueType,
                ofTxn,
                firstOpOf[txnCount],
                opCount);
    }

    /** Returns the error in the predicate reads of the transaction being added, or null. */
    public @Nullable InputError predicateFault() {
        return PredicateReadRules.fault(
                kind,
                numbers[HistoryColumn.PREDICATE.ordinal()],
                numbers[HistoryColumn.PARAMS.ordinal()],
                numbers[HistoryColumn.ROWS.ordinal()],
                numbers[HistoryColumn.READ_TS.ordinal()],
                numbers[HistoryColumn.LIMIT.ordinal()],
                numbers[HistoryColumn.ORDER.ordinal()],
                firstOpOf[txnCount],
                opCount);
    }

    /** Starts a list read; {@link #element} for each element, then {@link #listRead}. */
    public void beginList() {
        listLength = 0;
    }

    public void element(long element) {
        if (listLength == listBuffer.length) {
            listBuffer = Arrays.copyOf(listBuffer, Growth.newCapacity(listLength, listLength + 1));
        }
        listBuffer[listLength++] = element;
    }

    /** Adds a read that returned the elements given since {@link #beginList}. */
    public void listRead(long opKey) {
        op(OpKind.READ_LIST, opKey, prefixOfKnownList(opKey, listBuffer, 0, listLength));
    }

    /**
     * Returns a {@link ListRef} to these elements: a prefix of the key's longest read if possible, otherwise a new
     * list.
     */
    long prefixOfKnownList(long opKey, long[] elements, int first, int length) {
        if (lists == null) {
            lists = new ListPool();
        }
        if (maxListLengthOf == null) {
            maxListLengthOf = new Long2IntOpenHashMap();
            maxListLengthOf.defaultReturnValue(NO_LIST);
        }
        int maxListLength = maxListLengthOf.get(opKey);
        if (maxListLength == NO_LIST) {
            int list = lists.add(elements, first, length);
            maxListLengthOf.put(opKey, list);
            return ListRef.of(list, length);
        }
        int known = lists.length(maxListLength);
        int start = lists.firstElement(maxListLength);
        int common = Math.min(known, length);
        boolean agree = Arrays.equals(lists.elements(), start, start + common, elements, first, first + common);
        if (agree && length <= known) {
            return ListRef.of(maxListLength, length);
        }
        int list = lists.add(elements, first, length);
        if (agree) {
            maxListLengthOf.put(opKey, list);
        }
        return ListRef.of(list, length);
    }

    /** Reopens the transaction ended last, so that operations and columns can be added. */
    public void reopenTxn() {
        txnCount--;
    }

    // ---------------------------------------------------------------- copying rows

    /** Appends one transaction of another slice, with all its columns, names and lists. */
    public void copyTxn(HistorySlice from, int txn) {
        copyTxn(from, txn, from.rowOf(txn), CopyFilter.ALL);
    }

    /** Copies a transaction as the given row, without the parts that the filter rejects. */
    public void copyTxn(HistorySlice from, int txn, long row, CopyFilter kept) {
        new RowCopy(from, kept, this).copy(txn, row);
    }

    // ---------------------------------------------------------------- whole columns

    /** Returns setters for whole columns, for readers that decode a column at a time. Arrays are not copied. */
    public Columns columns() {
        return new Columns();
    }

    /** Setters for whole columns; the counts are set first. */
    public final class Columns {

        private Columns() {}

        public Columns txns(int count, long row) {
            txnCount = count;
            firstRow = row;
            return this;
        }

        public Columns rowOffsets(int[] offsets) {
            rowOffsetOf = offsets;
            return this;
        }

        public Columns ids(long[] txns, long[] sessions, long[] seqs, byte[] statuses) {
            txnId = txns;
            sessionId = sessions;
            sessionSeq = seqs;
            status = statuses;
            return this;
        }

        /** Sets the timestamps; null, null if not requested. */
        public Columns timestamps(long @Nullable [] starts, long @Nullable [] commits) {
            numbers(HistoryColumn.START_TS, starts);
            return numbers(HistoryColumn.COMMIT_TS, commits);
        }

        /** Sets the client times; null, null if not requested. */
        public Columns clientTimes(long @Nullable [] invokes, long @Nullable [] completes) {
            numbers(HistoryColumn.INVOKE_NS, invokes);
            return numbers(HistoryColumn.COMPLETE_NS, completes);
        }

        public Columns extras(String @Nullable [] objects) {
            extra = objects;
            return this;
        }

        public Columns ops(
                int count,
                int @Nullable [] firstOps,
                byte @Nullable [] kinds,
                long @Nullable [] keys,
                long @Nullable [] values) {
            opCount = count;
            firstOpOf = firstOps;
            kind = kinds;
            key = keys;
            value = values;
            return this;
        }

        public Columns keyType(ValueType type, @Nullable StringPool names) {
            keyType = type;
            keyNames = names;
            return this;
        }

        public Columns valueType(ValueType type, @Nullable StringPool names) {
            valueType = type;
            valueNames = names;
            return this;
        }

        /** Sets a column of nullable numbers; null if it was not requested or does not occur. */
        public Columns numbers(HistoryColumn column, long @Nullable [] of) {
            numbers[column.ordinal()] = of;
            return this;
        }

        /** Sets the table that the texts of operations are ordinals of; null if no operation has a text. */
        public Columns texts(@Nullable StringPool pool) {
            texts = pool;
            return this;
        }

        /**
         * Sets the lists that {@link ListRef}s among the values refer to, for callers that determine shared prefixes
         * themselves.
         */
        public Columns lists(@Nullable ListPool pool) {
            lists = pool;
            return this;
        }

        /** Returns the {@link ListRef} for a list read of a key. */
        public long listRef(long opKey, long[] elements, int first, int length) {
            return prefixOfKnownList(opKey, elements, first, length);
        }
    }

    // ---------------------------------------------------------------- end

    /** Builds the slice; the builder must not be used afterwards. */
    public HistorySlice build() {
        return new HistorySlice(this, null);
    }

    /** Builds the slice, as the items of another. */
    HistorySlice buildItemsOf(HistorySlice whole) {
        return new HistorySlice(this, whole);
    }

    /** Builds the slice without columns that were not requested, so that all readers return the same columns. */
    public HistorySlice build(Set<ColumnGroup> wanted) {
        for (HistoryColumn column : HistoryColumn.values()) {
            if (column.group() != null && !wanted.contains(column.group())) {
                numbers[column.ordinal()] = null;
            }
        }
        if (!wanted.contains(ColumnGroup.EXTRA)) {
            extra = null;
        }
        return new HistorySlice(this, null);
    }

    private void setRow(long row) {
        long offset = row - firstRow;
        if (rowOffsetOf == null) {
            if (offset == txnCount) {
                return;
            }
            rowOffsetOf = new int[txnId.length];
            for (int txn = 0; txn < txnCount; txn++) {
                rowOffsetOf[txn] = txn;
            }
        }
        rowOffsetOf[txnCount] = Math.toIntExact(offset);
    }

    private void ensureTxns(int needed) {
        if (needed <= txnId.length) {
            return;
        }
        int capacity = Math.max(MIN_TXNS, Growth.newCapacity(txnId.length, needed));
        txnId = Arrays.copyOf(txnId, capacity);
        sessionId = Arrays.copyOf(sessionId, capacity);
        sessionSeq = Arrays.copyOf(sessionSeq, capacity);
        status = Arrays.copyOf(status, capacity);
        growNumbers(TXN_NUMBERS, capacity);
        firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
        if (extra != null) {
            extra = Arrays.copyOf(extra, capacity);
        }
        if (rowOffsetOf != null) {
            rowOffsetOf = Arrays.copyOf(rowOffsetOf, capacity);
        }
    }

    private void growOps(int needed) {
        int capacity = Math.max(MIN_OPS, Growth.newCapacity(kind.length, needed));
        kind = Arrays.copyOf(kind, capacity);
        key = Arrays.copyOf(key, capacity);
        value = Arrays.copyOf(value, capacity);
        growNumbers(OP_NUMBERS, capacity);
        growNumbers(OP_TEXTS, capacity);
    }

    private void growNumbers(List<HistoryColumn> columns, int capacity) {
        for (HistoryColumn column : columns) {
            long[] grown = numbers[column.ordinal()];
            numbers[column.ordinal()] = grown == null ? null : Arrays.copyOf(grown, capacity);
        }
    }
}
