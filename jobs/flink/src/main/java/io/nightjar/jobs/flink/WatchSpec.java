package io.nightjar.jobs.flink;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.watch.InitialHistory;
import io.nightjar.jobs.watch.Lateness;
import io.nightjar.jobs.watch.Watermark;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the tasks of a watch know beforehand; it travels with the job.
 *
 * @param start by which one start of the job is told from another
 */
record WatchSpec(
        Arrivals arrivals,
        IsolationLevel[] levels,
        Initial initial,
        Places places,
        boolean wantsProvisional,
        int parallelism,
        long start)
        implements Serializable {

    /**
     * Where rows come from and how long others are waited for.
     *
     * @param untilEnd whether files end where they end now
     * @param tellsDurable whether checkpoints are there after a kill, and senders are told of them
     * @param allowedHosts further host names that requests to sources may use
     */
    record Arrivals(
            List<String> sources,
            Lateness.Unit latenessUnit,
            long lateness,
            long idleMicros,
            boolean untilEnd,
            boolean tellsDurable,
            List<String> allowedHosts)
            implements Serializable {

        private static final long serialVersionUID = 1;
    }

    /**
     * What keys held before the first write.
     *
     * @param value the value that means the initial state as null does; null if none was given
     * @param isLearned whether it is learned of their first sealed reads
     * @param file a file of {@link InitialHistory} with it; null for none
     */
    record Initial(@Nullable String value, boolean isLearned, @Nullable String file) implements Serializable {

        private static final long serialVersionUID = 1;
    }

    /**
     * The folders that the tasks of a watch write to.
     *
     * @param log where what is said goes
     * @param rows where rows are kept
     * @param scratch where something is put while it is read, in this process; null for wherever Flink has its own
     */
    record Places(String log, String rows, @Nullable String scratch) implements Serializable {

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

    /** Returns a watermark that only tells which arrivals wait for others, and which sessions are silent. */
    Watermark heard() {
        boolean bySession = arrivals.latenessUnit() == Lateness.Unit.SESSIONS;
        Lateness.Unit unit = bySession ? Lateness.Unit.SESSIONS : Lateness.Unit.TICKS;
        return new Watermark(new Lateness(unit, 0), arrivals.idleMicros());
    }

    Path logFolder() {
        return Path.of(places.log());
    }

    Path rowFolder() {
        return Path.of(places.rows());
    }
}
