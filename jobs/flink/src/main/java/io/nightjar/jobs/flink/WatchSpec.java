package io.nightjar.jobs.flink;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.watch.InitialHistory;
import io.nightjar.jobs.watch.Lateness;
import io.nightjar.jobs.watch.Watermark;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of a watch, serialized to all its tasks.
 *
 * @param start identifies one start of the job
 */
record WatchSpec(
        Arrivals arrivals,
        IsolationLevel[] levels,
        Initial initial,
        Folders folders,
        boolean wantsProvisional,
        int parallelism,
        long start)
        implements Serializable {

    /**
     * The sources, and how long arrivals wait for others.
     *
     * @param untilEnd whether files end at their current end
     * @param isAlone whether one source has all rows, read by one call
     * @param allowedHosts further host names that requests to sources may use
     */
    record Arrivals(
            List<String> sources,
            Lateness.Unit latenessUnit,
            long lateness,
            long idleMicros,
            boolean untilEnd,
            boolean isAlone,
            List<String> allowedHosts)
            implements Serializable {

        private static final long serialVersionUID = 1;
    }

    /**
     * Initial state of keys.
     *
     * @param value the value that means the initial state as null does; null if none was given
     * @param isLearned whether it is learned from the first sealed reads of a key
     * @param file a file of {@link InitialHistory} with it; null for none
     */
    record Initial(@Nullable String value, boolean isLearned, @Nullable String file) implements Serializable {

        private static final long serialVersionUID = 1;
    }

    /**
     * The folders that the tasks of a watch write to.
     *
     * @param log of the log entries
     * @param rows of archived rows
     * @param areScratch whether they are deleted with this process, so that no task needs to resume
     */
    record Folders(String log, String rows, boolean areScratch) implements Serializable {

        private static final long serialVersionUID = 1;
    }

    /** Lanes of keys, lanes of sessions, and Flink's key groups. */
    static final int LANES = 128;

    private static final long serialVersionUID = 1;

    List<IsolationLevel> levelList() {
        return List.of(levels);
    }

    Watermark watermark() {
        return new Watermark(new Lateness(arrivals.latenessUnit(), arrivals.lateness()), arrivals.idleMicros());
    }

    Path logFolder() {
        return Path.of(folders.log());
    }

    Path rowFolder() {
        return Addresses.path(folders.rows());
    }
}
