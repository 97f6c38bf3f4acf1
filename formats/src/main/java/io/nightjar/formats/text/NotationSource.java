package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A history in the notation of documents and tests; docs/history-format.md has its grammar.
 *
 * <p>All files are one split, because a row that says neither its id nor its place in its session counts those before it.
 */
public final class NotationSource implements HistorySource {

    public static final String FORMAT = "notation";

    private final String uri;
    private final List<Path> files;
    private final List<Split> splits;

    public NotationSource(String uri, List<Path> files) {
        this.uri = uri;
        this.files = List.copyOf(files);
        this.splits = OneSplit.of(uri, this.files);
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
        return splits;
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) {
        return new LineSliceReader(files, wanted, badRows, new NotationRow());
    }

    @Override
    public void close() {
        // readers hold the files, the source holds nothing
    }
}
