package io.nightjar.formats.history;

/** Copies transactions of a slice into a builder, which adopts the names and lists of the slice. */
record RowCopy(HistorySlice from, CopyFilter kept, SliceBuilder to) {

    void copy(int txn, long row) {
        to.beginTxn(row, from.txnId[txn], from.sessionId[txn], from.sessionSeq[txn]);
        to.status(from.status[txn]);
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            long[] numbers = from.numbers(column);
            if (numbers != null && kept.keepsColumn(column)) {
                to.txnNumber(column, numbers[txn]);
            }
        }
        to.extra(from.extra == null ? null : from.extra[txn]);
        if (from.firstOpOf != null) {
            checkTypes();
            for (int op = from.firstOpOf[txn]; op < from.firstOpOf[txn + 1]; op++) {
                if (kept.keepsOp(op)) {
                    copyOp(op, from.firstOpOf[txn + 1]);
                }
            }
        }
        to.endTxn();
    }

    private void checkTypes() {
        if (!to.keysAre(from.keyType, from.keyNames) || !to.valuesAre(from.valueType, from.valueNames)) {
            throw new IllegalArgumentException("slices of two types: file=" + from.file);
        }
    }

    private void copyOp(int op, int end) {
        boolean isNamed = from.keyType == ValueType.STRING && from.hasKey(op);
        long key = isNamed ? to.keyNames().internFrom(from.keyNames, (int) from.key[op]) : from.key[op];
        byte kind = from.kind[op];
        if (OpKind.hasList(kind)) {
            copyList(op, key);
        } else {
            to.op(kind, key, OpKind.hasValue(kind) ? value(from.value[op]) : 0);
        }
        for (HistoryColumn column : HistoryColumn.OP_NUMBERS) {
            long[] numbers = from.numbers(column);
            if (numbers != null && numbers[op] != HistorySlice.NONE && kept.keepsColumn(column)) {
                boolean areRows = column == HistoryColumn.ROWS;
                to.opNumber(column, areRows ? keptRows(op + 1, numbers[op], end) : numbers[op]);
            }
        }
        for (HistoryColumn column : HistoryColumn.OP_TEXTS) {
            long[] texts = from.numbers(column);
            if (texts != null && texts[op] != HistorySlice.NONE) {
                to.opNumber(column, to.texts().internFrom(from.texts, (int) texts[op]));
            }
        }
    }

    private void copyList(int op, long key) {
        to.beginList();
        int list = ListRef.list(from.value[op]);
        for (int i = 0; i < ListRef.length(from.value[op]); i++) {
            long element = from.lists.element(list, i);
            if (kept.keepsElement(from.key[op], element)) {
                to.element(value(element));
            }
        }
        to.listRead(key);
    }

    /** Counts the rows after a predicate read that are copied too. */
    private long keptRows(int firstRow, long rows, int end) {
        long count = 0;
        for (int row = firstRow; row < end && row < firstRow + rows; row++) {
            count += kept.keepsOp(row) ? 1 : 0;
        }
        return count;
    }

    private long value(long scalar) {
        return from.valueType == ValueType.STRING ? to.valueNames().internFrom(from.valueNames, (int) scalar) : scalar;
    }
}
