package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.local.WatchedHistory;
import io.nightjar.jobs.local.WatchedHistory.Known;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A watch whose rows are checked by the tasks of a {@link RemoteWatchJob}: follows their reports and computes the
 * verdict.
 */
@SuppressWarnings("NullAway.Init") // folder, teller and reported are set by run
public final class RemoteWatch {

    /*
     * Invariant. A report of a task is valid once its checkpoint is complete. So this process may be killed at any
     * moment as well: its successor reads the whole log again, and reports only changes that its predecessor had not
     * reported.
     */

    private static final long TICK_MILLIS = 20;
    private static final String LOG = "log";

    private final WatchOptions options;
    private final RemoteWatchJob job;
    private final String checkerVersion;
    private final String historyName;
    private final WatchListener listener;
    private final ProgressListener watcher;
    private final DeadLetterLog letters;
    private final FollowedInitials initials;
    private final Map<String, LiveCounts> countsOf = new HashMap<>(); // by task
    private LiveCounts latency = new LiveCounts(); // maximum of all tasks since the interval began
    private boolean isIntervalOver;
    private long maxDisorder; // of all starts
    private long start = Long.MIN_VALUE; // of the job's current attempt
    private volatile boolean isStopped;

    private ReportedFindings reported;
    private StatusReporter teller;
    private @Nullable WatchPage page; // null for none
    private Path folder;
    private CheckpointFolder checkpoints;
    private @Nullable Checkpoint from; // null to begin anew
    private @Nullable String runId;
    private long lastRead = -1; // checkpoint
    private long watermark = Long.MIN_VALUE;
    private long rowCount;
    private Path rowFolder;
    private RowArchive kept;
    private SegmentedCheck segments;
    private @Nullable HistorySummary summary; // null until a task has validated all rows
    private long lateChecks; // segment checks begun, of those requested by tasks
    private long startMicros;

    public RemoteWatch(
            WatchOptions options,
            RemoteWatchJob job,
            String checkerVersion,
            WatchListener listener,
            ProgressListener watcher) {
        this.options = options;
        this.job = job;
        this.checkerVersion = checkerVersion;
        this.historyName = String.join(",", options.arrivals().sources());
        this.listener = listener;
        this.watcher = watcher;
        this.letters = new DeadLetterLog(options.check().maxDeadLetters(), watcher);
        this.initials = new FollowedInitials(options);
    }

    /** Requests the end of the watch with the verdict of sealed rows; any thread may call it. */
    public void stop() {
        isStopped = true;
    }

    /** Watches until the sources end or {@link #stop} is called. */
    public RunResult run() throws IOException {
        try (ScratchFolder scratch = ScratchFolder.create(options.check().spillParent(), "nightjar-watch-")) {
            folder = options.keeping().checkpoint() == null
                    ? scratch.path().resolve("watch")
                    : options.keeping().checkpoint();
            try (CheckpointFolder opened = CheckpointFolder.open(folder);
                    WatchPage shown = WatchPage.of(options, historyName, watcher)) {
                checkpoints = opened;
                page = shown;
                return watchAndConclude();
            }
        }
    }

    private RunResult watchAndConclude() throws IOException {
        from = checkpoints.read();
        String name = WatchCheckpoints.nameOf(options) + " engine=flink";
        if (from != null) {
            WatchCheckpoints.expectSame(from, name, folder);
        }
        Optional<RunResult> ended =
                from == null || from.runId() == null ? Optional.empty() : LakeRun.completed(checkOptions());
        if (ended.isPresent()) { // it was killed after its end
            checkpoints.clear();
            return ended.get();
        }
        startMicros = WatchClock.micros();
        rowFolder = rows();
        try (LakeRun lake = LakeRun.beginLive(checkOptions(), checkerVersion, historyName, Instant.now())) {
            runId = lake.writer() == null ? null : lake.writer().runId();
            LiveTables tables = new LiveTables(lake.writer());
            reported = new ReportedFindings(options, runId, LakeNames.historyId(historyName), listener, tables, page);
            kept = RowArchive.ofOthers(rowFolder);
            teller = new StatusReporter(
                    options.check().levels(),
                    this::counts,
                    () -> watermark,
                    reported,
                    letters,
                    kept,
                    () -> isIntervalOver = true,
                    listener,
                    tables,
                    page);
            CheckOptions concurrent = options.check()
                    .withMemoryBytes(new WatchMemory(options.check().memoryBytes()).forConcurrentCheck())
                    .onOneThread();
            segments = new SegmentedCheck(kept, concurrent, folder.resolve("evidence"), reported, watcher);
            begin(name);
            boolean isCut = false;
            if (watermark < Long.MAX_VALUE) { // otherwise all reports had been read before a kill
                try (job) {
                    job.begin(folder, rowFolder, reported.wantsProvisional());
                    isCut = follow(name);
                }
            }
            return conclude(name, isCut, lake);
        } finally {
            stopKeeping();
        }
    }

    private void stopKeeping() throws IOException {
        if (segments != null) {
            segments.stop();
        }
        if (kept != null) {
            kept.close();
        }
    }

    private Path rows() throws IOException {
        if (options.keeping().archive() == null) {
            return Files.createDirectories(checkpoints.rows());
        }
        if (from == null) {
            RowArchive.inFolder(options.keeping().archive()).close();
        }
        return options.keeping().archive();
    }

    private CheckOptions checkOptions() {
        return from == null || from.runId() == null
                ? options.check()
                : options.check().withRunId(from.runId());
    }

    private void begin(String name) throws IOException {
        Files.createDirectories(folder.resolve(LOG));
        if (from == null) {
            remember(name, runId);
        } else {
            reported.mute(true);
            readOn(from.changes());
            reported.mute(false);
            watcher.printNote("resuming from a checkpoint: transactions=" + rowCount + " sealedUpTo="
                    + WatchStatus.time(watermark));
        }
    }

    private void remember(String name, @Nullable String runThatGoesOn) throws IOException {
        checkpoints.write(new Checkpoint(
                name,
                runThatGoesOn,
                watermark,
                lastRead,
                Checkpoint.Files.NONE,
                Checkpoint.NO_STATE,
                Map.of(),
                List.of()));
    }

    // ---------------------------------------------------------------- following

    /** Returns whether the watch was ended before everything was sealed. */
    private boolean follow(String name) throws IOException {
        while (true) {
            boolean hadEnded = job.hasEnded();
            if (readOn(Long.MAX_VALUE)) {
                remember(name, runId);
            }
            checkAgainIfDue();
            teller.reportIfDue();
            listener.flush();
            letters.refuseTooMany();
            if (hadEnded) {
                return false;
            }
            if (isStopped || options.telling().failsFast() && reported.hasSealed(watermark)) {
                job.stop();
                readOn(Long.MAX_VALUE);
                listener.flush();
                return watermark < Long.MAX_VALUE;
            }
            pause();
        }
    }

    /** Checks the sealed rows again if tasks reported that a late row may change verdicts. */
    private void checkAgainIfDue() throws IOException {
        long asked = counts().get(Count.SEGMENT_CHECKS);
        if (segments.mayStartAgain() && asked > lateChecks) {
            lateChecks = asked;
            segments.startAgain(watermark, initials.before());
        }
    }

    private void pause() {
        try {
            Thread.sleep(TICK_MILLIS);
        } catch (InterruptedException interrupted) {
            isStopped = true;
        }
    }

    /** Reads new reports up to a checkpoint; returns whether any exist. */
    private boolean readOn(long upTo) throws IOException {
        boolean isAny = false;
        for (long checkpoint : TaskLog.checkpointsAfter(folder.resolve(LOG), lastRead)) {
            if (checkpoint > upTo) {
                break;
            }
            TaskLog.read(folder.resolve(LOG), checkpoint, new LogReader());
            lastRead = checkpoint;
            isAny = true;
        }
        return isAny;
    }

    private final class LogReader implements TaskLog.Reader {

        @Override
        public void changed(Change change, OnlineFinding finding, boolean isWrong, long atMicros) {
            reported.changed(change, finding, isWrong, atMicros);
        }

        @Override
        public void letter(DeadLetter letter) {
            letters.addAll(List.of(letter));
        }

        @Override
        public void kept(String part, long rows) throws IOException {
            rowCount += rows;
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
            initials.take(keys);
        }

        @Override
        public void validated(HistorySummary ofAll) {
            summary = ofAll;
        }
    }

    // ---------------------------------------------------------------- status

    private LiveCounts counts() {
        LiveCounts all = new LiveCounts();
        countsOf.values().forEach(all::add);
        all.addLatency(latency);
        return all;
    }

    // ---------------------------------------------------------------- the end

    private RunResult conclude(boolean isCut, LakeRun lake) throws IOException {
        try (HistorySource all = kept.open(historyName)) {
            VerdictRows judged = rowCount == 0 && letters.count() == 0
                    ? VerdictRows.ofNothing(all)
                    : isCut ? VerdictRows.upTo(watermark, all, WatchRun.ENDED_EARLY) : VerdictRows.allOf(all);
            List<HistorySlice> before = initials.before();
            List<SourceDiagnostic> remarks = Stream.of(
                            initials.remark(),
                            counts().set(Count.MAX_DISORDER, maxDisorder).remarkOnLateness())
                    .filter(Objects::nonNull)
                    .toList();
            WatchedHistory watched = new WatchedHistory(
                    new PrefixedSource(judged.rows(), before, remarks),
                    letters.all(),
                    judged.doubt(),
                    SegmentedCheck.ids(before),
                    before.stream().mapToLong(slice -> slice.opCount).sum(),
                    isCut || rowCount == 0 || !before.isEmpty() ? null : known(remarks),
                    options.showsAllWriters(isCut, letters.count()));
            return new LocalEngine(checkOptions(), checkerVersion, watcher)
                    .forWatch(job.engine(), (WatchClock.micros() - startMicros) * 1_000)
                    .conclude(lake, watched, conclusion -> reported.correct(conclusion, watermark));
        }
    }

    private @Nullable Known known(List<SourceDiagnostic> remarks) {
        if (summary == null || from != null) {
            return null;
        }
        boolean isClean = counts().areAllRowsChecked()
                && options.check().initialValue() == null
                && reported.isEmpty(options.check().timedLevels());
        return new Known(summary.with(remarks), counts().get(Count.KEYS), isClean);
    }

    private RunResult conclude(String name, boolean isCut, LakeRun lake) throws IOException {
        if (isCut) {
            remember(name, null);
        }
        teller.publish();
        KeptPart.removeHidden(rowFolder);
        segments.await();
        if (counts().get(Count.SEGMENT_CHECKS) > 0) {
            segments.startAgain(watermark, initials.before());
            segments.await();
        }
        RunResult result = conclude(isCut, lake);
        listener.flush();
        if (!isCut) {
            checkpoints.clear();
        }
        return result;
    }
}
