package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A history in JSON Lines, plain or compressed, in one file or in several.
 *
 * <p>All files are one split, because a row that says neither its id nor its place in its session counts those before it.
 */
public final class JsonLinesSource implements HistorySource {

    public static final String FORMAT = "jsonl";

    private final String uri;
    private final List<Path> files;
    private final List<Split> splits;

    public JsonLinesSource(String uri, List<Path> files) {
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
        return new LineSliceReader(files, wanted, badRows, new JsonLinesRow());
    }

    @Override
    public void close() {
        // readers hold the files, the source holds nothing
    }
}
