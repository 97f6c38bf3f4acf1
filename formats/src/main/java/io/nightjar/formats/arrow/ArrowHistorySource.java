package io.nightjar.formats.arrow;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** A history in Arrow IPC files or streams. Every record batch is a split. */
public final class ArrowHistorySource implements HistorySource {

    public static final String FORMAT = "arrow";

    private final String uri;
    private final List<Split> splits = new ArrayList<>();
    private final List<BatchSplit> batchSplits = new ArrayList<>();
    private final List<SourceDiagnostic> remarks = new ArrayList<>();

    /** Reads the metadata of all files. */
    public ArrowHistorySource(String uri, List<Path> files) throws IOException {
        this.uri = uri;
        for (Path file : files) {
            addFile(file);
        }
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
        return batchSplits.stream().anyMatch(split -> split.columns.field(HistoryColumn.PREDICATE) != null);
    }

    @Override
    public List<SourceDiagnostic> remarks() {
        return List.copyOf(remarks);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        if (batchSplits.isEmpty()) {
            return SliceReader.of(Collections.emptyIterator());
        }
        return ArrowSliceReader.open(batchSplits.get(split), wanted, badRows);
    }

    @Override
    public void close() {
        // readers own the open files, the source has none
    }

    private void addFile(Path file) throws IOException {
        InputFile.check(file);
        String name = file.toString();
        try (FileChannel channel = FileChannel.open(file)) {
            ArrowIndex index = ArrowIndex.read(channel);
            if (index.doubt != null) {
                remarks.add(new SourceDiagnostic("L39", 1, name, index.doubt, index.doubt));
            }
            ArrowColumns columns = new ArrowColumns(name, index.columns);
            long row = 1;
            for (ArrowIndex.Batch batch : index.batches) {
                if (batch.rowCount() > 0) {
                    batchSplits.add(new BatchSplit(file, index, columns, batch, row));
                    splits.add(new Split(
                            name,
                            batch.rowCount(),
                            batch.opCount(),
                            batch.piece().bodyLength()));
                }
                row += batch.rowCount();
            }
        } catch (CorruptArrowException damaged) {
            throw new MalformedHistoryException(InputLocation.file(name), damaged.fault(), damaged);
        }
    }

    /**
     * One record batch.
     *
     * @param firstRow the row of the file that the batch begins with
     */
    record BatchSplit(Path file, ArrowIndex index, ArrowColumns columns, ArrowIndex.Batch batch, long firstRow) {}
}
