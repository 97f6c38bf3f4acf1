package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Path;

/** Takes slices apart into the columns of a {@link HistorySchema} file. */
final class SliceRows implements AutoCloseable {

    /*
     * Leaves of HistorySchema in order, with the definition levels of an operation's columns:
     *
     *   ops            0 no operation   1 the operation is there
     *   value ...      1 null           2 the value
     *   elements       1 null           2 empty list              3 an element
     */
    private static final int TXN_ID = 0;
    private static final int SESSION_ID = 1;
    private static final int SESSION_SEQ = 2;
    private static final int STATUS = 3;
    private static final int START_TS = 4;
    private static final int COMMIT_TS = 5;
    private static final int INVOKE_NS = 6;
    private static final int COMPLETE_NS = 7;
    private static final int KIND = 8;
    private static final int KEY = 9;
    private static final int VALUE = 10;
    private static final int ELEMENTS = 11;
    private static final int VERSION = 12;
    private static final int WRITER_TXN = 13;
    private static final int EXTRA = 14;

    private static final int NO_OPS = 0;
    private static final int OP = 1;
    private static final int PRESENT = 2;
    private static final int EMPTY_LIST = 2;
    private static final int ELEMENT = 3;

    private static final int NEW_ROW = 0;
    private static final int NEXT_OP = 1;
    private static final int NEXT_ELEMENT = 2;

    private static final long TXNS_IN_GROUP = 1 << 17;
    private static final long OPS_IN_GROUP = 1 << 20;
    private static final long BYTES_IN_GROUP = 64 << 20;

    private final FileWriter file;
    private final ValueType keyType;
    private final ValueType valueType;
    private final WordChunk status;
    private final WordChunk kind;
    private final WordChunk key;
    private final WordChunk value;
    private final WordChunk elements;
    private long opsInGroup;

    SliceRows(Path path, ValueType keyType, ValueType valueType) throws IOException {
        this.keyType = keyType;
        this.valueType = valueType;
        this.file = new FileWriter(
                path, HistorySchema.parquetSchema(keyType, valueType), HistorySchema.metadata(keyType, valueType));
        this.status = new WordChunk(file.chunk(STATUS));
        this.kind = new WordChunk(file.chunk(KIND));
        this.key = new WordChunk(file.chunk(KEY));
        this.value = new WordChunk(file.chunk(VALUE));
        this.elements = new WordChunk(file.chunk(ELEMENTS));
        status.words(statusWords());
        kind.words(kindWords());
    }

    private static StringTable statusWords() {
        StringTable words = new StringTable();
        for (byte code = TxnStatus.COMMITTED; code <= TxnStatus.UNKNOWN; code++) {
            words.intern(TxnStatus.name(code));
        }
        return words;
    }

    /** Words in the order of their codes; the three codes of reads share one. */
    private static StringTable kindWords() {
        StringTable words = new StringTable();
        for (byte code = OpKind.READ_LIST; code <= OpKind.INCREMENT; code++) {
            words.intern(OpKind.name(code));
        }
        return words;
    }

    void write(HistorySlice slice) throws IOException {
        if (keyType == ValueType.STRING && slice.keyNames != null) {
            key.words(slice.keyNames);
        }
        if (valueType == ValueType.STRING && slice.valueNames != null) {
            value.words(slice.valueNames);
            elements.words(slice.valueNames);
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            writeTxn(slice, txn);
            file.endRow();
            if (opsInGroup >= OPS_IN_GROUP
                    || file.rowsInGroup() >= TXNS_IN_GROUP
                    || file.bytesInGroup() >= BYTES_IN_GROUP) {
                file.endRowGroup();
                opsInGroup = 0;
            }
        }
    }

    private void writeTxn(HistorySlice slice, int txn) {
        required(TXN_ID, slice.txnId[txn]);
        required(SESSION_ID, slice.sessionId[txn]);
        required(SESSION_SEQ, slice.sessionSeq[txn]);
        file.chunk(STATUS).entry(NEW_ROW, 0);
        status.value(slice.status[txn]);
        optional(START_TS, slice.startTs, txn);
        optional(COMMIT_TS, slice.commitTs, txn);
        optional(INVOKE_NS, slice.invokeNs, txn);
        optional(COMPLETE_NS, slice.completeNs, txn);
        writeOps(slice, slice.firstOpOf[txn], slice.firstOpOf[txn + 1]);
        String extra = slice.extra == null ? null : slice.extra[txn];
        file.chunk(EXTRA).entry(NEW_ROW, extra == null ? 0 : 1);
        if (extra != null) {
            file.chunk(EXTRA).string(extra);
        }
    }

    private void required(int leaf, long of) {
        ChunkWriter chunk = file.chunk(leaf);
        chunk.entry(NEW_ROW, 0);
        chunk.value(of);
    }

    private void optional(int leaf, long[] column, int txn) {
        ChunkWriter chunk = file.chunk(leaf);
        if (column == null || column[txn] == HistorySlice.NONE) {
            chunk.entry(NEW_ROW, 0);
        } else {
            chunk.entry(NEW_ROW, 1);
            chunk.value(column[txn]);
        }
    }

    private void writeOps(HistorySlice slice, int from, int to) {
        if (from == to) {
            for (int leaf = KIND; leaf <= WRITER_TXN; leaf++) {
                file.chunk(leaf).entry(NEW_ROW, NO_OPS);
            }
            return;
        }
        opsInGroup += to - from;
        writeKinds(slice, from, to);
        writeKeys(slice, from, to);
        writeValues(slice, from, to);
        writeElements(slice, from, to);
        writeNumbers(VERSION, slice.version, from, to);
        writeNumbers(WRITER_TXN, slice.writerTxn, from, to);
    }

    private static int repOf(int op, int from) {
        return op == from ? NEW_ROW : NEXT_OP;
    }

    private void writeKinds(HistorySlice slice, int from, int to) {
        ChunkWriter chunk = file.chunk(KIND);
        for (int op = from; op < to; op++) {
            chunk.entry(repOf(op, from), OP);
            kind.value(Math.max(0, slice.kind[op] - OpKind.READ_LIST));
        }
    }

    private void writeKeys(HistorySlice slice, int from, int to) {
        ChunkWriter chunk = file.chunk(KEY);
        boolean isString = keyType == ValueType.STRING;
        for (int op = from; op < to; op++) {
            chunk.entry(repOf(op, from), OP);
            if (isString) {
                key.value((int) slice.key[op]);
            } else {
                chunk.value(slice.key[op]);
            }
        }
    }

    private void writeValues(HistorySlice slice, int from, int to) {
        ChunkWriter chunk = file.chunk(VALUE);
        boolean isString = valueType == ValueType.STRING;
        for (int op = from; op < to; op++) {
            byte opKind = slice.kind[op];
            if (opKind == OpKind.READ_NOTHING || opKind == OpKind.READ_LIST) {
                chunk.entry(repOf(op, from), OP);
                continue;
            }
            chunk.entry(repOf(op, from), PRESENT);
            if (isString) {
                value.value((int) slice.value[op]);
            } else {
                chunk.value(slice.value[op]);
            }
        }
    }

    private void writeElements(HistorySlice slice, int from, int to) {
        ChunkWriter chunk = file.chunk(ELEMENTS);
        for (int op = from; op < to; op++) {
            if (slice.kind[op] == OpKind.READ_LIST) {
                writeList(slice, slice.value[op], repOf(op, from));
            } else {
                chunk.entry(repOf(op, from), OP);
            }
        }
    }

    private void writeList(HistorySlice slice, long ref, int rep) {
        ChunkWriter chunk = file.chunk(ELEMENTS);
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        if (length == 0) {
            chunk.entry(rep, EMPTY_LIST);
            return;
        }
        for (int i = 0; i < length; i++) {
            chunk.entry(i == 0 ? rep : NEXT_ELEMENT, ELEMENT);
            long element = slice.lists.element(list, i);
            if (valueType == ValueType.STRING) {
                elements.value((int) element);
            } else {
                chunk.value(element);
            }
        }
    }

    private void writeNumbers(int leaf, long[] column, int from, int to) {
        ChunkWriter chunk = file.chunk(leaf);
        for (int op = from; op < to; op++) {
            boolean isNull = column == null || column[op] == HistorySlice.NONE;
            chunk.entry(repOf(op, from), isNull ? OP : PRESENT);
            if (!isNull) {
                chunk.value(column[op]);
            }
        }
    }

    void finish() throws IOException {
        file.finish();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
