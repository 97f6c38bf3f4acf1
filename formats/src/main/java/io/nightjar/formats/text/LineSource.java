package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A history with one transaction per line, plain or compressed, in one or several files.
 *
 * <p>All files are one split, because a row without an id or a position in its session is numbered by counting earlier
 * rows.
 */
public final class LineSource implements HistorySource {

    private final String format;
    private final Supplier<LineSliceReader.Row> rows;
    private final String uri;
    private final List<Path> files;
    private final List<Split> splits;
    private final Set<String> doubts =
            Collections.synchronizedSet(new LinkedHashSet<>()); // reasons why no level can hold

    private LineSource(String format, Supplier<LineSliceReader.Row> rows, String uri, List<Path> files) {
        this.format = format;
        this.rows = rows;
        this.uri = uri;
        this.files = List.copyOf(files);
        this.splits = OneSplit.of(uri, this.files);
    }

    public static LineSource jsonLines(String uri, List<Path> files) {
        return new LineSource("jsonl", JsonLinesRow::new, uri, files);
    }

    /** Opens the notation of documents and tests; docs/history-format.md contains its grammar. */
    public static LineSource notation(String uri, List<Path> files) {
        return new LineSource("notation", NotationRow::new, uri, files);
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public List<Split> splits() {
        return splits;
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) {
        return new LineSliceReader(files, wanted, badRows, rows.get(), doubts::add);
    }

    @Override
    public List<SourceDiagnostic> remarks() {
        synchronized (doubts) {
            return doubts.stream()
                    .map(why -> UndecidedReasonLine.remark(uri, why))
                    .toList();
        }
    }

    @Override
    public void close() {
        // readers own the open files, the source has none
    }
}
