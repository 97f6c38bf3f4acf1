package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
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
public final class LineSource extends SequentialSource {

    private final Supplier<LineSliceReader.Row> rows;
    private final Set<String> doubts =
            Collections.synchronizedSet(new LinkedHashSet<>()); // reasons why no level can hold

    private LineSource(String format, Supplier<LineSliceReader.Row> rows, String uri, List<Path> files) {
        super(format, uri, files);
        this.rows = rows;
    }

    public static LineSource jsonLines(String uri, List<Path> files) {
        return new LineSource("jsonl", JsonLinesRow::new, uri, files);
    }

    /** Opens the notation of documents and tests; docs/history-format.md contains its grammar. */
    public static LineSource notation(String uri, List<Path> files) {
        return new LineSource("notation", NotationRow::new, uri, files);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) {
        return new LineSliceReader(files, wanted, badRows, rows.get(), doubts::add);
    }

    @Override
    public List<SourceDiagnostic> remarks() {
        synchronized (doubts) {
            return doubts.stream()
                    .map(why -> UndecidedReasonLine.remark(uri(), why))
                    .toList();
        }
    }
}
