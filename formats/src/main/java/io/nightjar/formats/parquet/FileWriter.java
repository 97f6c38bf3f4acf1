package io.nightjar.formats.parquet;

import com.github.luben.zstd.ZstdCompressCtx;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.file.ZstdLibrary;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.RowGroup;
import org.jspecify.annotations.Nullable;

/**
 * Writer of a Parquet file, which is hidden in its target folder until it is complete: a chunk for each leaf of the schema,
 * row group after row group, then the footer.
 */
final class FileWriter implements AutoCloseable {

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int COMPRESSION_LEVEL = 3;

    private final AtomicFile hidden;
    private final OutputStream out;
    private long position;
    private final ZstdCompressCtx zstd;
    private final SchemaNode root;
    private final Map<String, String> metadata;
    private final ChunkWriter[] chunks;
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private long rowsInGroup;

    /** @param metadata entries of the footer, in order */
    FileWriter(Path file, SchemaNode root, Map<String, String> metadata) throws IOException {
        this.root = root;
        this.metadata = new LinkedHashMap<>(metadata);
        this.hidden = new AtomicFile(file);
        this.out = hidden.openPlain();
        ZstdLibrary.load();
        this.zstd = new ZstdCompressCtx().setLevel(COMPRESSION_LEVEL);
        List<SchemaNode> leaves = root.number();
        this.chunks = new ChunkWriter[leaves.size()];
        for (int leaf = 0; leaf < chunks.length; leaf++) {
            chunks[leaf] = new ChunkWriter(leaves.get(leaf), zstd);
        }
        write(MAGIC, 0, MAGIC.length);
    }

    private void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        position += length;
    }

    /** Adds an entry to the metadata of the footer. */
    void writeFile(String name, String text) {
        metadata.put(name, text);
    }

    /** Returns the writer of a column chunk; the ordinal is the index of the leaf in the schema, depth first. */
    ChunkWriter chunk(int leaf) {
        return chunks[leaf];
    }

    void endRow() {
        for (ChunkWriter chunk : chunks) {
            chunk.endRow();
        }
        rowsInGroup++;
    }

    long rowsInGroup() {
        return rowsInGroup;
    }

    /** Returns the compressed bytes of the row group so far, without unfinished pages. */
    long bytesInGroup() {
        long bytes = 0;
        for (ChunkWriter chunk : chunks) {
            bytes += chunk.compressedBytes();
        }
        return bytes;
    }

    void endRowGroup() throws IOException {
        if (rowsInGroup == 0) {
            return;
        }
        List<ColumnChunk> written = new ArrayList<>();
        for (ChunkWriter chunk : chunks) {
            written.add(chunk.finish(position));
            write(chunk.dictionaryPage().bytes(), 0, chunk.dictionaryPage().size());
            write(chunk.dataPages().bytes(), 0, chunk.dataPages().size());
            chunk.begin();
        }
        rowGroups.add(FooterWriter.rowGroup(rowsInGroup, written));
        rowsInGroup = 0;
    }

    void finish() throws IOException {
        complete();
        publish();
    }

    /** Syncs the complete file to the disk, still hidden. */
    void complete() throws IOException {
        endRowGroup();
        byte[] bytes = FooterWriter.write(root, rowGroups, metadata);
        write(bytes, 0, bytes.length);
        byte[] tail = new byte[Integer.BYTES + MAGIC.length];
        ByteBuffer.wrap(tail)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(bytes.length)
                .put(MAGIC);
        write(tail, 0, tail.length);
        out.close();
        hidden.complete();
    }

    /** Returns the path of the file until it is published; null if it is a stream. */
    @Nullable
    Path hiddenPath() {
        return hidden.hiddenPath();
    }

    void publish() throws IOException {
        hidden.publish();
    }

    @Override
    public void close() throws IOException {
        try {
            zstd.close();
            out.close();
        } finally {
            hidden.close();
        }
    }
}
