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

/** One record batch: maps columns to nodes and buffers, and reads the bytes of buffers. */
final class ArrowBatch {

    private static final int NOT_COMPRESSED = -1;

    private final FileChannel channel;
    private final ArrowIndex.Piece piece;
    private final int codec;
    private final long[] lengthOf; // number of rows per node
    private final long[] nullsOf;
    private final long[] offsetOf; // offset per buffer
    private final long[] bytesOf;
    private final long[] variableCounts;
    private final Map<ArrowField, BufferRange> buffersOf = new IdentityHashMap<>();
    private int node;
    private int buffer;
    private int variable;

    ArrowBatch(FileChannel channel, ArrowIndex.Piece piece, RecordBatch batch, List<ArrowField> columns) {
        this.channel = channel;
        this.piece = piece;
        BodyCompression compression = batch.compression();
        this.codec = compression == null ? NOT_COMPRESSED : compression.codec();
        this.lengthOf = new long[bounded(batch.nodesLength())];
        this.nullsOf = new long[lengthOf.length];
        for (int i = 0; i < lengthOf.length; i++) {
            lengthOf[i] = batch.nodes(i).length();
            nullsOf[i] = batch.nodes(i).nullCount();
        }
        this.offsetOf = new long[bounded(batch.buffersLength())];
        this.bytesOf = new long[offsetOf.length];
        for (int i = 0; i < offsetOf.length; i++) {
            offsetOf[i] = batch.buffers(i).offset();
            bytesOf[i] = batch.buffers(i).length();
        }
        this.variableCounts = new long[bounded(batch.variadicBufferCountsLength())];
        for (int i = 0; i < variableCounts.length; i++) {
            variableCounts[i] = batch.variadicBufferCounts(i);
        }
        for (ArrowField column : columns) {
            place(column);
        }
    }

    /** Returns the number of rows of a column. */
    long length(ArrowField field) {
        return lengthOf[buffersFor(field).node];
    }

    /** Checks that every column has as many rows as its batch: if the batch stated fewer, rows would be lost. */
    void checkRows(List<ArrowField> columns, long rows) {
        for (ArrowField column : columns) {
            if (rows < 0 || length(column) != rows) {
                throw new CorruptArrowException(InputError.of("column has another number of rows than its record batch")
                        .with("column=%s rows=%d expected=%d", column.name, length(column), rows));
            }
        }
    }

    /**
     * Returns whether a field has nulls. Validity bits, if present, determine which entries are null; the null count is
     * then ignored.
     */
    boolean hasNulls(ArrowField field) {
        BufferRange buffers = buffersFor(field);
        return nullsOf[buffers.node] != 0 || field.bufferCount() > 0 && bytesOf[buffers.buffer] > 0;
    }

    /** Returns the number of data buffers of a view column. */
    int variableCount(ArrowField field) {
        return buffersFor(field).variableCount;
    }

    /** Returns the bytes of a column's buffer; buffers are counted from 0 in the column. */
    ArrowBytes bytes(ArrowField field, int which) throws IOException {
        int index = buffersFor(field).buffer + which;
        long offset = offsetOf[index];
        long length = bytesOf[index];
        if (offset < 0 || length < 0 || length > piece.bodyLength() - offset) {
            throw new CorruptArrowException(InputError.of("column lies outside its record batch")
                    .with("column=%s offset=%d bytes=%d", field.name, offset, length));
        }
        if (length == 0) {
            return ArrowBytes.NONE;
        }
        ArrowBytes stored = new ArrowBytes(channel, piece.bodyOffset() + offset, length);
        return codec == NOT_COMPRESSED ? stored : ArrowCompression.decompress(stored, codec);
    }

    private BufferRange buffersFor(ArrowField field) {
        return requireNonNull(buffersOf.get(field));
    }

    private void place(ArrowField field) {
        int variableCount = 0;
        if (field.hasVariableBuffers()) {
            variableCount = Math.toIntExact(variableCounts[variable++]);
        }
        int count = field.bufferCount() + variableCount;
        if (variableCount < 0 || node >= lengthOf.length || count > offsetOf.length - buffer) {
            throw new CorruptArrowException(
                    InputError.of("record batch does not fit the schema").with("column=" + field.name));
        }
        buffersOf.put(field, new BufferRange(node, buffer, variableCount));
        node++;
        buffer += count;
        if (!field.hasDictionary()) {
            for (ArrowField child : field.children) {
                place(child);
            }
        }
    }

    private static int bounded(int count) {
        if (count < 0 || count > 1 << 20) {
            throw new CorruptArrowException(
                    InputError.of("record batch is damaged").with("columns=" + count));
        }
        return count;
    }

    private record BufferRange(int node, int buffer, int variableCount) {}
}
