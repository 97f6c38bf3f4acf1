package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.run.Watcher;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds out what each source is. */
final class WatchFeeds {

    private static final String STDIN = "-";

    private WatchFeeds() {}

    /** @throws UsageException for a source that is none */
    static List<RowFeed> open(WatchOptions options, InputStream stdin, Watcher watcher) {
        List<RowFeed> feeds = new ArrayList<>();
        for (String source : options.sources()) {
            feeds.add(open(source, options, stdin, watcher));
        }
        return feeds;
    }

    private static RowFeed open(String source, WatchOptions options, InputStream stdin, Watcher watcher) {
        if (source.equals(STDIN)) {
            return new StreamFeed(STDIN, stdin);
        }
        if (source.matches("[a-z]+://.*")) {
            throw new UsageException("cannot watch this address: source=" + source
                    + " expected=-, a file or a directory; listeners are not built yet");
        }
        Path path = Path.of(source);
        if (!Files.exists(path)) {
            throw new UsageException("[" + source + "] no such file or directory; create it before it is watched");
        }
        return new TailFeed(source, path, options.untilEnd(), Map.of(), watcher);
    }
}
