package io.nightjar.formats.history;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A batch of consecutive transactions of a history, as columns of primitives.
 *
 * <p>Slices are immutable by convention: a recipient reads the arrays and never writes to them. Arrays may be longer
 * than the counts; only the first {@link #txnCount} or {@link #opCount} entries are valid.
 */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
public final class HistorySlice {

    /*
     * Layout. A slice has three index domains, each a plain int local to the slice:
     *
     *   txn    0 .. txnCount     a transaction; its operations are firstOpOf[txn] .. firstOpOf[txn + 1]
     *   op     0 .. opCount      an operation, in program order inside its transaction
     *   list   0 .. lists.size() a list that reads are prefixes of
     *
     * key[op] and value[op] are the number itself if the history's keys (values) are int64, and an ordinal of keyNames
     * (valueNames) if they are strings. The meaning of value[op] depends on kind[op], see OpKind. Column groups that
     * were not requested are null; a missing entry of a nullable column is NONE.
     */

    /** A missing entry of a nullable int64 column. Readers reject this number as a timestamp, version or writer. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int OBJECT_BYTES = 512;
    private static final int TEXT_OVERHEAD_BYTES = 56;

    /** The file that contains the rows, as messages name it. */
    public final String file;

    /** Row of transaction 0 in {@code file}, counted from 1. */
    public final long firstRow;

    /** Whether rows are lines of text, and messages use that word. */
    public final boolean rowsAreLines;

    /** Row number relative to {@link #firstRow}, per transaction; null if rows are consecutive. */
    public final int[] rowOffsetOf;

    public final int txnCount;
    public final long[] txnId;
    public final long[] sessionId;
    public final long[] sessionSeq;

    /** A {@link TxnStatus} for each transaction. */
    public final byte[] status;

    public final long[] startTs;
    public final long[] commitTs;
    public final long[] invokeNs;
    public final long[] completeNs;

    /** A JSON object or null for each transaction; null if none has one. */
    public final String[] extra;

    public final int opCount;
    public final int[] firstOpOf;

    /** An {@link OpKind} for each operation. */
    public final byte[] kind;

    public final long[] key;
    public final long[] value;

    /** The version written or read; null if no operation has one. */
    public final long[] version;

    /** The transaction that wrote the version read, if the source states it; null if no operation has one. */
    public final long[] writerTxn;

    public final ValueType keyType;
    public final ValueType valueType;

    /** Names that {@link #key} refers to if {@link #keyType} is STRING, else null. */
    public final StringPool keyNames;

    /** Names that values and list elements refer to if {@link #valueType} is STRING, else null. */
    public final StringPool valueNames;

    public final ListPool lists;

    /** Table that the texts of operations are ordinals of; null if no operation has a text. */
    public final StringPool texts;

    private final long[][] numbers; // nullable numbers by column
    private final HistorySlice whole; // null unless this slice contains the items of another
    private int kinds; // cached bit set of the kinds that occur: 0 until computed

    /** @param whole the slice whose items these are; null if it is not a copy without relational operations */
    HistorySlice(SliceBuilder from, @Nullable HistorySlice whole) {
        this.whole = whole;
        this.file = from.file;
        this.numbers = from.numbers.clone();
        this.firstRow = from.firstRow;
        this.rowsAreLines = from.rowsAreLines;
        this.rowOffsetOf = from.rowOffsetOf;
        this.txnCount = from.txnCount;
        this.txnId = from.txnId;
        this.sessionId = from.sessionId;
        this.sessionSeq = from.sessionSeq;
        this.status = from.status;
        this.startTs = numbers(HistoryColumn.START_TS);
        this.commitTs = numbers(HistoryColumn.COMMIT_TS);
        this.invokeNs = numbers(HistoryColumn.INVOKE_NS);
        this.completeNs = numbers(HistoryColumn.COMPLETE_NS);
        this.extra = from.extra;
        this.opCount = from.opCount;
        this.firstOpOf = from.firstOpOf;
        this.kind = from.kind;
        this.key = from.key;
        this.value = from.value;
        this.version = numbers(HistoryColumn.VERSION);
        this.writerTxn = numbers(HistoryColumn.WRITER_TXN);
        this.keyType = from.keyType;
        this.valueType = from.valueType;
        this.keyNames = from.keyNames;
        this.valueNames = from.valueNames;
        this.lists = from.lists;
        this.texts = from.texts;
    }

    /** Returns a copy with other timestamps. */
    public HistorySlice withTimestamps(long[] starts, long[] commits) {
        SliceBuilder same = copy(file);
        same.columns().timestamps(starts, commits);
        return same.build();
    }

    /** Returns a copy with other numbers in a column. */
    public HistorySlice withNumbers(HistoryColumn column, long[] numbersOf) {
        SliceBuilder same = copy(file);
        same.columns().numbers(column, numbersOf);
        return same.build();
    }

    /** Returns a copy with other outcomes, completion times, and extras. */
    public HistorySlice withOutcomes(byte[] outcomes, long[] completed, String[] extras) {
        SliceBuilder same = copy(file);
        same.columns()
                .ids(txnId, sessionId, sessionSeq, outcomes)
                .numbers(HistoryColumn.COMPLETE_NS, completed)
                .extras(extras);
        return same.build();
    }

    /** Returns a copy with another file name in its location. */
    public HistorySlice withFile(String name) {
        return copy(name).build();
    }

    /** Returns a copy with the given columns only, as if no others had been read. */
    public HistorySlice withOnly(Set<ColumnGroup> wanted) {
        return copy(file).build(wanted);
    }

    /** Returns a builder of a copy whose keys, values and lists may be changed. */
    public SliceBuilder copyForChange() {
        SliceBuilder same = copy(file);
        same.columns()
                .ops(opCount, firstOpOf, kind, key.clone(), value.clone())
                .lists(lists == null ? null : lists.copy());
        return same;
    }

    /** Returns the first operation with a value, or with a list that has an element; -1 if none has. */
    public int firstOpWithValue() {
        for (int op = 0; op < opCount; op++) {
            if (OpKind.hasValue(kind[op]) || OpKind.hasList(kind[op]) && ListRef.length(value[op]) > 0) {
                return op;
            }
        }
        return -1;
    }

    /** Returns the first operation with a key; -1 if none has. */
    public int firstOpWithKey() {
        for (int op = 0; op < opCount; op++) {
            if (hasKey(op)) {
                return op;
            }
        }
        return -1;
    }

    /** Returns the location of the transaction of an operation. */
    public InputLocation locationOfOp(int op) {
        int txn = 0;
        while (firstOpOf[txn + 1] <= op) {
            txn++;
        }
        return locationOf(txn);
    }

    SliceBuilder copy(String name) {
        SliceBuilder same = new SliceBuilder(name);
        if (rowsAreLines) {
            same.rowsAreLines();
        }
        same.columns()
                .txns(txnCount, firstRow)
                .rowOffsets(rowOffsetOf)
                .ids(txnId, sessionId, sessionSeq, status)
                .extras(extra)
                .ops(opCount, firstOpOf, kind, key, value)
                .keyType(keyType, keyNames)
                .valueType(valueType, valueNames)
                .lists(lists)
                .texts(texts);
        for (HistoryColumn column : HistoryColumn.values()) {
            same.columns().numbers(column, numbers(column));
        }
        return same;
    }

    /** Returns a column of nullable numbers; null if it was not requested, or no operation has one. */
    public long[] numbers(HistoryColumn column) {
        return numbers[column.ordinal()];
    }

    /** Returns a nullable number of a transaction or operation, {@link #NONE} if it has none. */
    public long number(HistoryColumn column, int at) {
        return numbers(column) == null ? NONE : numbers(column)[at];
    }

    public boolean has(HistoryColumn column, int at) {
        return number(column, at) != NONE;
    }

    public long rowOf(int txn) {
        return firstRow + (rowOffsetOf == null ? txn : rowOffsetOf[txn]);
    }

    /** Returns the location of a transaction, as messages show it. */
    public InputLocation locationOf(int txn) {
        return rowsAreLines ? InputLocation.line(file, rowOf(txn)) : InputLocation.row(file, rowOf(txn));
    }

    /** Returns whether an operation has a key; only some predicate reads have none. */
    public boolean hasKey(int op) {
        return key[op] != NONE || !OpKind.isPredicate(kind[op]);
    }

    /** Returns a text of an operation; null if it has none. */
    public @Nullable String text(HistoryColumn column, int op) {
        return has(column, op) ? texts.get((int) number(column, op)) : null;
    }

    /** Returns whether a transaction changes nothing; true also if its operations were not read. */
    public boolean isReadOnly(int txn) {
        for (int op = firstOpOf == null ? 0 : firstOpOf[txn]; firstOpOf != null && op < firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(kind[op])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the effective commit timestamp of {@link #commitTs(long, long, boolean)}; {@link #NONE} if it is unknown.
     */
    public long commitTsOf(int txn) {
        return commitTsOf(txn, commitTs != null && isMissing(commitTs[txn]) && isReadOnly(txn));
    }

    /** Returns the commit timestamp of a transaction, given whether it is read-only. */
    public long commitTsOf(int txn, boolean isReadOnly) {
        return commitTs(startTs == null ? NONE : startTs[txn], commitTs == null ? NONE : commitTs[txn], isReadOnly);
    }

    /**
     * Returns the effective commit timestamp: a read-only transaction without one, or with 0, commits when it starts.
     */
    public static long commitTs(long startTs, long commitTs, boolean isReadOnly) {
        return isReadOnly && isMissing(commitTs) ? startTs : commitTs;
    }

    /** Returns whether a transaction that changes nothing has no commit timestamp: it is missing or 0. */
    public static boolean isMissing(long commitTs) {
        return commitTs == NONE || commitTs == 0;
    }

    /** Returns whether the slice contains predicate reads, inspected rows, or deletions. */
    public boolean isRelational() {
        return OpKind.isAnyRelational(kinds());
    }

    /** Returns whether the slice contains conditional writes. */
    public boolean isConditional() {
        return OpKind.isAnyConditional(kinds());
    }

    /** Returns whether the slice contains results of increments. */
    private boolean hasResults() {
        return numbers(HistoryColumn.RESULT) != null;
    }

    private int kinds() {
        if (kinds == 0) {
            int found = 0;
            for (int op = 0; op < opCount; op++) {
                found |= 1 << kind[op];
            }
            kinds = found;
        }
        return kinds;
    }

    /**
     * Returns the first transaction with a predicate read, an inspected row, a deletion, or a conditional write; -1 if
     * none has one.
     */
    public int firstTxnBeyondItems() {
        for (int txn = 0; txn < txnCount && (isRelational() || isConditional()); txn++) {
            for (int op = firstOpOf[txn]; op < firstOpOf[txn + 1]; op++) {
                if (!OpKind.isItem(kind[op])) {
                    return txn;
                }
            }
        }
        return -1;
    }

    /**
     * Returns a copy without predicate reads, inspected rows, and deletions, and with conditional writes as reads,
     * guards and writes; this slice if it has none of them.
     */
    public HistorySlice items() {
        return items(null, false);
    }

    /**
     * Returns the same with predicate reads as guards of the keys that they did not return.
     *
     * @param searched the keys that predicate reads are about; null if predicate reads are omitted
     * @param conflictsBySet whether two changes of a set conflict, even of different elements
     */
    public HistorySlice items(@Nullable SearchedKeys searched, boolean conflictsBySet) {
        boolean hasSets = conflictsBySet && firstOpOf != null && (kinds() >>> OpKind.ADD & 1) != 0;
        boolean hasMore = firstOpOf != null && (isRelational() || isConditional() || hasResults());
        return hasMore || hasSets ? ItemOps.of(this, searched, conflictsBySet) : this;
    }

    /** Returns a copy with conditional writes as reads, guards and writes; this slice if it has none. */
    public HistorySlice withoutConditions() {
        return firstOpOf != null && isConditional() ? ItemOps.withoutConditions(this, false) : this;
    }

    /** Returns the same with results of increments as reads before them, as findings are shown. */
    public HistorySlice shown() {
        return firstOpOf != null && (isConditional() || hasResults()) ? ItemOps.withoutConditions(this, true) : this;
    }

    /** Returns the slice from which {@link #items} created this slice, or this slice if none did. */
    public HistorySlice whole() {
        return whole == null ? this : whole;
    }

    /** Returns the key of an operation as text; null if it has none. */
    public @Nullable String keyText(int op) {
        if (!hasKey(op)) {
            return null;
        }
        return keyType == ValueType.STRING ? keyNames.get((int) key[op]) : Long.toString(key[op]);
    }

    /** Returns a scalar value as text. */
    public String valueText(long scalar) {
        return valueType == ValueType.STRING ? valueNames.get((int) scalar) : Long.toString(scalar);
    }

    /**
     * Returns the value of an operation, or the first element of its list, as text; the operation must have a value.
     */
    public String valueTextOf(int op) {
        return valueText(OpKind.hasList(kind[op]) ? lists.element(ListRef.list(value[op]), 0) : value[op]);
    }

    public boolean hasLists() {
        return lists != null && lists.size() > 0;
    }

    /** Returns the memory in bytes; name tables count fully, even if other slices share them. */
    public long byteSize() {
        long bytes = OBJECT_BYTES + status.length + (kind == null ? 0 : kind.length);
        for (int[] column : new int[][] {rowOffsetOf, firstOpOf}) {
            bytes += column == null ? 0 : (long) column.length * Integer.BYTES;
        }
        for (long[] column : new long[][] {txnId, sessionId, sessionSeq, key, value}) {
            bytes += column == null ? 0 : (long) column.length * Long.BYTES;
        }
        for (long[] column : numbers) {
            bytes += column == null ? 0 : (long) column.length * Long.BYTES;
        }
        bytes += keyNames == null ? 0 : keyNames.byteSize();
        bytes += valueNames == null ? 0 : valueNames.byteSize();
        bytes += texts == null ? 0 : texts.byteSize();
        return bytes + (lists == null ? 0 : lists.byteSize()) + extraBytes();
    }

    private long extraBytes() {
        long bytes = 0;
        for (int txn = 0; extra != null && txn < txnCount; txn++) {
            bytes += extra[txn] == null
                    ? Long.BYTES
                    : TEXT_OVERHEAD_BYTES + (long) extra[txn].length() * Character.BYTES;
        }
        return bytes;
    }
}
