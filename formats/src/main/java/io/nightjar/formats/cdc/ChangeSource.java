package io.nightjar.formats.cdc;

import io.nightjar.formats.file.ExternalGrouper;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.table.ColumnRole;
import io.nightjar.formats.text.JsonItems;
import io.nightjar.formats.text.SequentialSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change log as a history with writes and the commit order, without reads. */
public final class ChangeSource extends SequentialSource {

    private final ChangeFormat format;
    private final Map<ColumnRole, String> columns;
    private final long bufferBytes;
    private @Nullable ChangeFacts facts;

    private ChangeSource(
            ChangeFormat format, String uri, List<Path> files, Map<ColumnRole, String> columns, long bufferBytes) {
        super(format.spelling(), uri, files);
        this.format = format;
        this.columns = Map.copyOf(columns);
        this.bufferBytes = bufferBytes;
    }

    /**
     * Opens a log.
     *
     * @param format its name
     * @param columns columns that are keys and values, if whole rows are not wanted
     */
    public static ChangeSource open(String format, String uri, List<Path> files, Map<ColumnRole, String> columns) {
        return open(format, uri, files, columns, ExternalGrouper.bufferBytes());
    }

    /** Returns a source that uses at most the given bytes of memory to sort events. */
    static ChangeSource open(
            String format, String uri, List<Path> files, Map<ColumnRole, String> columns, long bufferBytes) {
        for (ChangeFormat known : ChangeFormat.values()) {
            if (known.spelling().equals(format)) {
                return new ChangeSource(known, uri, files, columns, bufferBytes);
            }
        }
        throw new IllegalArgumentException("unknown format: format=" + format);
    }

    ChangeFormat changeFormat() {
        return format;
    }

    List<Path> files() {
        return files;
    }

    /** Returns the maximum memory for sorting a log. */
    long bufferBytes() {
        return bufferBytes;
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        boolean rowsAreLines = !format.isJson() || JsonItems.hasLines(files.get(0));
        return new ChangeReader(this, facts(), wanted, badRows, rowsAreLines);
    }

    private synchronized ChangeFacts facts() throws IOException {
        if (facts == null) {
            facts = ChangeFacts.find(format, files, columns);
        }
        return facts;
    }

    @Override
    public synchronized List<SourceDiagnostic> remarks() {
        return facts == null ? List.of() : facts.remarks();
    }
}
