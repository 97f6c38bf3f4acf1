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
    private final List<HistoryColumn> nullableOpColumns;
    private final int presentKey; // definition level of a present key
    private final FileWriter file;
    private final ColumnBuffer txnId;
    private final ColumnBuffer sessionId;
    private final ColumnBuffer sessionSeq;
    private final ColumnBuffer status;
    private final ColumnBuffer[] txnNumbers;
    private final ColumnBuffer kind;
    private final ColumnBuffer key;
    private final ColumnBuffer value;
    private final ColumnBuffer elements;
    private final ColumnBuffer[] nullables; // of operations: numbers and texts
    private final ChunkWriter extra;
    private long opsInGroup;

    /** @param ofOps the fields of operations */
    SliceShredder(Path path, ValueType keyType, ValueType valueType, OpColumns ofOps) throws IOException {
        this.schema = new HistorySchema(keyType, valueType, ofOps);
        this.opColumns = ofOps.list();
        this.nullableOpColumns = Stream.concat(HistoryColumn.OP_NUMBERS.stream(), HistoryColumn.OP_TEXTS.stream())
                .filter(opColumns::contains)
                .toList();
        this.presentKey = ofOps.hasPredicates() ? PRESENT : OP;
        this.file = new FileWriter(path, schema.parquetSchema(), schema.metadata());
        this.txnId = buffer(HistoryColumn.TXN_ID);
        this.sessionId = buffer(HistoryColumn.SESSION_ID);
        this.sessionSeq = buffer(HistoryColumn.SESSION_SEQ);
        this.status = buffer(HistoryColumn.STATUS);
        this.txnNumbers = TXN_NUMBERS.stream().map(this::buffer).toArray(ColumnBuffer[]::new);
        this.kind = buffer(HistoryColumn.KIND);
        this.key = buffer(HistoryColumn.KEY);
        this.value = buffer(HistoryColumn.VALUE);
        this.elements = buffer(HistoryColumn.ELEMENTS);
        this.nullables = nullableOpColumns.stream().map(this::buffer).toArray(ColumnBuffer[]::new);
        this.extra = file.chunk(schema.leafOf(HistoryColumn.EXTRA));
        status.words(statusWords());
        kind.words(kindWords());
    }

    private ColumnBuffer buffer(HistoryColumn column) {
        return new ColumnBuffer(file.chunk(schema.leafOf(column)));
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
        key.words(slice.keyNames);
        value.words(slice.valueNames);
        elements.words(slice.valueNames);
        for (ColumnBuffer nullable : nullables) {
            nullable.words(slice.texts);
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
        txnId.value(NEW_ROW, 0, slice.txnId[txn]);
        sessionId.value(NEW_ROW, 0, slice.sessionId[txn]);
        sessionSeq.value(NEW_ROW, 0, slice.sessionSeq[txn]);
        status.value(NEW_ROW, 0, slice.status[txn]);
        for (int i = 0; i < txnNumbers.length; i++) {
            writeNullable(txnNumbers[i], slice.numbers(TXN_NUMBERS.get(i)), txn, txn + 1, 0);
        }
        writeOps(slice, slice.firstOpOf[txn], slice.firstOpOf[txn + 1]);
        String object = slice.extra == null ? null : slice.extra[txn];
        extra.entry(NEW_ROW, object == null ? 0 : 1);
        if (object != null) {
            extra.string(object);
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
        for (int op = from; op < to; op++) {
            kind.value(repOf(op, from), OP, WORD_OF_KIND[slice.kind[op]]);
        }
        writeKeys(slice, from, to);
        writeValues(slice, from, to);
        writeElements(slice, from, to);
        for (int i = 0; i < nullables.length; i++) {
            writeNullable(nullables[i], slice.numbers(nullableOpColumns.get(i)), from, to, OP);
        }
    }

    private static int repOf(int op, int from) {
        return op == from ? NEW_ROW : NEXT_OP;
    }

    private void writeKeys(HistorySlice slice, int from, int to) {
        for (int op = from; op < to; op++) {
            if (slice.hasKey(op)) {
                key.value(repOf(op, from), presentKey, slice.key[op]);
            } else {
                key.entry(repOf(op, from), OP);
            }
        }
    }

    private void writeValues(HistorySlice slice, int from, int to) {
        for (int op = from; op < to; op++) {
            if (OpKind.hasValue(slice.kind[op])) {
                value.value(repOf(op, from), PRESENT, slice.value[op]);
            } else {
                value.entry(repOf(op, from), OP);
            }
        }
    }

    private void writeElements(HistorySlice slice, int from, int to) {
        for (int op = from; op < to; op++) {
            if (OpKind.hasList(slice.kind[op])) {
                writeList(slice, slice.value[op], repOf(op, from));
            } else {
                elements.entry(repOf(op, from), OP);
            }
        }
    }

    private void writeList(HistorySlice slice, long ref, int rep) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        if (length == 0) {
            elements.entry(rep, EMPTY_LIST);
        }
        for (int i = 0; i < length; i++) {
            elements.value(i == 0 ? rep : NEXT_ELEMENT, ELEMENT, slice.lists.element(list, i));
        }
    }

    /** @param nullDef definition level of null, one less than that of a value */
    private static void writeNullable(ColumnBuffer into, long[] column, int from, int to, int nullDef) {
        for (int i = from; i < to; i++) {
            if (column == null || column[i] == HistorySlice.NONE) {
                into.entry(repOf(i, from), nullDef);
            } else {
                into.value(repOf(i, from), nullDef + 1, column[i]);
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

    void publish() throws IOException {
        file.publish();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
