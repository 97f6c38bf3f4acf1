package io.nightjar.jobs.watch;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private volatile boolean isStopped;

    private ReportedFindings reported;
    private StatusReporter teller;
    private @Nullable WatchPage page; // null for none
    private Path folder;
    private CheckpointFolder checkpoints;
    private @Nullable Checkpoint from; // null to begin anew
    private @Nullable String runId;
    private Path rowFolder;
    private RowArchive kept;
    private TaskReports reports;
    private FinalCheck verdict;

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
        rowFolder = rows();
        try (LakeRun lake = LakeRun.beginLive(checkOptions(), checkerVersion, historyName, Instant.now())) {
            runId = lake.writer() == null ? null : lake.writer().runId();
            LiveTables tables = new LiveTables(lake.writer());
            reported = new ReportedFindings(options, runId, LakeNames.historyId(historyName), listener, tables, page);
            kept = RowArchive.ofOthers(rowFolder);
            reports = new TaskReports(options, folder.resolve(LOG), rowFolder, kept, letters, reported, from != null);
            teller = new StatusReporter(
                    options.check().levels(),
                    reports,
                    reports::watermark,
                    reported,
                    letters,
                    kept,
                    listener,
                    tables,
                    page);
            verdict = new FinalCheck(
                    options,
                    checkOptions(),
                    checkerVersion,
                    watcher,
                    historyName,
                    job.engine(),
                    reports,
                    kept,
                    letters,
                    reported,
                    Long.MAX_VALUE,
                    folder.resolve("evidence"));
            begin(name);
            boolean isCut = false;
            if (reports.watermark() < Long.MAX_VALUE) { // otherwise all reports had been read before a kill
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
        if (verdict != null) {
            verdict.stop();
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
            reports.readOn(from.changes());
            reported.mute(false);
            watcher.printNote("resuming from a checkpoint: transactions="
                    + reports.counts().get(Count.TRANSACTIONS) + " sealedUpTo="
                    + WatchStatus.time(reports.watermark()));
        }
    }

    private void remember(String name, @Nullable String runThatGoesOn) throws IOException {
        checkpoints.write(new Checkpoint(
                name,
                runThatGoesOn,
                reports.watermark(),
                reports.lastRead(),
                Checkpoint.Files.NONE,
                0,
                Map.of(),
                List.of(),
                0));
    }

    // ---------------------------------------------------------------- following

    /** Returns whether the watch was ended before everything was sealed. */
    private boolean follow(String name) throws IOException {
        while (true) {
            boolean hadEnded = job.hasEnded();
            if (reports.readOn(Long.MAX_VALUE)) {
                remember(name, runId);
            }
            verdict.checkAgainIfDue();
            teller.reportIfDue();
            listener.flush();
            letters.refuseTooMany();
            if (hadEnded) {
                return false;
            }
            if (isStopped || options.telling().failsFast() && reported.hasSealed(reports.watermark())) {
                job.stop();
                reports.readOn(Long.MAX_VALUE);
                listener.flush();
                return reports.watermark() < Long.MAX_VALUE;
            }
            pause();
        }
    }

    private void pause() {
        try {
            Thread.sleep(TICK_MILLIS);
        } catch (InterruptedException interrupted) {
            isStopped = true;
        }
    }

    // ---------------------------------------------------------------- the end

    private RunResult conclude(String name, boolean isCut, LakeRun lake) throws IOException {
        if (isCut) {
            remember(name, null);
        }
        teller.publish();
        KeptPart.removeHidden(rowFolder);
        verdict.checkAgainAtEnd();
        RunResult result = verdict.conclude(lake, isCut ? WatchRun.ENDED_EARLY : null);
        listener.flush();
        if (!isCut) {
            checkpoints.clear();
        }
        return result;
    }
}
