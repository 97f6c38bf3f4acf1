package io.nightjar.formats.parquet;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.ColumnTypes;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.RereadableWriter;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.text.CommonTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a history as a Parquet file that every Parquet reader supports: data pages v1, zstd, the schema of {@link
 * HistorySchema}. The same slices produce the same bytes.
 */
public final class ParquetHistoryWriter implements RereadableWriter {

    /*
     * Algorithm. The schema depends on the types of keys and values, which a slice without operations (or with only
     * reads of the initial state) does not have. Slices are buffered until both types are known, or until the last
     * slice.
     */

    private final Path file;
    private final List<HistorySlice> waiting = new ArrayList<>();
    private ColumnTypes types;
    private SliceShredder rows;
    private @Nullable String doubt; // null if none
    private boolean isFinished;

    /** Creates a writer of histories without predicate reads, inspected rows, deletions, and conditional writes. */
    public ParquetHistoryWriter(Path file) throws IOException {
        this(file, OpColumns.OF_ITEMS);
    }

    /** @param opColumns the fields of operations */
    public ParquetHistoryWriter(Path file, OpColumns opColumns) throws IOException {
        this.file = file;
        this.types = ColumnTypes.unknown(opColumns);
        Path folder = file.toAbsolutePath().getParent();
        if (!Addresses.isRemote(file) && (folder == null || !Files.isDirectory(folder))) {
            throw new IOException("no such folder: path=" + folder);
        }
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        if (isFinished) {
            throw new IllegalStateException("writer is finished: file=" + file);
        }
        types = types.with(slice);
        if (rows == null && types.areKnown()) {
            writeWaiting();
        }
        if (rows != null) {
            rows.write(slice);
        } else {
            waiting.add(slice);
        }
    }

    @SetsFields
    private void writeWaiting() throws IOException {
        rows = new SliceShredder(file, types.keyType(), types.valueType(), types.opColumns());
        for (HistorySlice slice : waiting) {
            rows.write(slice);
        }
        waiting.clear();
    }

    @Override
    public boolean doubt(String why) {
        doubt = why;
        return true;
    }

    @Override
    public void finish() throws IOException {
        complete();
        rows.publish();
    }

    @Override
    public @Nullable Path complete() throws IOException {
        if (rows == null) {
            writeWaiting();
        }
        if (doubt != null) {
            rows.writeText(HistorySchema.DOUBT_KEY, doubt);
        }
        if (types.areKeysJson()) {
            rows.writeText(CommonTypes.KEY_TYPE, CommonTypes.JSON);
        }
        if (types.areValuesJson()) {
            rows.writeText(CommonTypes.VALUE_TYPE, CommonTypes.JSON);
        }
        isFinished = true;
        return rows.complete();
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        if (rows != null) {
            rows.close();
        }
    }
}
