package io.nightjar.formats.parquet;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.RereadableWriter;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
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
    private final SeenType keyType = new SeenType("key");
    private final SeenType valueType = new SeenType("value");
    private final OpColumns opColumns;
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
        this.opColumns = opColumns;
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
        if (!opColumns.with(OpColumns.of(slice)).equals(opColumns)) {
            throw new IllegalStateException("writer does not support predicates or conditions: file=" + file);
        }
        keyType.see(slice, slice.opCount == 0 ? ValueType.NONE : slice.keyType, slice.keyNames);
        valueType.see(slice, slice.valueType, slice.valueNames);
        if (rows != null) {
            rows.write(slice);
        } else if (keyType.isKnown() && valueType.isKnown()) {
            writeWaiting();
            rows.write(slice);
        } else {
            waiting.add(slice);
        }
    }

    @SetsFields
    private void writeWaiting() throws IOException {
        rows = new SliceShredder(file, keyType.type, valueType.type, opColumns);
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
        if (rows == null) {
            writeWaiting();
        }
        if (doubt != null) {
            rows.writeText(HistorySchema.DOUBT_KEY, doubt);
        }
        recordTypes();
        rows.finish();
        isFinished = true;
    }

    @Override
    public @Nullable Path complete() throws IOException {
        if (rows == null) {
            writeWaiting();
        }
        recordTypes();
        isFinished = true;
        return rows.complete();
    }

    private void recordTypes() {
        if (keyType.isJson) {
            rows.writeText(CommonTypes.KEY_TYPE, CommonTypes.JSON);
        }
        if (valueType.isJson) {
            rows.writeText(CommonTypes.VALUE_TYPE, CommonTypes.JSON);
        }
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        if (rows != null) {
            rows.close();
        }
    }

    /** The type of keys or of values, and its first location. */
    private static final class SeenType {

        private final String what;
        private ValueType type = ValueType.NONE;
        private boolean isJson;
        private @Nullable InputLocation location;

        private SeenType(String what) {
            this.what = what;
        }

        private boolean isKnown() {
            return type != ValueType.NONE;
        }

        private void see(HistorySlice slice, ValueType of, @Nullable StringPool names) {
            boolean areJson = of == ValueType.STRING && names != null && names.isJson();
            if (of == ValueType.NONE || of == type && areJson == isJson) {
                return;
            }
            InputLocation here = slice.locationOf(firstTxnWith(slice));
            if (type != ValueType.NONE) {
                throw new MalformedHistoryException(
                        here,
                        InputError.of(what + " types are mixed")
                                .with(
                                        "type=%s other-type=%s other-location=%s",
                                        of.typeName(), type.typeName(), location)
                                .advise("make all " + what + "s int64 or all string"));
            }
            type = of;
            isJson = areJson;
            location = here;
        }

        private int firstTxnWith(HistorySlice slice) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                    if (what.equals("key") || slice.kind[op] != OpKind.READ_NOTHING) {
                        return txn;
                    }
                }
            }
            return 0;
        }
    }
}
