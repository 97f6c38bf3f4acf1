package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * A history by the name that the user gave it, wherever a task finds it.
 *
 * @param source read instead
 * @param uri its address as the user gave it
 */
record NamedSource(HistorySource source, String uri) implements HistorySource {

    @Override
    public String format() {
        return source.format();
    }

    @Override
    public List<Split> splits() {
        return source.splits();
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) throws IOException {
        return source.open(split, wanted, badRows);
    }

    @Override
    public String impliedInitialValue() {
        return source.impliedInitialValue();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
