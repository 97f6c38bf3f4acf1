package io.nightjar.jobs.watch;

import io.nightjar.jobs.run.CheckOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to watch and how.
 *
 * @param check what is decided of all rows at the end
 * @param initial what keys held before the first write
 */
public record WatchOptions(
        Arrivals arrivals, CheckOptions check, InitialChoice initial, Keeping keeping, Telling telling) {

    /**
     * Where rows come from and how long others are waited for.
     *
     * @param idleMicros a session that is silent for so long holds no watermark back
     * @param settleMicros how long arrivals gather before they are applied in the order of their commits
     * @param untilEnd whether files end where they end now
     * @param allowedHosts further host names that requests to sources and to the page may use
     */
    public record Arrivals(
            List<String> sources,
            Lateness lateness,
            long idleMicros,
            long settleMicros,
            boolean untilEnd,
            List<String> allowedHosts) {}

    /**
     * What is kept while the watch goes on, and after its end.
     *
     * @param retainBytes how much of what is sealed stays at hand for what comes late
     * @param archive where all rows are kept; null for a scratch folder
     * @param checkpoint where is kept what a killed watch goes on with; null for nowhere
     */
    public record Keeping(long retainBytes, @Nullable Path archive, @Nullable Path checkpoint, long checkpointMicros) {}

    /**
     * What a watch reports while it goes on, and where.
     *
     * @param page where a page shows the watch; null for nowhere
     * @param isProvisional whether changes that are not final are told
     * @param failsFast whether the watch ends with the first final finding
     */
    public record Telling(@Nullable InetSocketAddress page, boolean isProvisional, boolean failsFast) {}

    /**
     * Whether the rows tell who wrote what: they were there from the beginning, and all of them can be looked at again.
     *
     * @param isCut whether some of them are left out
     * @param setAside how many were not taken
     */
    boolean showsAllWriters(boolean isCut, long setAside) {
        return keeping.archive() != null && initial.isEmpty() && !isCut && setAside == 0;
    }

    /** Whether several can read a source side by side, each a part of it. */
    public static boolean canBeShared(String source) {
        return WatchFeeds.canBeShared(source);
    }

    /** Whether a source is a file or a directory. */
    public static boolean isFile(String source) {
        return WatchFeeds.isFile(source);
    }

    /** Whether a source can be read by another process too. */
    public static boolean isReadAnywhere(String source) {
        return WatchFeeds.isReadAnywhere(source);
    }
}
