package io.nightjar.jobs.flink;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.watch.InitialHistory;
import io.nightjar.jobs.watch.Lateness;
import io.nightjar.jobs.watch.Watermark;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * All that the tasks of a watch know beforehand; it travels with the job.
 *
 * @param tellsDurable whether checkpoints are there after a kill, and senders are told of them
 * @param log where what is said goes
 * @param rows where rows are kept
 * @param scratch where something is put while it is read, in this process; null for wherever Flink has its own
 * @param attic how many bytes of what is sealed one task keeps on disk
 * @param learnsInitial whether what keys held is learned of their first sealed reads
 * @param initial a file of {@link InitialHistory} with what keys held; null for none
 * @param start by which one start of the job is told from another
 */
record WatchSpec(
        List<String> sources,
        IsolationLevel[] levels,
        String initialValue,
        Lateness.Unit latenessUnit,
        long lateness,
        long idleMicros,
        boolean untilEnd,
        boolean tellsDurable,
        String log,
        String rows,
        String scratch,
        long attic,
        boolean wantsProvisional,
        boolean learnsInitial,
        String initial,
        int parallelism,
        long start)
        implements Serializable {

    /** Lanes of keys, lanes of sessions, and Flink's key groups. */
    static final int LANES = 128;

    private static final long serialVersionUID = 1;

    List<IsolationLevel> levelList() {
        return List.of(levels);
    }

    Watermark watermark() {
        return new Watermark(new Lateness(latenessUnit, lateness), idleMicros);
    }

    /** One that is only asked what waits for others to be heard of. */
    Watermark heard() {
        boolean bySession = latenessUnit == Lateness.Unit.SESSIONS;
        return new Watermark(new Lateness(bySession ? latenessUnit : Lateness.Unit.TICKS, 0), idleMicros);
    }

    Path logFolder() {
        return Path.of(log);
    }

    Path rowFolder() {
        return Path.of(rows);
    }
}
