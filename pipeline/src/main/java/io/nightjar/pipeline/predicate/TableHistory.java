package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A history of tables as columns: its transactions, and all their operations with the names of keys, rows and conditions. */
final class TableHistory {

    /*
     *   txn     0 .. txnCount     in the order of the rows; operations firstOpOf[txn] .. firstOpOf[txn + 1]
     *   key     0 .. keyCount     of rows; relationOf[key] is the part of its name in front of the first slash
     *   value   ordinal of a distinct row, or NONE; cells(value) are its columns
     */

    static final int NONE = -1;
    private static final int MAX_TEXT_CHARS = 160;
    static final long NO_NUMBER = HistorySlice.NONE;

    int txnCount;
    long[] txnId = new long[64];
    long[] sessionId = new long[64];
    long[] sessionSeq = new long[64];
    byte[] status = new byte[64];
    long[] startTs = new long[64];
    long[] commitTs = new long[64];
    String[] place = new String[64]; // file of each; with its row below
    long[] row = new long[64];
    int[] firstOpOf = new int[65];

    int opCount;
    byte[] kind = new byte[512];
    int[] key = new int[512]; // of a predicate read its relation
    int[] value = new int[512];
    long[] version = new long[512];
    long[] writer = new long[512];
    int[] predicate = new int[512];
    int[] params = new int[512];
    int[] rows = new int[512];
    long[] readTs = new long[512];

    private final StringTable keyNames = new StringTable();
    private final StringTable relationNames = new StringTable();
    private final StringTable valueNames = new StringTable();
    private final StringTable texts = new StringTable();
    private int[] relationOf = new int[64];
    private final Long2IntOpenHashMap txnOf = new Long2IntOpenHashMap();

    private final RowCells rowCells = new RowCells();
    private Object[][] cells = new Object[0][];
    private final Map<Integer, RowCondition> conditionOf = new HashMap<>();
    private final Map<Integer, String> faultOf = new HashMap<>();
    private final Map<Integer, Object[]> paramsOf = new HashMap<>();
    private int[][] keysOf; // by relation, once all is there

    TableHistory() {
        txnOf.defaultReturnValue(NONE);
    }

    // ---------------------------------------------------------------- filling

    /** Adds whole slices in the order of the rows. */
    void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            growTxns();
            txnId[txnCount] = slice.txnId[txn];
            sessionId[txnCount] = slice.sessionId[txn];
            sessionSeq[txnCount] = slice.sessionSeq[txn];
            status[txnCount] = slice.status[txn];
            startTs[txnCount] = slice.startTs == null ? NO_NUMBER : slice.startTs[txn];
            commitTs[txnCount] = slice.commitTs == null ? NO_NUMBER : slice.commitTs[txn];
            place[txnCount] = slice.file;
            row[txnCount] = slice.rowOf(txn);
            txnOf.put(slice.txnId[txn], txnCount);
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                addOp(slice, op);
            }
            txnCount++;
            firstOpOf[txnCount] = opCount;
        }
    }

    private void addOp(HistorySlice slice, int op) {
        growOps();
        byte code = slice.kind[op];
        kind[opCount] = code;
        if (OpKind.isPredicate(code)) {
            key[opCount] = slice.hasKey(op) ? relationNames.intern(slice.keyText(op)) : NONE;
        } else {
            key[opCount] = key(slice.keyText(op));
        }
        value[opCount] = OpKind.hasValue(code) ? value(slice, slice.value[op]) : NONE;
        version[opCount] = number(slice, HistoryColumn.VERSION, op);
        writer[opCount] = number(slice, HistoryColumn.WRITER_TXN, op);
        predicate[opCount] = text(slice, HistoryColumn.PREDICATE, op);
        params[opCount] = text(slice, HistoryColumn.PARAMS, op);
        long behind = number(slice, HistoryColumn.ROWS, op);
        rows[opCount] = behind == NO_NUMBER ? NONE : (int) behind;
        readTs[opCount] = number(slice, HistoryColumn.READ_TS, op);
        opCount++;
    }

    private int value(HistorySlice slice, long scalar) {
        if (slice.valueType != ValueType.STRING) {
            return valueNames.intern(Long.toString(scalar));
        }
        return valueNames.internFrom(slice.valueNames, (int) scalar);
    }

    private int key(String name) {
        int before = keyNames.size();
        int ordinal = keyNames.intern(name);
        if (ordinal == before) {
            if (ordinal >= relationOf.length) {
                relationOf = Arrays.copyOf(relationOf, ordinal * 2);
            }
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
        String text = slice.text(column, op);
        return text == null ? NONE : texts.intern(text);
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
        place = Arrays.copyOf(place, capacity);
        row = Arrays.copyOf(row, capacity);
        firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
    }

    private void growOps() {
        if (opCount < kind.length) {
            return;
        }
        int capacity = 2 * kind.length;
        kind = Arrays.copyOf(kind, capacity);
        key = Arrays.copyOf(key, capacity);
        value = Arrays.copyOf(value, capacity);
        version = Arrays.copyOf(version, capacity);
        writer = Arrays.copyOf(writer, capacity);
        predicate = Arrays.copyOf(predicate, capacity);
        params = Arrays.copyOf(params, capacity);
        rows = Arrays.copyOf(rows, capacity);
        readTs = Arrays.copyOf(readTs, capacity);
    }

    /** Bytes held, about. */
    long byteSize() {
        return 64L * txnId.length + 50L * kind.length + 5 * valueNames.byteSize() + keyNames.byteSize();
    }

    /** All rows are there. */
    void finish() {
        cells = new Object[valueNames.size()][];
        for (int ordinal = 0; ordinal < cells.length; ordinal++) {
            cells[ordinal] = rowCells.row(valueNames.get(ordinal));
        }
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
    }

    // ---------------------------------------------------------------- names

    int keyCount() {
        return keyNames.size();
    }

    String keyName(int ordinal) {
        return keyNames.get(ordinal);
    }

    /** A row as text; null if there is none. */
    String valueText(int ordinal) {
        return ordinal == NONE ? null : valueNames.get(ordinal);
    }

    /** The transaction of an id, or NONE. */
    int txnOfId(long id) {
        return txnOf.get(id);
    }

    /** Where a transaction stands, with its id, as messages show it. */
    String placeOf(int txn) {
        return place[txn] + " row=" + row[txn] + " txn_id=" + txnId[txn];
    }

    /** The transaction of an operation. */
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

    /** The keys that a predicate read is about. */
    int[] keysOf(int op) {
        if (key[op] != NONE) {
            return keysOf[key[op]];
        }
        int[] all = new int[keyCount()];
        Arrays.setAll(all, k -> k);
        return all;
    }

    boolean isOfRelation(int row, int op) {
        return key[op] == NONE || relationOf[row] == key[op];
    }

    /** The condition of a predicate read with its parameters, as messages show it. */
    String conditionText(int op) {
        String text = texts.get(predicate[op]);
        String given = params[op] == NONE ? "" : texts.get(params[op]);
        return cut(text) + (given.isEmpty() || given.equals("[]") ? "" : " " + cut(given));
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS) + "…";
    }

    // ---------------------------------------------------------------- conditions

    /** The condition of a predicate read; null if it is not understood, see {@link #faultOf}. */
    RowCondition condition(int op) {
        int template = predicate[op];
        if (!conditionOf.containsKey(template)) {
            RowCondition parsed = null;
            try {
                parsed = ConditionParser.parse(texts.get(template), this::column);
            } catch (ConditionException fault) {
                faultOf.put(template, fault.getMessage());
            }
            conditionOf.put(template, parsed);
        }
        return conditionOf.get(template);
    }

    /** Why a condition is not understood. */
    String faultOf(int op) {
        return faultOf.get(predicate[op]);
    }

    private int column(String name) {
        int ordinal = rowCells.column(name);
        if (cells.length == 0) {
            return Integer.MAX_VALUE; // there is no row that could show its columns, nor one to look at
        }
        if (ordinal < 0) {
            throw new ConditionException("no row has this column: column=" + name);
        }
        return ordinal;
    }

    /** The parameters of a predicate read. */
    Object[] params(int op) {
        Object[] known = paramsOf.get(params[op]);
        if (known == null) {
            known = rowCells.params(params[op] == NONE ? null : texts.get(params[op]));
            paramsOf.put(params[op], known);
        }
        return known;
    }

    /** The columns of a row. */
    Object[] cells(int ordinal) {
        return cells[ordinal];
    }

    /** The rows of a predicate read: operations behind it, those that did not match too. */
    List<Integer> rowsOf(int op) {
        List<Integer> behind = new ArrayList<>();
        for (int next = op + 1; rows[op] != NONE && next <= op + rows[op]; next++) {
            behind.add(next);
        }
        return behind;
    }
}
