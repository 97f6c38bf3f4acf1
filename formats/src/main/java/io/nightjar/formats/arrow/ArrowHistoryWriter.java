package io.nightjar.formats.arrow;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.ColumnTypes;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.RereadableWriter;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes an uncompressed Arrow IPC file with one record batch per slice of suitable size. */
public final class ArrowHistoryWriter implements RereadableWriter {

    private static final int ALIGNMENT = 64;
    private static final int PREFIX_LENGTH = 8; // continuation and length before a message
    private static final long SCHEMA_OFFSET = 8; // after the magic and its padding
    private static final int SMALL = SliceReader.SLICE_WEIGHT >> 2;
    private static final long MAX_TEXT_BYTES = 1L << 28;

    private final OpColumns opColumns;
    private final AtomicFile file;
    private final FileChannel out;
    private final int schemaLength;
    private final ArrowBody body = new ArrowBody();
    private final List<ArrowIndex.Piece> batches = new ArrayList<>();
    private final List<Undecided> undecided = new ArrayList<>();
    private ColumnTypes types;
    private @Nullable SliceBuilder small; // slices too small for a separate batch
    private long position;
    private @Nullable String doubt; // null if none

    /** Creates a writer of histories without predicate reads, inspected rows, deletions and conditional writes. */
    public ArrowHistoryWriter(Path target) throws IOException {
        this(target, OpColumns.OF_ITEMS);
    }

    /** @param opColumns the fields of operations */
    public ArrowHistoryWriter(Path target, OpColumns opColumns) throws IOException {
        this.opColumns = opColumns;
        this.types = ColumnTypes.unknown(opColumns);
        this.file = new AtomicFile(target);
        // Reserve space for the schema: it is written last, when the types of keys and values are known.
        this.schemaLength = padded(
                PREFIX_LENGTH + ArrowMetadata.schemaMessage(ColumnTypes.widest(opColumns)).length, SCHEMA_OFFSET);
        this.out = file.openChannel();
        this.position = SCHEMA_OFFSET + schemaLength;
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        types = types.with(slice);
        if (slice.opCount >= SMALL || slice.txnCount >= SMALL) {
            flushSmall();
            writeBatches(slice);
            return;
        }
        if (small == null) {
            small = new SliceBuilder(slice.file);
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            small.copyTxn(slice, txn);
        }
        if (small.weight() >= SliceReader.SLICE_WEIGHT || small.txnCount() >= SliceReader.SLICE_WEIGHT) {
            flushSmall();
        }
    }

    @Override
    public boolean doubt(String why) {
        doubt = why;
        return true;
    }

    @Override
    public void finish() throws IOException {
        complete();
        file.publish();
    }

    @Override
    public @Nullable Path complete() throws IOException {
        flushSmall();
        put(position, endOfStream());
        position += PREFIX_LENGTH;
        for (Undecided batch : undecided) {
            byte[] message = batchMessage(batch.rows, batch.entries, batch.piece.bodyLength());
            put(batch.piece.metadataOffset(), message(message, batch.piece.metadataLength()));
        }
        byte[] magic = Arrays.copyOf(ArrowIndex.MAGIC, (int) SCHEMA_OFFSET);
        put(0, ByteBuffer.wrap(magic));
        put(SCHEMA_OFFSET, message(ArrowMetadata.schemaMessage(types), schemaLength));
        byte[] footer = ArrowMetadata.footer(types, batches, doubt);
        ByteBuffer tail = ByteBuffer.allocate(footer.length + 4 + ArrowIndex.MAGIC.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(footer)
                .putInt(footer.length)
                .put(ArrowIndex.MAGIC)
                .flip();
        put(position, tail);
        file.complete();
        return file.hiddenPath();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    // ---------------------------------------------------------------- batches

    private void flushSmall() throws IOException {
        if (small != null && small.txnCount() > 0) {
            HistorySlice slice = small.build();
            small = null;
            writeBatches(slice);
        }
    }

    /** Writes a slice as one batch, or as several if its text is long. */
    private void writeBatches(HistorySlice slice) throws IOException {
        int from = 0;
        while (from < slice.txnCount) {
            int to = from;
            long text = 0;
            while (to < slice.txnCount && (to == from || text + textLength(slice, to) <= MAX_TEXT_BYTES)) {
                text += textLength(slice, to);
                to++;
            }
            writeBatch(slice, from, to);
            from = to;
        }
    }

    /** Returns an estimate of a transaction's bytes that covers its long columns. */
    private static long textLength(HistorySlice slice, int txn) {
        long length = slice.extra == null || slice.extra[txn] == null ? 0 : 3L * slice.extra[txn].length();
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            length += slice.keyType == ValueType.STRING && slice.hasKey(op)
                    ? slice.keyNames.length((int) slice.key[op])
                    : 0;
            if (OpKind.hasList(slice.kind[op])) {
                long ref = slice.value[op];
                length += 8L * ListRef.length(ref);
                for (int i = 0; i < ListRef.length(ref) && slice.valueType == ValueType.STRING; i++) {
                    length += slice.valueNames.length((int) slice.lists.element(ListRef.list(ref), i));
                }
            } else if (OpKind.hasValue(slice.kind[op]) && slice.valueType == ValueType.STRING) {
                length += slice.valueNames.length((int) slice.value[op]);
            }
            for (HistoryColumn column : HistoryColumn.OP_TEXTS) {
                long[] texts = slice.numbers(column);
                length += texts == null || texts[op] == HistorySlice.NONE ? 0 : slice.texts.length((int) texts[op]);
            }
        }
        return length;
    }

    private void writeBatch(HistorySlice slice, int from, int to) throws IOException {
        body.clear();
        new Columns(slice, from, to).write();
        List<ArrowBody.Entry> entries = body.entries();
        boolean isUndecided = entries.stream().anyMatch(ArrowBody.Entry::isUndecided);
        byte[] message = batchMessage(to - from, entries, body.length());
        int reserved = PREFIX_LENGTH + message.length;
        if (isUndecided) { // strings have one more buffer, so their metadata is the longest
            byte[] largest =
                    ArrowMetadata.batchMessage(to - from, entries, ValueType.STRING, ValueType.STRING, body.length());
            reserved = PREFIX_LENGTH + largest.length;
        }
        int metadataLength = padded(reserved, position);
        put(position, message(message, metadataLength));
        put(position + metadataLength, ByteBuffer.wrap(body.bytes(), 0, body.length()));
        ArrowIndex.Piece piece =
                new ArrowIndex.Piece(position, metadataLength, position + metadataLength, body.length());
        batches.add(piece);
        if (isUndecided) {
            undecided.add(new Undecided(piece, to - from, entries));
        }
        position += metadataLength + body.length();
    }

    private byte[] batchMessage(long rows, List<ArrowBody.Entry> entries, long bodyLength) {
        return ArrowMetadata.batchMessage(rows, entries, types.keyType(), types.valueType(), bodyLength);
    }

    /** Returns a message after its prefix, padded with zeros. */
    private static ByteBuffer message(byte[] metadata, int length) {
        ByteBuffer message = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(ArrowIndex.CONTINUATION).putInt(length - PREFIX_LENGTH).put(metadata);
        return message.position(0).limit(length);
    }

    private static ByteBuffer endOfStream() {
        return ByteBuffer.allocate(PREFIX_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(ArrowIndex.CONTINUATION)
                .putInt(0)
                .flip();
    }

    /** Returns the length that aligns the next part of the file. */
    private static int padded(int length, long offset) {
        long end = (offset + length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return (int) (end - offset);
    }

    private void put(long offset, ByteBuffer bytes) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += out.write(bytes, at);
        }
    }

    /** A batch whose metadata is written again when the types are known. */
    private record Undecided(ArrowIndex.Piece piece, long rows, List<ArrowBody.Entry> entries) {}

    /** The columns of some transactions of a slice, in the order of the schema. */
    private final class Columns {

        private static final byte[] NOTHING = {};

        private final HistorySlice slice;
        private final int from;
        private final int to;
        private final int firstOp;
        private final int endOp;

        Columns(HistorySlice slice, int from, int to) {
            this.slice = slice;
            this.from = from;
            this.to = to;
            this.firstOp = slice.firstOpOf[from];
            this.endOp = slice.firstOpOf[to];
        }

        void write() {
            body.plainNumbers(ArrowBody.Role.FIXED, slice.txnId, from, to);
            body.plainNumbers(ArrowBody.Role.FIXED, slice.sessionId, from, to);
            body.plainNumbers(ArrowBody.Role.FIXED, slice.sessionSeq, from, to);
            writeStatus();
            for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
                body.numbers(slice.numbers(column), from, to, Long.SIZE);
            }
            body.beginColumn();
            for (int txn = from; txn < to; txn++) {
                body.list(slice.firstOpOf[txn + 1] - firstOp, false);
            }
            body.endLists();
            writeOps();
            writeExtra();
        }

        private void writeStatus() {
            body.beginColumn();
            for (int txn = from; txn < to; txn++) {
                word(TxnStatus.name(slice.status[txn]));
            }
            body.endStrings(ArrowBody.Role.FIXED);
        }

        private void writeOps() {
            body.struct(endOp - firstOp);
            body.beginColumn();
            for (int op = firstOp; op < endOp; op++) {
                word(OpKind.name(slice.kind[op]));
            }
            body.endStrings(ArrowBody.Role.FIXED);
            writeKeys();
            writeValues();
            writeElements();
            for (HistoryColumn column : opColumns.list()) {
                switch (column.type()) {
                    case INT64 -> body.numbers(slice.numbers(column), firstOp, endOp, Long.SIZE);
                    case INT32 -> body.numbers(slice.numbers(column), firstOp, endOp, Integer.SIZE);
                    case BOOLEAN -> body.numbers(slice.numbers(column), firstOp, endOp, 1);
                    case STRING -> writeTexts(column);
                    case KEY, VALUE, VALUES, OPERATIONS -> {} // written above
                }
            }
        }

        private void writeTexts(HistoryColumn column) {
            if (!column.isNullable()) {
                return; // kinds, written above
            }
            long[] texts = slice.numbers(column);
            body.beginColumn();
            for (int op = firstOp; op < endOp; op++) {
                if (texts == null || texts[op] == HistorySlice.NONE) {
                    body.nullString();
                } else {
                    int text = (int) texts[op];
                    body.string(slice.texts.bytes(), slice.texts.firstByte(text), slice.texts.length(text));
                }
            }
            body.endStrings(ArrowBody.Role.FIXED);
        }

        private void writeKeys() {
            if (types.keyType() == ValueType.NONE) {
                body.undecided(ArrowBody.Role.KEY, endOp - firstOp);
                return;
            }
            if (types.keyType() == ValueType.LONG && !slice.isRelational()) {
                body.plainNumbers(ArrowBody.Role.KEY, slice.key, firstOp, endOp);
                return;
            }
            body.beginColumn();
            for (int op = firstOp; op < endOp; op++) {
                scalar(types.keyType(), slice.keyNames, slice.key[op], !slice.hasKey(op));
            }
            endScalars(ArrowBody.Role.KEY, types.keyType());
        }

        private void writeValues() {
            if (types.valueType() == ValueType.NONE) {
                body.undecided(ArrowBody.Role.VALUE, endOp - firstOp);
                return;
            }
            body.beginColumn();
            for (int op = firstOp; op < endOp; op++) {
                value(slice.value[op], !OpKind.hasValue(slice.kind[op]));
            }
            endScalars(ArrowBody.Role.VALUE, types.valueType());
        }

        private void writeElements() {
            body.beginColumn();
            int end = 0;
            for (int op = firstOp; op < endOp; op++) {
                boolean isList = OpKind.hasList(slice.kind[op]);
                end += isList ? ListRef.length(slice.value[op]) : 0;
                body.list(end, !isList);
            }
            body.endLists();
            if (types.valueType() == ValueType.NONE) {
                body.undecided(ArrowBody.Role.VALUE, 0);
                return;
            }
            body.beginColumn();
            for (int op = firstOp; op < endOp; op++) {
                if (OpKind.hasList(slice.kind[op])) {
                    int list = ListRef.list(slice.value[op]);
                    for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
                        value(slice.lists.element(list, i), false);
                    }
                }
            }
            endScalars(ArrowBody.Role.VALUE, types.valueType());
        }

        private void value(long scalar, boolean isMissing) {
            scalar(types.valueType(), slice.valueNames, scalar, isMissing);
        }

        private void scalar(ValueType type, StringPool names, long scalar, boolean isMissing) {
            if (type == ValueType.LONG) {
                body.number(scalar, isMissing);
            } else if (isMissing) {
                body.nullString();
            } else {
                int name = (int) scalar;
                body.string(names.bytes(), names.firstByte(name), names.length(name));
            }
        }

        private void endScalars(ArrowBody.Role role, ValueType type) {
            if (type == ValueType.LONG) {
                body.endNumbers(role);
            } else {
                body.endStrings(role);
            }
        }

        private void writeExtra() {
            body.beginColumn();
            for (int txn = from; txn < to; txn++) {
                if (slice.extra == null || slice.extra[txn] == null) {
                    body.nullString();
                } else {
                    word(slice.extra[txn]);
                }
            }
            body.endStrings(ArrowBody.Role.FIXED);
        }

        private void word(String text) {
            byte[] utf8 = text.isEmpty() ? NOTHING : text.getBytes(StandardCharsets.UTF_8);
            body.string(utf8, 0, utf8.length);
        }
    }
}
