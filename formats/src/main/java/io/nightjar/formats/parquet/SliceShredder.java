package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Splits slices into the columns of a {@link HistorySchema} file. */
final class SliceShredder implements AutoCloseable {

    /*
     * Layout. Definition levels of an operation's columns:
     *
     *   ops            0 no operation   1 an operation; the key of a relational history is nullable like a value
     *   value ...      1 null           2 a value
     *   elements       1 null           2 empty list              3 an element
     */
    private static final List<HistoryColumn> TXN_NUMBERS = HistoryColumn.TXN_NUMBERS;

    private static final int NO_OPS = 0;
    private static final int OP = 1;
    private static final int PRESENT = 2;
    private static final int EMPTY_LIST = 2;
    private static final int ELEMENT = 3;

    private static final int NEW_ROW = 0;
    private static final int NEXT_OP = 1;
    private static final int NEXT_ELEMENT = 2;

    private static final int[] WORD_OF_KIND = wordOfKind();

    private static final long TXNS_IN_GROUP = 1 << 17;
    private static final long OPS_IN_GROUP = 1 << 20;
    private static final long BYTES_IN_GROUP = 64 << 20;

    private final HistorySchema schema;
    private final List<HistoryColumn> opColumns;
    private final List<HistoryColumn> opNumberColumns;
    private final List<HistoryColumn> opTextColumns;
    private final int presentKey; // definition level of a present key
    private final FileWriter file;
    private final ValueType keyType;
    private final ValueType valueType;
    private final ChunkWriter txnId;
    private final ChunkWriter sessionId;
    private final ChunkWriter sessionSeq;
    private final ChunkWriter[] txnNumbers;
    private final ChunkWriter[] opNumbers;
    private final StringColumnBuffer status;
    private final StringColumnBuffer kind;
    private final StringColumnBuffer key;
    private final StringColumnBuffer value;
    private final StringColumnBuffer elements;
    private final StringColumnBuffer[] opTexts;
    private final ChunkWriter statusChunk;
    private final ChunkWriter kindChunk;
    private final ChunkWriter keyChunk;
    private final ChunkWriter valueChunk;
    private final ChunkWriter elementsChunk;
    private final ChunkWriter extraChunk;
    private final ChunkWriter[] opTextChunks;
    private long opsInGroup;

    /** @param ofOps the fields of operations */
    SliceShredder(Path path, ValueType keyType, ValueType valueType, OpColumns ofOps) throws IOException {
        this.schema = new HistorySchema(keyType, valueType, ofOps);
        this.opColumns = ofOps.list();
        this.opNumberColumns =
                HistoryColumn.OP_NUMBERS.stream().filter(opColumns::contains).toList();
        this.opTextColumns =
                HistoryColumn.OP_TEXTS.stream().filter(opColumns::contains).toList();
        this.presentKey = ofOps.hasPredicates() ? PRESENT : OP;
        this.keyType = keyType;
        this.valueType = valueType;
        this.file = new FileWriter(path, schema.parquetSchema(), schema.metadata());
        this.txnId = chunk(HistoryColumn.TXN_ID);
        this.sessionId = chunk(HistoryColumn.SESSION_ID);
        this.sessionSeq = chunk(HistoryColumn.SESSION_SEQ);
        this.txnNumbers = TXN_NUMBERS.stream().map(this::chunk).toArray(ChunkWriter[]::new);
        this.opNumbers = opNumberColumns.stream().map(this::chunk).toArray(ChunkWriter[]::new);
        this.statusChunk = chunk(HistoryColumn.STATUS);
        this.kindChunk = chunk(HistoryColumn.KIND);
        this.keyChunk = chunk(HistoryColumn.KEY);
        this.valueChunk = chunk(HistoryColumn.VALUE);
        this.elementsChunk = chunk(HistoryColumn.ELEMENTS);
        this.extraChunk = chunk(HistoryColumn.EXTRA);
        this.opTextChunks = opTextColumns.stream().map(this::chunk).toArray(ChunkWriter[]::new);
        this.status = new StringColumnBuffer(statusChunk);
        this.kind = new StringColumnBuffer(kindChunk);
        this.key = new StringColumnBuffer(keyChunk);
        this.value = new StringColumnBuffer(valueChunk);
        this.elements = new StringColumnBuffer(elementsChunk);
        this.opTexts = Stream.of(opTextChunks).map(StringColumnBuffer::new).toArray(StringColumnBuffer[]::new);
        status.words(statusWords());
        kind.words(kindWords());
    }

    private ChunkWriter chunk(HistoryColumn column) {
        return file.chunk(schema.leafOf(column));
    }

    private static StringPool statusWords() {
        StringPool words = new StringPool();
        for (byte code = TxnStatus.COMMITTED; code <= TxnStatus.UNKNOWN; code++) {
            words.intern(TxnStatus.name(code));
        }
        return words;
    }

    private static StringPool kindWords() {
        StringPool words = new StringPool();
        OpKind.words().forEach(words::intern);
        return words;
    }

    /** Returns the word ordinal of each kind. */
    private static int[] wordOfKind() {
        int[] wordOf = new int[OpKind.COUNT];
        for (byte code = 0; code < OpKind.COUNT; code++) {
            wordOf[code] = OpKind.words().indexOf(OpKind.name(code));
        }
        return wordOf;
    }

    void write(HistorySlice slice) throws IOException {
        if (keyType == ValueType.STRING && slice.keyNames != null) {
            key.words(slice.keyNames);
        }
        if (valueType == ValueType.STRING && slice.valueNames != null) {
            value.words(slice.valueNames);
            elements.words(slice.valueNames);
        }
        for (StringColumnBuffer text : opTexts) {
            if (slice.texts != null) {
                text.words(slice.texts);
            }
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
        required(txnId, slice.txnId[txn]);
        required(sessionId, slice.sessionId[txn]);
        required(sessionSeq, slice.sessionSeq[txn]);
        statusChunk.entry(NEW_ROW, 0);
        status.value(slice.status[txn]);
        for (int i = 0; i < txnNumbers.length; i++) {
            optional(txnNumbers[i], slice.numbers(TXN_NUMBERS.get(i)), txn);
        }
        writeOps(slice, slice.firstOpOf[txn], slice.firstOpOf[txn + 1]);
        String extra = slice.extra == null ? null : slice.extra[txn];
        extraChunk.entry(NEW_ROW, extra == null ? 0 : 1);
        if (extra != null) {
            extraChunk.string(extra);
        }
    }

    private static void required(ChunkWriter chunk, long of) {
        chunk.entry(NEW_ROW, 0);
        chunk.value(of);
    }

    private static void optional(ChunkWriter chunk, long[] column, int txn) {
        if (column == null || column[txn] == HistorySlice.NONE) {
            chunk.entry(NEW_ROW, 0);
        } else {
            chunk.entry(NEW_ROW, 1);
            chunk.value(column[txn]);
        }
    }

    private void writeOps(HistorySlice slice, int from, int to) {
        if (from == to) {
            int firstField = schema.leafOf(opColumns.get(0));
            for (int field = 0; field < opColumns.size(); field++) {
                file.chunk(firstField + field).entry(NEW_ROW, NO_OPS);
            }
            return;
        }
        opsInGroup += to - from;
        writeKinds(slice, from, to);
        writeKeys(slice, from, to);
        writeValues(slice, from, to);
        writeElements(slice, from, to);
        for (int i = 0; i < opNumbers.length; i++) {
            writeNumbers(opNumbers[i], slice.numbers(opNumberColumns.get(i)), from, to);
        }
        for (int i = 0; i < opTexts.length; i++) {
            writeTexts(opTextChunks[i], opTexts[i], slice.numbers(opTextColumns.get(i)), from, to);
        }
    }

    private static int repOf(int op, int from) {
        return op == from ? NEW_ROW : NEXT_OP;
    }

    private void writeKinds(HistorySlice slice, int from, int to) {
        ChunkWriter chunk = kindChunk;
        for (int op = from; op < to; op++) {
            chunk.entry(repOf(op, from), OP);
            kind.value(WORD_OF_KIND[slice.kind[op]]);
        }
    }

    private void writeKeys(HistorySlice slice, int from, int to) {
        ChunkWriter chunk = keyChunk;
        boolean isString = keyType == ValueType.STRING;
        for (int op = from; op < to; op++) {
            if (!slice.hasKey(op)) {
                chunk.entry(repOf(op, from), OP);
                continue;
            }
            chunk.entry(repOf(op, from), presentKey);
            if (isString) {
                key.value((int) slice.key[op]);
            } else {
                chunk.value(slice.key[op]);
            }
        }
    }

    private void writeValues(HistorySlice slice, int from, int to) {
        ChunkWriter chunk = valueChunk;
        boolean isString = valueType == ValueType.STRING;
        for (int op = from; op < to; op++) {
            if (!OpKind.hasValue(slice.kind[op])) {
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
        ChunkWriter chunk = elementsChunk;
        for (int op = from; op < to; op++) {
            if (OpKind.hasList(slice.kind[op])) {
                writeList(slice, slice.value[op], repOf(op, from));
            } else {
                chunk.entry(repOf(op, from), OP);
            }
        }
    }

    private void writeList(HistorySlice slice, long ref, int rep) {
        ChunkWriter chunk = elementsChunk;
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

    private static void writeNumbers(ChunkWriter chunk, long[] column, int from, int to) {
        for (int op = from; op < to; op++) {
            boolean isNull = column == null || column[op] == HistorySlice.NONE;
            chunk.entry(repOf(op, from), isNull ? OP : PRESENT);
            if (!isNull) {
                chunk.value(column[op]);
            }
        }
    }

    private static void writeTexts(ChunkWriter chunk, StringColumnBuffer words, long[] column, int from, int to) {
        for (int op = from; op < to; op++) {
            boolean isNull = column == null || column[op] == HistorySlice.NONE;
            chunk.entry(repOf(op, from), isNull ? OP : PRESENT);
            if (!isNull) {
                words.value((int) column[op]);
            }
        }
    }

    /** Completes the file, still hidden; returns its path, or null if it is a stream. */
    @Nullable
    Path complete() throws IOException {
        file.complete();
        return file.hiddenPath();
    }

    /** Adds an entry to the metadata of the footer. */
    void writeText(String name, String text) {
        file.writeFile(name, text);
    }

    void finish() throws IOException {
        file.finish();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
