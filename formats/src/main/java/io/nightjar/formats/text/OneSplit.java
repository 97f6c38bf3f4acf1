package io.nightjar.formats.text;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.HistorySource.Split;
import java.nio.file.Path;
import java.util.List;

/** The only split of a text history: all of its files, which must exist and must not be empty. */
public final class OneSplit {

    private static final long UNKNOWN = -1;

    private OneSplit() {}

    public static List<Split> of(String uri, List<Path> files) {
        long bytes = 0;
        for (Path file : files) {
            InputFile.check(file);
            bytes += InputFile.size(file);
        }
        String name = files.size() == 1 ? files.get(0).toString() : uri;
        return List.of(new Split(name, UNKNOWN, UNKNOWN, bytes));
    }
}
