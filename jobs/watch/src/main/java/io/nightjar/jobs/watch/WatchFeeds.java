package io.nightjar.jobs.watch;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.topic.TopicOpener;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.input.HistoryArgument;
import io.nightjar.jobs.run.ProgressListener;
import java.io.FileInputStream;
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

/** Factory of the feeds of a watch, by the addresses of its sources. */
public final class WatchFeeds {

    private static final Pattern ADDRESS = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(.*)");
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:/\\[\\]]*):(\\d{1,5})/?");
    private static final int MAX_PORT = 65_535;
    private static final String LOOPBACK = "127.0.0.1";

    private WatchFeeds() {}

    /** Returns whether a source is a file or a directory, of a bucket too, or standard input, and not a server. */
    static boolean isPath(String source) {
        return !ADDRESS.matcher(source).matches() || Addresses.isStore(source);
    }

    /**
     * @param positions where files are resumed, by name
     * @throws UsageException for an invalid source
     */
    static List<RowFeed> open(
            WatchOptions options, Map<String, FeedPosition> positions, InputStream stdin, ProgressListener watcher) {
        List<RowFeed> feeds = new ArrayList<>();
        for (String source : options.arrivals().sources()) {
            FeedPlan plan = new FeedPlan(
                    source,
                    FeedShare.WHOLE,
                    options.arrivals().untilEnd(),
                    options.arrivals().sources().size() == 1
                            && options.keeping().checkpoint() == null,
                    options.arrivals().allowedHosts());
            feeds.add(open(plan, positions, stdin, watcher));
        }
        return feeds;
    }

    /**
     * Plan of reading a source, or a share of one.
     *
     * @param isAlone whether it is the only one, read from its beginning by one call
     * @param allowedHosts further host names that requests to it may use
     */
    record FeedPlan(String source, FeedShare share, boolean untilEnd, boolean isAlone, List<String> allowedHosts) {}

    static RowFeed open(
            FeedPlan plan, Map<String, FeedPosition> positions, InputStream stdin, ProgressListener watcher) {
        String source = plan.source();
        if (isStandardInput(source)) {
            return new StreamFeed(source, () -> stdin, plan.isAlone());
        }
        Matcher address = ADDRESS.matcher(source);
        if (address.matches() && !isPath(source)) {
            return TopicOpener.of(address.group(1).toLowerCase(Locale.ROOT))
                    .map(opener -> topic(plan, opener, address.group(2), positions, watcher))
                    .orElseGet(() -> listen(plan, address, watcher));
        }
        Path path = Addresses.path(source);
        if (!Files.exists(path)) {
            throw new UsageException("[" + source + "] no such file or directory; create it before it is watched");
        }
        return HistoryArgument.isPipe(path)
                ? new StreamFeed(source, () -> new FileInputStream(path.toFile()), plan.isAlone())
                : new TailFeed(plan, path, positions, watcher);
    }

    private static RowFeed topic(
            FeedPlan plan,
            TopicOpener opener,
            String address,
            Map<String, FeedPosition> positions,
            ProgressListener watcher) {
        String source = plan.source();
        int settings = source.indexOf('?');
        String name = settings < 0 ? source : source.substring(0, settings);
        try {
            return new TopicFeed(name, opener.open(address), plan.untilEnd(), positions, plan.share(), watcher);
        } catch (IllegalArgumentException noAddress) {
            throw new UsageException(
                    "cannot watch this topic: source=" + source + " " + noAddress.getMessage(), noAddress);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static RowFeed listen(FeedPlan plan, Matcher address, ProgressListener watcher) {
        String source = plan.source();
        String scheme = address.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals("kafka")) {
            throw new UsageException("Kafka topics need nightjar-kafka, which is missing: source=" + source
                    + "; add it and kafka-clients to the class path");
        }
        if (!scheme.equals("tcp") && !scheme.equals("http")) {
            throw new UsageException("cannot watch this address: source=" + source
                    + " expected=tcp://HOST:PORT, http://HOST:PORT, kafka://HOST:PORT/TOPIC, s3://BUCKET/FOLDER, a file,"
                    + " a directory or -");
        }
        InetSocketAddress where = hostAndPort(source, address.group(2));
        try {
            return scheme.equals("tcp")
                    ? new SocketFeed(source, where, plan.untilEnd(), watcher)
                    : new HttpFeed(source, where, plan.allowedHosts(), watcher);
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
    }

    /** Returns whether several feeds can share a source: a directory or a topic. */
    public static boolean canBeShared(String source) {
        Matcher address = ADDRESS.matcher(source);
        return address.matches() && !isPath(source)
                ? TopicOpener.of(address.group(1).toLowerCase(Locale.ROOT)).isPresent()
                : Files.isDirectory(Addresses.path(source));
    }

    /** Returns whether another process too can read a source: a file, a directory or a topic. */
    public static boolean isReadAnywhere(String source) {
        return canBeShared(source) || isFile(source);
    }

    /** Returns whether a source is a file or a directory, not a pipe. */
    public static boolean isFile(String source) {
        return isPath(source) && !HistoryArgument.isPipe(Addresses.path(source));
    }

    private static boolean isStandardInput(String source) {
        return isPath(source) && HistoryArgument.isStandardInput(Addresses.path(source));
    }

    /**
     * Returns the address to listen on: {@code HOST:PORT}, or {@code :PORT} for this machine alone.
     *
     * @throws UsageException if the text is neither
     */
    static InetSocketAddress hostAndPort(String source, String text) {
        Matcher match = HOST_AND_PORT.matcher(text);
        if (!match.matches() || Integer.parseInt(match.group(2)) > MAX_PORT) {
            throw new UsageException("no host and port: address=" + source + " expected=HOST:PORT");
        }
        String host = match.group(1).isEmpty() ? LOOPBACK : match.group(1);
        InetSocketAddress where = new InetSocketAddress(host, Integer.parseInt(match.group(2)));
        if (where.isUnresolved()) {
            throw new UsageException("no such host: address=" + source);
        }
        return where;
    }
}
