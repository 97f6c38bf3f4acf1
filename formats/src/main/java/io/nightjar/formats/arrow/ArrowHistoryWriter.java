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
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.jspecify.annotations.Nullable;

/** Writes an uncompressed Arrow IPC file with one record batch per slice of suitable size. */
public final class ArrowHistoryWriter implements RereadableWriter {

    /*
     * Algorithm. The schema comes first and depends on the types of keys and values, which a slice without operations
     * (or with only reads of the initial state) does not have. Slices wait until both types are known, or until the
     * last slice.
     */

    private static final int PREFIX_LENGTH = 8; // continuation and length before a message
    private static final int SMALL = SliceReader.SLICE_WEIGHT >> 2;
    private static final long MAX_TEXT_BYTES = 1L << 28;

    private final AtomicFile file;
    private final WriteChannel out;
    private final ArrowBody body = new ArrowBody();
    private final List<ArrowBlock> batches = new ArrayList<>();
    private final List<HistorySlice> waiting = new ArrayList<>();
    private ColumnTypes types;
    private @Nullable SliceBuilder small; // slices too small for a separate batch
    private @Nullable String doubt; // null if none

    /** @param opColumns the fields of operations */
    public ArrowHistoryWriter(Path target, OpColumns opColumns) throws IOException {
        this.types = ColumnTypes.unknown(opColumns);
        this.file = new AtomicFile(target);
        this.out = new WriteChannel(file.openChannel());
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        types = types.with(slice);
        waiting.add(slice);
        if (types.areKnown()) {
            writeWaiting();
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
        writeWaiting();
        flushSmall();
        writePrefix(0); // the end of the stream
        ByteBuffer footer = ArrowMetadata.footer(types, batches, doubt);
        int length = footer.remaining();
        out.write(footer);
        out.writeIntLittleEndian(length);
        out.write(ArrowIndex.MAGIC);
        file.complete();
        return file.hiddenPath();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    // ---------------------------------------------------------------- batches

    private void writeWaiting() throws IOException {
        if (out.getCurrentPosition() == 0) {
            out.write(ArrowIndex.MAGIC);
            out.align();
            writeMessage(ArrowMetadata.schemaMessage(types));
        }
        for (HistorySlice slice : waiting) {
            if (slice.opCount >= SMALL || slice.txnCount >= SMALL) {
                flushSmall();
                writeBatches(slice);
            } else {
                keep(slice);
            }
        }
        waiting.clear();
    }

    private void keep(HistorySlice slice) throws IOException {
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
            body.clear();
            ArrowRows.write(slice, from, to, types, body);
            long begin = out.getCurrentPosition();
            writeMessage(body.message(to - from));
            batches.add(new ArrowBlock(begin, (int) (out.getCurrentPosition() - begin), body.length()));
            out.write(body.bytes());
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
                length += slice.has(column, op) ? slice.texts.length((int) slice.number(column, op)) : 0;
            }
        }
        return length;
    }

    /** Writes a message and the zeros that align its body. */
    private void writeMessage(ByteBuffer metadata) throws IOException {
        long end = out.getCurrentPosition() + PREFIX_LENGTH + metadata.remaining();
        int padding = Math.floorMod(-end, ArrowBody.ALIGNMENT);
        writePrefix(metadata.remaining() + padding);
        out.write(metadata);
        out.writeZeros(padding);
    }

    private void writePrefix(int length) throws IOException {
        out.writeIntLittleEndian(ArrowIndex.CONTINUATION);
        out.writeIntLittleEndian(length);
    }
}
