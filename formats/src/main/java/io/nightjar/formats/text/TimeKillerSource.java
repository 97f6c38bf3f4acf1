package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history in the JSON of TimeKiller (Chronos): one array of committed transactions, keys and values int64.
 *
 * <p>Hybrid clocks and names of transactions and sessions are mapped to int64 unless they are int64 already; this is
 * determined once, before the first split is opened.
 */
public final class TimeKillerSource extends SequentialSource {

    public static final String FORMAT = "timekiller";

    private @Nullable TimeKillerIds ids;

    public TimeKillerSource(String uri, List<Path> files) {
        super(FORMAT, uri, files);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        return new TimeKillerReader(files, ids(), wanted, badRows);
    }

    private synchronized TimeKillerIds ids() throws IOException {
        if (ids == null) {
            ids = TimeKillerIds.find(files);
        }
        return ids;
    }
}
