package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.ValueType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns of a slice that is filled batch by batch. Groups that were not requested are null. */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
final class SliceBatchAssembler {

    private static final int FEW_TXNS = 1 << 10;

    final SliceBuilder builder;
    final SliceBuilder.Columns columns;
    final long firstRow;
    final boolean hasOps;

    int txnCount;
    long[] txnId;
    long[] sessionId;
    long[] sessionSeq;
    byte[] status;
    String[] extra;
    boolean hasExtra;
    int[] rowOffsetOf;

    int opCount;
    int[] firstOpOf;
    byte[] kind;
    long[] key;
    long[] value;

    /** Nullable numbers by {@link HistoryColumn}; null if not requested or, for operations, if none has a value. */
    final long[][] numbers = new long[HistoryColumn.COUNT][];

    SliceBatchAssembler(String file, long firstRow, ReadPlan plan, int txnCapacity, int opCapacity) {
        this.builder = new SliceBuilder(file);
        this.columns = builder.columns();
        this.firstRow = firstRow;
        this.hasOps = plan.ops();
        int txns = Math.min(txnCapacity, FEW_TXNS);
        txnId = new long[txns];
        sessionId = new long[txns];
        sessionSeq = new long[txns];
        status = new byte[txns];
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            numbers[column.ordinal()] = plan.has(column) ? new long[txns] : null;
        }
        if (plan.extra()) {
            extra = new String[txns];
        }
        if (hasOps) {
            firstOpOf = new int[txns + 1];
            kind = new byte[opCapacity];
            key = new long[opCapacity];
            value = new long[opCapacity];
        }
    }

    int weight() {
        return builder.weight() + opCount;
    }

    void ensureTxns(int needed) {
        if (needed <= txnId.length) {
            return;
        }
        int capacity = Math.max(needed, txnId.length * 2);
        txnId = Arrays.copyOf(txnId, capacity);
        sessionId = Arrays.copyOf(sessionId, capacity);
        sessionSeq = Arrays.copyOf(sessionSeq, capacity);
        status = Arrays.copyOf(status, capacity);
        growNumbers(HistoryColumn.TXN_NUMBERS, capacity);
        extra = extra == null ? null : Arrays.copyOf(extra, capacity);
        firstOpOf = firstOpOf == null ? null : Arrays.copyOf(firstOpOf, capacity + 1);
        rowOffsetOf = rowOffsetOf == null ? null : Arrays.copyOf(rowOffsetOf, capacity);
    }

    void ensureOps(int needed) {
        if (needed <= kind.length) {
            return;
        }
        int capacity = Math.max(needed, (int) Math.min(Integer.MAX_VALUE - 8, kind.length * 3L / 2));
        kind = Arrays.copyOf(kind, capacity);
        key = Arrays.copyOf(key, capacity);
        value = Arrays.copyOf(value, capacity);
        growNumbers(HistoryColumn.OP_NUMBERS, capacity);
        growNumbers(HistoryColumn.OP_TEXTS, capacity);
    }

    private void growNumbers(List<HistoryColumn> columns, int capacity) {
        for (HistoryColumn column : columns) {
            long[] grown = numbers[column.ordinal()];
            numbers[column.ordinal()] = grown == null ? null : Arrays.copyOf(grown, capacity);
        }
    }

    /** Returns a column of numbers whose first operations have none. */
    long[] emptyOpColumn(int ops) {
        long[] column = new long[kind.length];
        Arrays.fill(column, 0, ops, HistorySlice.NONE);
        return column;
    }

    // ---------------------------------------------------------------- bad rows

    /** Records the row of the file for each transaction from {@code fromTxn} on, for slices without their bad rows. */
    void recordRows(int fromTxn, long firstRowOfBatch, int rows) {
        if (rowOffsetOf == null && firstRow + fromTxn == firstRowOfBatch) {
            return;
        }
        ensureRowOffsets();
        for (int i = 0; i < rows; i++) {
            rowOffsetOf[fromTxn + i] = (int) (firstRowOfBatch - firstRow + i);
        }
    }

    private void ensureRowOffsets() {
        if (rowOffsetOf != null) {
            return;
        }
        rowOffsetOf = new int[txnId.length];
        for (int txn = 0; txn < rowOffsetOf.length; txn++) {
            rowOffsetOf[txn] = txn;
        }
    }

    /** Removes the marked transactions, from {@code fromTxn} on. */
    void drop(BadRowMarks marks, int fromTxn) {
        ensureRowOffsets();
        int kept = fromTxn;
        int keptOps = hasOps ? firstOpOf[fromTxn] : 0;
        for (int txn = fromTxn; txn < txnCount; txn++) {
            if (marks.fault(txn - fromTxn) != null) {
                continue;
            }
            if (hasOps) {
                int from = firstOpOf[txn];
                int count = firstOpOf[txn + 1] - from;
                moveOps(from, keptOps, count);
                firstOpOf[kept] = keptOps;
                keptOps += count;
            }
            moveTxn(txn, kept++);
        }
        txnCount = kept;
        if (hasOps) {
            firstOpOf[kept] = keptOps;
            opCount = keptOps;
        }
    }

    private void moveTxn(int from, int to) {
        txnId[to] = txnId[from];
        sessionId[to] = sessionId[from];
        sessionSeq[to] = sessionSeq[from];
        status[to] = status[from];
        rowOffsetOf[to] = rowOffsetOf[from];
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            long[] ofTxns = numbers[column.ordinal()];
            if (ofTxns != null) {
                ofTxns[to] = ofTxns[from];
            }
        }
        if (extra != null) {
            extra[to] = extra[from];
        }
    }

    private void moveOps(int from, int to, int count) {
        System.arraycopy(kind, from, kind, to, count);
        System.arraycopy(key, from, key, to, count);
        System.arraycopy(value, from, value, to, count);
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            long[] ofOps = numbers[column.ordinal()];
            if (ofOps != null) {
                System.arraycopy(ofOps, from, ofOps, to, count);
            }
        }
    }

    // ---------------------------------------------------------------- the slice

    HistorySlice build(
            ValueType keyType,
            @Nullable NameMap keyNames,
            ValueType valueType,
            @Nullable NameMap valueNames,
            @Nullable NameMap texts) {
        columns.txns(txnCount, firstRow + (rowOffsetOf == null ? 0 : rowOffsetOf[0]))
                .rowOffsets(rowOffsets())
                .ids(txnId, sessionId, sessionSeq, status)
                .extras(hasExtra ? extra : null);
        if (hasOps) {
            columns.ops(opCount, firstOpOf, kind, key, value)
                    .keyType(
                            keyType,
                            keyType == ValueType.STRING
                                    ? requireNonNull(keyNames).pool()
                                    : null)
                    .valueType(
                            valueType,
                            valueType == ValueType.STRING
                                    ? requireNonNull(valueNames).pool()
                                    : null)
                    .texts(texts == null || texts.pool().size() == 0 ? null : texts.pool());
        } else {
            columns.ops(0, null, null, null, null);
        }
        for (HistoryColumn column : HistoryColumn.values()) {
            columns.numbers(column, numbers[column.ordinal()]);
        }
        return builder.build();
    }

    /** Returns the rows relative to the row of the first remaining transaction. */
    private int[] rowOffsets() {
        if (rowOffsetOf == null || rowOffsetOf[0] == 0) {
            return rowOffsetOf;
        }
        int first = rowOffsetOf[0];
        for (int txn = 0; txn < txnCount; txn++) {
            rowOffsetOf[txn] -= first;
        }
        return rowOffsetOf;
    }
}
