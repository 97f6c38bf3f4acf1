package io.nightjar.jobs.watch;

import io.nightjar.jobs.run.CheckOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a watch.
 *
 * @param check options of the check of all rows at the end
 * @param initial values before the first write
 */
public record WatchOptions(
        Arrivals arrivals, CheckOptions check, InitialChoice initial, Keeping keeping, Telling telling) {

    /**
     * Sources of rows and waiting times.
     *
     * @param idleMicros a session that is silent for this time does not hold the watermark back
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
     * Data retained during the watch and after its end.
     *
     * @param retainBytes capacity for sealed rows, which late transactions are checked against
     * @param archive folder for all rows; null for a scratch folder
     * @param checkpoint folder from which a killed watch resumes; null for none
     */
    public record Keeping(long retainBytes, @Nullable Path archive, @Nullable Path checkpoint, long checkpointMicros) {}

    /**
     * Reports of a running watch.
     *
     * @param page address of a page that shows the watch; null for none
     * @param isProvisional whether changes that are not final are reported
     * @param failsFast whether the watch ends with the first final finding
     */
    public record Telling(@Nullable InetSocketAddress page, boolean isProvisional, boolean failsFast) {}

    /**
     * Returns whether the rows show all writers: they include the beginning, and all of them can be read again.
     *
     * @param isCut whether some rows are omitted
     * @param setAside number of rejected rows
     */
    boolean showsAllWriters(boolean isCut, long setAside) {
        return keeping.archive() != null && initial.isEmpty() && !isCut && setAside == 0;
    }
}
