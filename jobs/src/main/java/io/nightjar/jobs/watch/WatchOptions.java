package io.nightjar.jobs.watch;

import io.nightjar.jobs.run.CheckOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * What to watch and how.
 *
 * @param check what is decided of all rows at the end
 * @param idleMicros a session that is silent for so long holds no watermark back
 * @param settleMicros how long arrivals gather before they are applied in the order of their commits
 * @param retainBytes how much of what is sealed stays at hand for what comes late
 * @param initial what keys held before the first write
 * @param archive where all rows are kept; null for a scratch folder
 * @param checkpoint where is kept what a killed watch goes on with; null for nowhere
 * @param page where a page shows the watch; null for nowhere
 * @param tellsProvisional whether changes that are not final are told
 * @param untilEnd whether files end where they end now
 */
public record WatchOptions(
        List<String> sources,
        CheckOptions check,
        Lateness lateness,
        long idleMicros,
        long settleMicros,
        long retainBytes,
        InitialChoice initial,
        Path archive,
        Path checkpoint,
        long checkpointMicros,
        InetSocketAddress page,
        boolean tellsProvisional,
        boolean failsFast,
        boolean untilEnd) {

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
