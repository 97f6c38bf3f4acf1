package io.nightjar.jobs.watch;

import io.nightjar.formats.topic.TopicOpener;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.run.Watcher;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out what each source is. */
final class WatchFeeds {

    private static final String STDIN = "-";

    private static final Pattern ADDRESS = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(.*)");
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:/\\[\\]]*):(\\d{1,5})/?");
    private static final int MOST_PORT = 65_535;
    private static final String LOOPBACK = "127.0.0.1";

    private WatchFeeds() {}

    /** Whether a source is a file, a directory or standard input, and not an address. */
    static boolean isLocal(String source) {
        return !ADDRESS.matcher(source).matches();
    }

    /**
     * @param positions where files go on, by name
     * @throws UsageException for a source that is none
     */
    static List<RowFeed> open(
            WatchOptions options, Map<String, FeedPosition> positions, InputStream stdin, Watcher watcher) {
        List<RowFeed> feeds = new ArrayList<>();
        for (String source : options.sources()) {
            feeds.add(open(source, options, positions, stdin, watcher));
        }
        return feeds;
    }

    private static RowFeed open(
            String source,
            WatchOptions options,
            Map<String, FeedPosition> positions,
            InputStream stdin,
            Watcher watcher) {
        if (source.equals(STDIN)) {
            return new StreamFeed(STDIN, stdin);
        }
        Matcher address = ADDRESS.matcher(source);
        if (address.matches()) {
            return TopicOpener.of(address.group(1).toLowerCase(Locale.ROOT))
                    .map(opener -> topic(source, opener, address.group(2), options, positions))
                    .orElseGet(() -> listen(source, address, options, watcher));
        }
        Path path = Path.of(source);
        if (!Files.exists(path)) {
            throw new UsageException("[" + source + "] no such file or directory; create it before it is watched");
        }
        return new TailFeed(source, path, options.untilEnd(), positions, watcher);
    }

    private static RowFeed topic(
            String source,
            TopicOpener opener,
            String address,
            WatchOptions options,
            Map<String, FeedPosition> positions) {
        int settings = source.indexOf('?');
        String name = settings < 0 ? source : source.substring(0, settings);
        try {
            Path scratch = options.check().spillParent();
            return new TopicFeed(name, opener.open(address), options.untilEnd(), positions, scratch);
        } catch (IllegalArgumentException noAddress) {
            throw new UsageException(
                    "cannot watch this topic: source=" + source + " " + noAddress.getMessage(), noAddress);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static RowFeed listen(String source, Matcher address, WatchOptions options, Watcher watcher) {
        String scheme = address.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals("kafka")) {
            throw new UsageException("topics of Kafka need nightjar-kafka, which is not there: source=" + source
                    + "; put it and kafka-clients on the class path");
        }
        if (!scheme.equals("tcp") && !scheme.equals("http")) {
            throw new UsageException("cannot watch this address: source=" + source
                    + " expected=tcp://HOST:PORT, http://HOST:PORT, kafka://HOST:PORT/TOPIC, a file, a directory or -");
        }
        InetSocketAddress where = hostAndPort(source, address.group(2));
        try {
            return scheme.equals("tcp")
                    ? new SocketFeed(source, where, options.untilEnd(), watcher)
                    : new PostFeed(source, where, options.check().spillParent(), watcher);
        } catch (IOException taken) {
            throw new UncheckedIOException(
                    new IOException("cannot listen: address=" + source + " reason=" + taken.getMessage(), taken));
        }
    }

    /**
     * Where to listen: {@code HOST:PORT}, or {@code :PORT} for this machine alone.
     *
     * @throws UsageException if it is neither
     */
    static InetSocketAddress hostAndPort(String source, String text) {
        Matcher parts = HOST_AND_PORT.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > MOST_PORT) {
            throw new UsageException("no host and port: address=" + source + " expected=HOST:PORT");
        }
        String host = parts.group(1).isEmpty() ? LOOPBACK : parts.group(1);
        InetSocketAddress where = new InetSocketAddress(host, Integer.parseInt(parts.group(2)));
        if (where.isUnresolved()) {
            throw new UsageException("no such host: address=" + source);
        }
        return where;
    }
}
