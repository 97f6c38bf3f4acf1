package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OmittedCondition;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.LongOrdinals;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A history of tables as columns: its transactions, and all their operations with the names of keys, rows and conditions. */
final class TableHistory {

    /*
     * Layout.
     *
     *   txn     0 .. txnCount     in the order of the rows; operations firstOpOf[txn] .. firstOpOf[txn + 1]
     *   key     0 .. keyCount     of rows; relationOf[key] is the part of its name in front of the first slash
     *   value   ordinal of a distinct row, or NONE; cells(value) are its columns
     */

    static final int NONE = -1;
    private static final Object[] NO_PARAMS = new Object[0];

    /** Prefix of a row that only records a deletion. */
    private static final String DELETED = "{\"$deleted\":";

    private static final Object[] NO_CELLS = new Object[0];
    private static final long BYTES_PER_TXN = 120;
    private static final long BYTES_PER_OP = 9;
    private static final long BYTES_PER_PREDICATE_READ = 24;
    private static final int BYTES_PER_ROW = 160;
    private static final int MAX_TEXT_CHARS = 160;
    static final long NO_NUMBER = HistorySlice.NONE;

    @Nullable
    String initialValue; // value read for the initial state besides no row; null if none

    private final @Nullable TableLane lane; // null if it is the whole history
    int txnCount;
    long[] txnId = new long[64];
    long[] sessionId = new long[64];
    long[] sessionSeq = new long[64];
    byte[] status = new byte[64];
    long[] startTs = new long[64];
    long[] commitTs = new long[64];
    String[] location = new String[64]; // file of each; with its row below
    long[] row = new long[64];
    int[] firstOpOf = new int[65];
    private boolean @Nullable [] writesElsewhere; // by transaction: keys of other lanes; null without lanes

    int opCount;
    byte[] kind = new byte[512];
    int[] key = new int[512]; // of a predicate read which one it is
    int[] value = new int[512];
    private long @Nullable [] version; // null until an operation has one
    private long @Nullable [] writer;

    boolean isOfTables; // whether it has predicate reads, rows read by them, or deletions
    boolean hasDeletions;
    boolean hasPredicates;
    boolean saysReadTs; // whether a predicate read names its snapshot
    int predicateReadCount; // predicate reads
    private int[] relationOfPredicateRead = new int[64]; // NONE for all
    private int[] predicateOf = new int[64];
    private int[] paramsOf = new int[64];
    private int[] rowCountOf = new int[64]; // NONE if it is not known
    private long[] readTsOf = new long[64];
    private final Int2ObjectOpenHashMap<OmittedCondition> limitedOf =
            new Int2ObjectOpenHashMap<>(0); // by predicate read
    private final Int2ObjectOpenHashMap<String> limitTextOf = new Int2ObjectOpenHashMap<>(0);

    private final Names keyNames = new Names();
    private final StringPool relationNames = new StringPool();
    private final Names valueNames = new Names();
    private final Names texts = new Names();
    private int[] relationOf = new int[64];
    private final LongOrdinals txnIds = new LongOrdinals();

    private final RowCells rowCells = new RowCells();
    private Object[][] cells = new Object[0][];
    private RowRanks[] ranksOf = new RowRanks[0]; // by column, null until requested
    private RowCondition[] conditionOf = new RowCondition[0]; // by text, once all is there
    private String[] faultOf = new String[0];
    private Object[][] parsedParamsOf = new Object[0][];
    private final Map<String, Object> conditionOfLimited = new HashMap<>(); // or why it is not understood
    private int[][] keysOf; // by relation, once all is there
    private int[] allKeys;

    /** @param lane whose operations are kept; null if all are */
    TableHistory(@Nullable TableLane lane) {
        this.lane = lane;
        this.writesElsewhere = lane == null ? null : new boolean[64];
    }

    // ---------------------------------------------------------------- filling

    /** Adds whole slices in the order of the rows. */
    void add(HistorySlice slice) {
        keyNames.begin(slice.keyType, slice.keyNames);
        valueNames.begin(slice.valueType, slice.valueNames);
        texts.begin(ValueType.STRING, slice.texts);
        growOps(slice.opCount);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            growTxns();
            txnId[txnCount] = slice.txnId[txn];
            sessionId[txnCount] = slice.sessionId[txn];
            sessionSeq[txnCount] = slice.sessionSeq[txn];
            status[txnCount] = slice.status[txn];
            startTs[txnCount] = slice.startTs == null ? NO_NUMBER : slice.startTs[txn];
            commitTs[txnCount] = slice.commitTs == null ? NO_NUMBER : slice.commitTs[txn];
            location[txnCount] = slice.file;
            row[txnCount] = slice.rowOf(txn);
            txnIds.ordinal(slice.txnId[txn]);
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                if (lane == null || lane.has(slice, op)) {
                    addOp(slice, op);
                } else if (writesElsewhere != null && TableVersions.isWrite(slice.kind[op])) {
                    writesElsewhere[txnCount] = true;
                }
            }
            txnCount++;
            firstOpOf[txnCount] = opCount;
        }
    }

    private void addOp(HistorySlice slice, int op) {
        byte code = slice.kind[op];
        kind[opCount] = code;
        isOfTables |= OpKind.isRelational(code);
        hasDeletions |= code == OpKind.DELETE;
        hasPredicates |= OpKind.isPredicate(code);
        key[opCount] = OpKind.isPredicate(code) ? indexPredicateRead(slice, op) : key(slice, op);
        value[opCount] = OpKind.hasValue(code) ? valueNames.ordinal(slice.value[op]) : NONE;
        version = put(version, number(slice, HistoryColumn.VERSION, op));
        writer = put(writer, number(slice, HistoryColumn.WRITER_TXN, op));
        opCount++;
    }

    /** Stores a number of the current operation in a column, which exists from the first number on. */
    private long @Nullable [] put(long @Nullable [] column, long number) {
        long[] there = column;
        if (there == null) {
            if (number == NO_NUMBER) {
                return null;
            }
            there = new long[kind.length];
            Arrays.fill(there, 0, opCount, NO_NUMBER);
        }
        there[opCount] = number;
        return there;
    }

    private int indexPredicateRead(HistorySlice slice, int op) {
        if (predicateReadCount == predicateOf.length) {
            int capacity = 2 * predicateReadCount;
            relationOfPredicateRead = Arrays.copyOf(relationOfPredicateRead, capacity);
            predicateOf = Arrays.copyOf(predicateOf, capacity);
            paramsOf = Arrays.copyOf(paramsOf, capacity);
            rowCountOf = Arrays.copyOf(rowCountOf, capacity);
            readTsOf = Arrays.copyOf(readTsOf, capacity);
        }
        relationOfPredicateRead[predicateReadCount] =
                slice.hasKey(op) ? relationNames.intern(requireNonNull(slice.keyText(op))) : NONE;
        predicateOf[predicateReadCount] = text(slice, HistoryColumn.PREDICATE, op);
        paramsOf[predicateReadCount] = text(slice, HistoryColumn.PARAMS, op);
        long rowCount = number(slice, HistoryColumn.ROWS, op);
        rowCountOf[predicateReadCount] =
                rowCount == NO_NUMBER ? NONE : lane == null ? (int) rowCount : inLane(slice, op, (int) rowCount, lane);
        readTsOf[predicateReadCount] = number(slice, HistoryColumn.READ_TS, op);
        saysReadTs |= readTsOf[predicateReadCount] != NO_NUMBER;
        long limit = number(slice, HistoryColumn.LIMIT, op);
        if (limit != NO_NUMBER) {
            String order = slice.text(HistoryColumn.ORDER, op);
            limitedOf.put(predicateReadCount, OmittedCondition.of(slice, op));
            limitTextOf.put(predicateReadCount, (order == null ? "" : " ORDER BY " + order) + " LIMIT " + limit);
        }
        return predicateReadCount++;
    }

    /** Returns how many of the rows of a predicate read belong to the lane. */
    private static int inLane(HistorySlice slice, int op, int rows, TableLane lane) {
        int count = 0;
        for (int row = op + 1; row <= op + rows; row++) {
            count += lane.has(slice, row) ? 1 : 0;
        }
        return count;
    }

    private int key(HistorySlice slice, int op) {
        int before = keyNames.size();
        int ordinal = keyNames.ordinal(slice.key[op]);
        if (ordinal == before) {
            if (ordinal >= relationOf.length) {
                relationOf = Arrays.copyOf(relationOf, ordinal * 2);
            }
            String name = keyNames.get(ordinal);
            int slash = name.indexOf('/');
            relationOf[ordinal] = relationNames.intern(slash < 0 ? "" : name.substring(0, slash));
        }
        return ordinal;
    }

    private static long number(HistorySlice slice, HistoryColumn column, int op) {
        long[] numbers = slice.numbers(column);
        return numbers == null ? NO_NUMBER : numbers[op];
    }

    private int text(HistorySlice slice, HistoryColumn column, int op) {
        long[] ordinals = slice.numbers(column);
        return ordinals == null || ordinals[op] == NO_NUMBER ? NONE : texts.ordinal(ordinals[op]);
    }

    private void growTxns() {
        if (txnCount + 1 < txnId.length) {
            return;
        }
        int capacity = 2 * txnId.length;
        txnId = Arrays.copyOf(txnId, capacity);
        sessionId = Arrays.copyOf(sessionId, capacity);
        sessionSeq = Arrays.copyOf(sessionSeq, capacity);
        status = Arrays.copyOf(status, capacity);
        startTs = Arrays.copyOf(startTs, capacity);
        commitTs = Arrays.copyOf(commitTs, capacity);
        location = Arrays.copyOf(location, capacity);
        row = Arrays.copyOf(row, capacity);
        writesElsewhere = writesElsewhere == null ? null : Arrays.copyOf(writesElsewhere, capacity);
        firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
    }

    private void growOps(int more) {
        if (opCount + more <= kind.length) {
            return;
        }
        int capacity = Math.max(opCount + more, (int) Math.min(Integer.MAX_VALUE - 8, kind.length * 3L / 2));
        kind = Arrays.copyOf(kind, capacity);
        key = Arrays.copyOf(key, capacity);
        value = Arrays.copyOf(value, capacity);
        version = version == null ? null : Arrays.copyOf(version, capacity);
        writer = writer == null ? null : Arrays.copyOf(writer, capacity);
    }

    /** Returns the approximate bytes stored, including the structures that {@link #finish} will create. */
    long byteSize() {
        long numbers = (version == null ? 0 : Long.BYTES) + (writer == null ? 0 : Long.BYTES);
        return BYTES_PER_TXN * txnId.length
                + (BYTES_PER_OP + numbers) * kind.length
                + BYTES_PER_PREDICATE_READ * predicateOf.length
                + (long) BYTES_PER_ROW * valueNames.size()
                + valueNames.byteSize()
                + keyNames.byteSize()
                + texts.byteSize();
    }

    /** Returns the approximate bytes of transactions and predicate reads, without rows and other operations. */
    static long minBytes(long txnCount, long predicateCount) {
        return BYTES_PER_TXN * txnCount + (BYTES_PER_OP + BYTES_PER_PREDICATE_READ) * predicateCount;
    }

    /** Completes the history once all rows are there. */
    @SetsFields
    void finish() {
        turnReadsOfCounters();
        turnInitialReads();
        cells = new Object[predicateReadCount == 0 ? 0 : valueNames.size()][];
        for (int ordinal = 0; ordinal < cells.length; ordinal++) {
            String row = valueNames.get(ordinal);
            cells[ordinal] = row.startsWith(DELETED) ? NO_CELLS : rowCells.row(row);
        }
        ranksOf = new RowRanks[rowCells.columnCount()];
        int[] counts = new int[relationNames.size()];
        for (int k = 0; k < keyCount(); k++) {
            counts[relationOf[k]]++;
        }
        keysOf = new int[counts.length][];
        for (int relation = 0; relation < counts.length; relation++) {
            keysOf[relation] = new int[counts[relation]];
        }
        Arrays.fill(counts, 0);
        for (int k = 0; k < keyCount(); k++) {
            keysOf[relationOf[k]][counts[relationOf[k]]++] = k;
        }
        allKeys = new int[keyCount()];
        Arrays.setAll(allKeys, k -> k);
        parseConditions();
    }

    /** Converts reads of keys that anything but rows changes, such as counters, to reads that no check interprets. */
    private void turnReadsOfCounters() {
        boolean[] isOfRows = new boolean[keyCount()];
        Arrays.fill(isOfRows, true);
        for (int op = 0; op < opCount; op++) {
            if (OpKind.isWrite(kind[op]) && !TableVersions.isWrite(kind[op])) {
                isOfRows[key[op]] = false;
            }
        }
        for (int op = 0; op < opCount; op++) {
            if (TableVersions.isRead(kind[op]) && !isOfRows[key[op]]) {
                kind[op] = OpKind.READ_LIST;
                value[op] = NONE;
            }
        }
    }

    /**
     * Converts reads of the initial value to reads of nothing, except for keys to which a transaction that may have
     * committed wrote it.
     */
    private void turnInitialReads() {
        int initial = NONE;
        for (int name = 0; initialValue != null && name < valueNames.size(); name++) {
            initial = valueNames.get(name).equals(initialValue) ? name : initial;
        }
        if (initial == NONE) {
            return;
        }
        boolean[] isWritten = new boolean[keyCount()];
        for (int txn = 0; txn < txnCount; txn++) {
            for (int op = firstOpOf[txn]; status[txn] != TxnStatus.ABORTED && op < firstOpOf[txn + 1]; op++) {
                if (kind[op] == OpKind.WRITE && value[op] == initial) {
                    isWritten[key[op]] = true;
                }
            }
        }
        for (int op = 0; op < opCount; op++) {
            boolean isInitial = kind[op] == OpKind.READ && value[op] == initial && !isWritten[key[op]];
            if (isInitial && version(op) == NO_NUMBER && writer(op) == NO_NUMBER) {
                kind[op] = OpKind.READ_NOTHING;
                value[op] = NONE;
            }
        }
    }

    private void parseConditions() {
        conditionOf = new RowCondition[texts.size()];
        faultOf = new String[texts.size()];
        ConditionTemplates templates = new ConditionTemplates(this::column);
        parsedParamsOf = new Object[texts.size()][];
        for (OmittedCondition omitted : limitedOf.values()) {
            conditionOfLimited.computeIfAbsent(omitted.condition(), text -> {
                try {
                    return templates.parse(text);
                } catch (ConditionException fault) {
                    return requireNonNull(fault.getMessage());
                }
            });
        }
        for (int predicateRead = 0; predicateRead < predicateReadCount; predicateRead++) {
            int text = predicateOf[predicateRead];
            if (conditionOf[text] == null && faultOf[text] == null) {
                try {
                    conditionOf[text] = templates.parse(texts.get(text));
                } catch (ConditionException fault) {
                    faultOf[text] = fault.getMessage();
                }
            }
        }
    }

    // ---------------------------------------------------------------- names

    int keyCount() {
        return keyNames.size();
    }

    String keyName(int ordinal) {
        return keyNames.get(ordinal);
    }

    /** Returns a row as text; null if none. */
    @Nullable
    String valueText(int ordinal) {
        return ordinal == NONE ? null : valueNames.get(ordinal);
    }

    /** Returns the transaction of an id, or NONE. */
    int txnOfId(long id) {
        return txnIds.find(id);
    }

    /** Returns whether a transaction writes keys of other lanes. */
    boolean writesElsewhere(int txn) {
        return writesElsewhere != null && writesElsewhere[txn];
    }

    /** Returns whether an answer was computed of the rows of a relation, which are in all lanes. */
    boolean hasAnswers() {
        for (RowCondition condition : conditionOf) {
            if (condition != null && condition.aggregate() != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns the location and id of a transaction, for messages. */
    String locationOf(int txn) {
        return location[txn] + " row=" + row[txn] + " txn_id=" + txnId[txn];
    }

    /** Returns the transaction of an operation. */
    int txnOfOp(int op) {
        int found = Arrays.binarySearch(firstOpOf, 0, txnCount + 1, op);
        if (found < 0) {
            return -found - 2;
        }
        while (firstOpOf[found + 1] == op) {
            found++;
        }
        return found;
    }

    /** Returns the version that an operation wrote or read; NO_NUMBER if not recorded. */
    long version(int op) {
        return version == null ? NO_NUMBER : version[op];
    }

    /** Returns the transaction that an operation names as its writer; NO_NUMBER if not recorded. */
    long writer(int op) {
        return writer == null ? NO_NUMBER : writer[op];
    }

    boolean saysWriters() {
        return writer != null;
    }

    int relationOf(int rowKey) {
        return relationOf[rowKey];
    }

    int relationCount() {
        return keysOf.length;
    }

    /** Returns the relation that a predicate read is about; NONE if all are. */
    int relationOfPredicateRead(int op) {
        return relationOfPredicateRead[key[op]];
    }

    /** Returns the keys that a predicate read is about. */
    int[] keysOf(int op) {
        int relation = relationOfPredicateRead(op);
        return relation == NONE ? allKeys : keysOf[relation];
    }

    boolean isOfRelation(int rowKey, int op) {
        int relation = relationOfPredicateRead(op);
        return relation == NONE || relationOf[rowKey] == relation;
    }

    /** Returns the number of operations after a predicate read that are its rows; NONE if unknown. */
    int rowCount(int op) {
        return rowCountOf[key[op]];
    }

    /** Returns the snapshot that a predicate read names; NO_NUMBER if it names none. */
    long readTs(int op) {
        return readTsOf[key[op]];
    }

    /** Returns the condition of a predicate read with its parameters, as messages show it. */
    String conditionText(int op) {
        String text = texts.get(predicateOf[key[op]]);
        int params = paramsOf[key[op]];
        String given = params == NONE ? "" : texts.get(params);
        return cut(text)
                + limitTextOf.getOrDefault(key[op], "")
                + (given.isEmpty() || given.equals("[]") ? "" : " " + cut(given));
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS) + "…";
    }

    // ---------------------------------------------------------------- conditions

    /** Returns the condition of a predicate read; null if it is not understood, see {@link #faultOf}. */
    RowCondition condition(int op) {
        return conditionOf[predicateOf[key[op]]];
    }

    /** Returns why a condition is not understood. */
    String faultOf(int op) {
        return faultOf[predicateOf[key[op]]];
    }

    /** Returns whether a predicate read has a limit. */
    boolean isLimited(int op) {
        return limitedOf.containsKey(key[op]);
    }

    /**
     * Returns the condition that rows not returned by a limited read must not match.
     *
     * @throws ConditionException if it is not understood
     */
    RowCondition conditionOfOmitted(int op) {
        Object condition = conditionOfLimited.get(limitedOf.get(key[op]).condition());
        if (condition instanceof RowCondition understood) {
            return understood;
        }
        throw new ConditionException(String.valueOf(condition));
    }

    Object[] paramsOfOmitted(int op) {
        return RowCells.params(limitedOf.get(key[op]).params());
    }

    /** Returns the columns that some condition bounds. */
    Set<Integer> boundedColumns() {
        Set<Integer> columns = new TreeSet<>();
        for (RowCondition condition : conditionOf) {
            RowBounds bounds = condition == null ? null : condition.bounds();
            if (bounds != null && bounds.column() < ranksOf.length) {
                columns.add(bounds.column());
            }
        }
        return columns;
    }

    /**
     * Returns the rows by the values of a column; null if the values do not compare with each other, or the column does
     * not exist.
     */
    @Nullable
    RowRanks ranks(int column) {
        if (column >= ranksOf.length) {
            return null;
        }
        if (ranksOf[column] == null) {
            ranksOf[column] = RowRanks.of(cells, column);
        }
        return ranksOf[column].areComparable() ? ranksOf[column] : null;
    }

    private boolean hasRows() {
        for (int op = 0; op < opCount; op++) {
            if (kind[op] == OpKind.WRITE || kind[op] == OpKind.READ) {
                return true;
            }
        }
        return false;
    }

    private int column(String name) {
        int ordinal = rowCells.column(name);
        if (!hasRows()) {
            return Integer.MAX_VALUE; // without rows, columns are unknown and nothing needs evaluation
        }
        if (ordinal < 0) {
            throw new ConditionException("no row has this column: column=" + name);
        }
        return ordinal;
    }

    /** Returns the parameters of a predicate read. @throws ConditionException if they are not understood */
    Object[] params(int op) {
        int text = paramsOf[key[op]];
        if (text == NONE) {
            return NO_PARAMS;
        }
        if (parsedParamsOf[text] == null) {
            parsedParamsOf[text] = RowCells.params(texts.get(text));
        }
        return parsedParamsOf[text];
    }

    /** Returns whether a row only records its absence, as recordings of applications write it. */
    boolean isDeleted(int ordinal) {
        return cells[ordinal] == NO_CELLS;
    }

    /** Returns the columns of a row. */
    Object[] cells(int ordinal) {
        return cells[ordinal];
    }
}
