package io.nightjar.jobs.watch;

import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of a watch whose rows are checked by tasks, as they reported it. */
final class TaskReports implements WatchState, TaskLog.Reader {

    private final WatchOptions options;
    private final Path log;
    private final Path rowFolder;
    private final RowArchive kept;
    private final DeadLetterLog letters;
    private final ReportedFindings reported;
    private final boolean isResumed;
    private final OnlineCheck initials; // keys with their initial states
    private final Map<String, LiveCounts> countsOf = new HashMap<>(); // by task
    private LiveCounts latency = new LiveCounts(); // maximum of all tasks since the interval began
    private boolean isIntervalOver;
    private long maxDisorder; // of all starts
    private long start = Long.MIN_VALUE; // of the job's current attempt
    private long lastRead = -1; // checkpoint
    private long watermark = Long.MIN_VALUE;
    private long segmentChecks; // begun on request of tasks
    private @Nullable HistorySummary summary; // null until a task has validated all rows

    /**
     * @param log folder of a {@link TaskLog}
     * @param rowFolder folder of kept rows
     * @param isResumed whether another watch wrote the first reports
     */
    TaskReports(
            WatchOptions options,
            Path log,
            Path rowFolder,
            RowArchive kept,
            DeadLetterLog letters,
            ReportedFindings reported,
            boolean isResumed) {
        this.options = options;
        this.log = log;
        this.rowFolder = rowFolder;
        this.kept = kept;
        this.letters = letters;
        this.reported = reported;
        this.isResumed = isResumed;
        this.initials = InitialHistory.nobodys(options.check().timedLevels().get(0));
        initials.retainValueTexts();
        if (options.initial().isLearned()) {
            initials.learnInitial();
        }
    }

    /** Reads new reports up to a checkpoint; returns whether any exist. */
    boolean readOn(long upTo) throws IOException {
        boolean isAny = false;
        for (long checkpoint : TaskLog.checkpointsAfter(log, lastRead)) {
            if (checkpoint > upTo) {
                break;
            }
            TaskLog.read(log, checkpoint, this);
            lastRead = checkpoint;
            isAny = true;
        }
        return isAny;
    }

    /** Returns the last checkpoint whose reports have been read, or -1. */
    long lastRead() {
        return lastRead;
    }

    // ---------------------------------------------------------------- reports

    @Override
    public void changed(Change change, OnlineFinding finding, boolean isWrong, long atMicros) {
        reported.changed(change, finding, isWrong, atMicros);
    }

    @Override
    public void letter(DeadLetter letter) {
        letters.addAll(List.of(letter));
    }

    @Override
    public void kept(String part) throws IOException {
        kept.add(KeptPart.shown(rowFolder, part));
    }

    @Override
    public void counted(long ofStart, String task, LiveCounts counts) {
        if (ofStart != start) {
            countsOf.clear();
            start = ofStart;
        }
        countsOf.put(task, counts);
        latency = isIntervalOver ? new LiveCounts() : latency;
        isIntervalOver = false;
        latency.addLatency(counts);
        maxDisorder = Math.max(maxDisorder, counts.get(Count.MAX_DISORDER));
    }

    @Override
    public void sealed(long upTo) {
        watermark = Math.max(watermark, upTo);
    }

    @Override
    public void held(ByteReader keys) {
        OnlineCheckCodec.readKeys(keys, initials);
    }

    @Override
    public void validated(HistorySummary ofAll) {
        summary = ofAll;
    }

    // ---------------------------------------------------------------- state

    @Override
    public LiveCounts counts() {
        LiveCounts all = new LiveCounts();
        countsOf.values().forEach(all::add);
        all.addLatency(latency);
        return all.set(Count.MAX_DISORDER, maxDisorder);
    }

    @Override
    public long watermark() {
        return watermark;
    }

    @Override
    public boolean isResumed() {
        return isResumed;
    }

    @Override
    public OnlineCheck initials() {
        return initials;
    }

    @Override
    public boolean beginsSegmentCheck() {
        long before = segmentChecks;
        segmentChecks = counts().get(Count.SEGMENT_CHECKS);
        return segmentChecks > 0 && segmentChecks != before; // a restarted task counts anew
    }

    @Override
    public @Nullable HistorySummary summary() {
        return isResumed ? null : summary;
    }

    @Override
    public long sessionCount() {
        return 0; // no rows are deleted
    }

    @Override
    public long memoryAtEnd() {
        return options.check().memoryBytes();
    }

    @Override
    public void beginInterval() {
        isIntervalOver = true;
    }
}
