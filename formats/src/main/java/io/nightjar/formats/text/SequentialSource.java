package io.nightjar.formats.text;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.HistorySource;
import java.nio.file.Path;
import java.util.List;

/** A history whose files, which must exist and must not be empty, are read in order and are one split. */
public abstract class SequentialSource implements HistorySource {

    private static final long UNKNOWN = -1;

    protected final List<Path> files;
    private final String format;
    private final String uri;
    private final List<Split> splits;

    protected SequentialSource(String format, String uri, List<Path> files) {
        this.format = format;
        this.uri = uri;
        this.files = List.copyOf(files);
        long bytes = 0;
        for (Path file : files) {
            InputFile.check(file);
            bytes += InputFile.size(file);
        }
        String name = files.size() == 1 ? files.get(0).toString() : uri;
        this.splits = List.of(new Split(name, UNKNOWN, UNKNOWN, bytes));
    }

    @Override
    public final String uri() {
        return uri;
    }

    @Override
    public final String format() {
        return format;
    }

    @Override
    public final List<Split> splits() {
        return splits;
    }

    @Override
    public final void close() {
        // readers own the open files, the source has none
    }
}
