package io.nightjar.formats.arrow;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputFault;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceRemark;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A history in Arrow IPC files or streams. Every record batch is a split. */
public final class ArrowHistorySource implements HistorySource {

    public static final String FORMAT = "arrow";

    private final String uri;
    private final List<Split> splits = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final List<SourceRemark> remarks = new ArrayList<>();

    /** Reads the metadata of all files. */
    public ArrowHistorySource(String uri, List<Path> files) throws IOException {
        this.uri = uri;
        for (Path file : files) {
            addFile(file);
        }
        checkTypes();
        if (splits.isEmpty()) {
            splits.add(new Split(uri, 0, 0, 0));
        }
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public String format() {
        return FORMAT;
    }

    @Override
    public List<Split> splits() {
        return List.copyOf(splits);
    }

    @Override
    public boolean hasPredicateColumns() {
        return parts.stream().anyMatch(part -> part.columns.field(HistoryColumn.PREDICATE) != null);
    }

    @Override
    public List<SourceRemark> remarks() {
        return List.copyOf(remarks);
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) throws IOException {
        if (parts.isEmpty()) {
            return new NoSlices();
        }
        return ArrowSliceReader.open(parts.get(split), wanted, badRows);
    }

    @Override
    public void close() {
        // readers hold the files, the source holds nothing
    }

    private void addFile(Path file) throws IOException {
        InputFile.check(file);
        String name = file.toString();
        try (FileChannel channel = FileChannel.open(file)) {
            ArrowIndex index = ArrowIndex.read(channel);
            if (index.doubt != null) {
                remarks.add(new SourceRemark("L39", 1, name, index.doubt, index.doubt));
            }
            ArrowColumns columns = new ArrowColumns(name, index.columns);
            long row = 1;
            for (ArrowIndex.Batch batch : index.batches) {
                if (batch.rowCount() > 0) {
                    parts.add(new Part(file, index.columns, columns, batch, row));
                    splits.add(new Split(
                            name,
                            batch.rowCount(),
                            batch.opCount(),
                            batch.piece().bodyLength()));
                }
                row += batch.rowCount();
            }
        } catch (DamagedArrowException damaged) {
            throw new MalformedHistoryException(Place.file(name), damaged.fault(), damaged);
        }
    }

    /** All files must agree; columns that are null as a whole agree with any. */
    private void checkTypes() {
        Part keys = null;
        Part values = null;
        for (Part part : parts) {
            keys = keys == null && part.columns.keyType != ValueType.NONE ? part : keys;
            values = values == null && part.columns.valueType != ValueType.NONE ? part : values;
            if (keys != null) {
                checkType("keys", part, part.columns.keyType, keys, keys.columns.keyType);
            }
            if (values != null) {
                checkType("values", part, part.columns.valueType, values, values.columns.valueType);
            }
        }
    }

    private static void checkType(String what, Part part, ValueType type, Part first, ValueType firstType) {
        if (type != ValueType.NONE && type != firstType) {
            throw new MalformedHistoryException(
                    Place.row(part.file.toString(), part.firstRow),
                    InputFault.of(what + " of two types in one history")
                            .with(
                                    "type=%s but type=%s in %s",
                                    type.typeName(),
                                    firstType.typeName(),
                                    Place.row(first.file.toString(), first.firstRow))
                            .advise("write all of them as strings or all as integers"));
        }
    }

    /**
     * One record batch.
     *
     * @param schema all columns of the file, in the order of its nodes and buffers
     * @param firstRow the row of the file that the batch begins with
     */
    record Part(Path file, List<ArrowField> schema, ArrowColumns columns, ArrowIndex.Batch batch, long firstRow) {}

    /** The reader of a history without rows. */
    private static final class NoSlices implements SliceReader {

        @Override
        public @Nullable HistorySlice next() {
            return null;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
