package io.nightjar.formats.arrow;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.Field;

/** One record batch: maps columns to nodes and buffers, and reads the bytes of buffers. */
final class ArrowBatch {

    private static final int NOT_COMPRESSED = -1;

    private final FileChannel channel;
    private final ArrowIndex.Piece piece;
    private final int codec;
    private final RecordBatch batch;
    private final Map<Field, BufferRange> buffersOf = new IdentityHashMap<>();
    private int nodes;
    private int buffers;
    private int variables;

    ArrowBatch(FileChannel channel, ArrowIndex.Piece piece, RecordBatch batch, List<Field> columns) {
        this.channel = channel;
        this.piece = piece;
        this.batch = batch;
        BodyCompression compression = batch.compression();
        this.codec = compression == null ? NOT_COMPRESSED : compression.codec();
        columns.forEach(this::place);
    }

    /** Returns the number of rows of a column. */
    long length(Field field) {
        return batch.nodes(buffersFor(field).node).length();
    }

    /** Checks that every column has as many rows as its batch: if the batch stated fewer, rows would be lost. */
    void checkRows(List<Field> columns, long rows) {
        for (Field column : columns) {
            if (rows < 0 || length(column) != rows) {
                throw new CorruptArrowException(InputError.of("column has another number of rows than its record batch")
                        .with("column=%s rows=%d expected=%d", column.getName(), length(column), rows));
            }
        }
    }

    /**
     * Returns whether a field has nulls. Validity bits, if present, determine which entries are null; the null count is
     * then ignored.
     */
    boolean hasNulls(Field field) {
        BufferRange range = buffersFor(field);
        return batch.nodes(range.node).nullCount() != 0
                || range.count > 0 && batch.buffers(range.buffer).length() > 0;
    }

    /** Returns the number of a column's buffers, without the buffers of its children. */
    int bufferCount(Field field) {
        return buffersFor(field).count;
    }

    /** Returns the bytes of a column's buffer; buffers are counted from 0 in the column. */
    ArrowBytes bytes(Field field, int which) throws IOException {
        int index = buffersFor(field).buffer + which;
        long offset = batch.buffers(index).offset();
        long length = batch.buffers(index).length();
        if (offset < 0 || length < 0 || length > piece.bodyLength() - offset) {
            throw new CorruptArrowException(InputError.of("column lies outside its record batch")
                    .with("column=%s offset=%d bytes=%d", field.getName(), offset, length));
        }
        if (length == 0) {
            return ArrowBytes.NONE;
        }
        ArrowBytes stored = new ArrowBytes(channel, piece.bodyOffset() + offset, length);
        return codec == NOT_COMPRESSED ? stored : ArrowCompression.decompress(stored, codec);
    }

    private BufferRange buffersFor(Field field) {
        return requireNonNull(buffersOf.get(field));
    }

    private void place(Field field) {
        boolean hasDictionary = field.getDictionary() != null;
        TypeLayout layout =
                TypeLayout.getTypeLayout(hasDictionary ? field.getDictionary().getIndexType() : field.getType());
        int count = layout.getBufferLayouts().size();
        if (!layout.isFixedBufferCount()) {
            count = Math.addExact(count, Math.toIntExact(batch.variadicBufferCounts(variables++)));
        }
        if (count < 0 || nodes >= batch.nodesLength() || count > batch.buffersLength() - buffers) {
            throw new CorruptArrowException(
                    InputError.of("record batch does not fit the schema").with("column=" + field.getName()));
        }
        buffersOf.put(field, new BufferRange(nodes++, buffers, count));
        buffers += count;
        if (!hasDictionary) {
            field.getChildren().forEach(this::place);
        }
    }

    private record BufferRange(int node, int buffer, int count) {}
}
