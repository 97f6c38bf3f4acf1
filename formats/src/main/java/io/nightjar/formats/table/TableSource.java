package io.nightjar.formats.table;

import io.nightjar.formats.file.ExternalGrouper;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.text.SequentialSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history as a table with one row per operation, in one or several files; one split, since the rows of a transaction
 * may be scattered.
 */
public final class TableSource extends SequentialSource {

    private final List<RowFile> rowFiles;
    private final Map<ColumnRole, String> given;
    private final long bufferBytes;
    private @Nullable TableFacts facts;

    /**
     * @param root folder below which names of folders are columns; null if none are
     * @param given the names of columns that differ from the usual names
     */
    public TableSource(String uri, @Nullable Path root, List<Path> files, Map<ColumnRole, String> given) {
        this(uri, root, files, given, ExternalGrouper.bufferBytes());
    }

    /** Creates a source that uses at most the given bytes of memory to group the rows of transactions. */
    TableSource(String uri, @Nullable Path root, List<Path> files, Map<ColumnRole, String> given, long bufferBytes) {
        super("table", uri, files);
        this.rowFiles =
                files.stream().map(file -> new RowFile(file, root, given)).toList();
        this.given = Map.copyOf(given);
        this.bufferBytes = bufferBytes;
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        return new TableReader(this, facts(), wanted, badRows);
    }

    List<RowFile> rowFiles() {
        return rowFiles;
    }

    Map<ColumnRole, String> given() {
        return given;
    }

    /** Returns the maximum memory for grouping the rows of a table. */
    long bufferBytes() {
        return bufferBytes;
    }

    private synchronized TableFacts facts() throws IOException {
        if (facts == null) {
            facts = TableFacts.find(rowFiles, given, bufferBytes);
        }
        return facts;
    }

    @Override
    public synchronized List<SourceDiagnostic> remarks() {
        return facts == null ? List.of() : facts.remarks();
    }
}
