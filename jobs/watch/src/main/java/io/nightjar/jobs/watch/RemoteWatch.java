package io.nightjar.jobs.watch;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Engine of a watch whose rows are checked by the tasks of a {@link RemoteWatchJob}: follows their reports. */
final class RemoteWatch implements WatchEngine, TaskLog.Reader {

    private static final long TICK_MILLIS = 20;

    private final WatchOptions options;
    private final RemoteWatchJob job;
    private final CheckpointFolder folder;
    private final @Nullable Checkpoint from; // null to begin anew
    private final DeadLetterLog letters;
    private final Path rowFolder;
    private final RowArchive kept;
    private final OnlineCheck initials; // keys with their initial states
    private final Map<String, LiveCounts> countsOf = new HashMap<>(); // by task
    private LiveCounts latency = new LiveCounts(); // maximum of all tasks since the interval began
    private boolean isIntervalOver;
    private long maxDisorder; // of all starts
    private long start = Long.MIN_VALUE; // of the job's current attempt
    private long lastRead = -1; // checkpoint
    private boolean hasNews; // reports since the last checkpoint of this process
    private boolean isRunning;
    private long watermark = Long.MIN_VALUE;
    private long segmentChecks; // begun on request of tasks
    private @Nullable HistorySummary summary; // null until a task has validated all rows
    private ReportedFindings reported; // set by begin

    /** @param from null to begin anew; otherwise another watch wrote the first reports */
    RemoteWatch(
            WatchOptions options,
            RemoteWatchJob job,
            CheckpointFolder folder,
            @Nullable Checkpoint from,
            DeadLetterLog letters)
            throws IOException {
        this.options = options;
        this.job = job;
        this.folder = folder;
        this.from = from;
        this.letters = letters;
        Path archive = options.keeping().archive();
        if (archive != null && from == null) {
            RowArchive.inFolder(archive).close();
        }
        this.rowFolder = archive == null ? Files.createDirectories(folder.rows()) : archive;
        this.kept = RowArchive.ofOthers(rowFolder);
        this.initials = InitialHistory.nobodys(options.check().timedLevels().get(0));
        initials.retainValueTexts();
        if (options.initial().isLearned()) {
            initials.learnInitial();
        }
    }

    @Override
    public RowArchive kept() {
        return kept;
    }

    @Override
    public long retainBytes() {
        return Long.MAX_VALUE;
    }

    // ---------------------------------------------------------------- running

    @SetsFields
    @Override
    public void begin(ReportedFindings findings, SegmentedCheck segments) throws IOException {
        reported = findings;
        Files.createDirectories(folder.log());
        if (from != null) {
            readOn(from.state().reports());
        }
        if (watermark < Long.MAX_VALUE) { // otherwise all reports had been read before a kill
            job.begin(folder.path(), rowFolder, reported.wantsProvisional());
            isRunning = true;
        }
    }

    @Override
    public boolean step() throws IOException, InterruptedException {
        boolean isOver = !isRunning || job.hasEnded();
        readOn(Long.MAX_VALUE);
        if (!isOver) {
            Thread.sleep(TICK_MILLIS);
        }
        return isOver;
    }

    /** Reads new reports up to a checkpoint. */
    private void readOn(long upTo) throws IOException {
        for (long checkpoint : TaskLog.checkpointsAfter(folder.log(), lastRead)) {
            if (checkpoint > upTo) {
                return;
            }
            TaskLog.read(folder.log(), checkpoint, this);
            lastRead = checkpoint;
            hasNews = true;
        }
    }

    @Override
    public @Nullable String exhaustedReason() {
        return null;
    }

    @Override
    public boolean isCheckpointDue() {
        return hasNews;
    }

    @Override
    public Checkpoint.State save() {
        hasNews = false;
        return new Checkpoint.State(lastRead, RowArchive.Extent.NONE, 0, 0, new byte[0]);
    }

    @Override
    public boolean end(boolean isEarly) throws IOException {
        if (isEarly) {
            job.stop();
            readOn(Long.MAX_VALUE);
        }
        KeptPart.removeHidden(rowFolder); // after a failure the next job may need them
        return !isEarly || watermark == Long.MAX_VALUE;
    }

    @Override
    public void close() throws IOException {
        job.close();
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
        return from != null;
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
        return isResumed() ? null : summary;
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
