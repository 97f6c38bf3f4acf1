package io.nightjar.jobs.watch;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A watch from its first row to its verdict, on any engine. */
public final class WatchRun {

    /*
     * Algorithm. The engine consumes and checks arrivals, step by step, and reports changes of findings. Between two
     * steps segments are checked, and states reported and written. At the end the kept rows are checked as any history
     * is, which determines the verdict. Where it differs from the online check (a promoted transaction, a key that is a
     * set, a row too late to be corrected immediately) the changes are reported as corrections.
     *
     * Invariant. A checkpoint names the files of one moment. So this process may be killed at any moment: its successor
     * reads the reports up to there, and passes on only changes after them.
     */

    private static final String LOCAL = "local";
    private static final String ENDED_EARLY = "ended before all was sealed";

    private final WatchOptions options;
    private final String engineName;
    private final EngineOpener opener;
    private final String checkerVersion;
    private final String historyName;
    private final WatchListener listener;
    private final ProgressListener watcher;
    private final DeadLetterLog letters;
    private final boolean isResumable;
    private volatile boolean isStopped;

    // set by run
    private String name;
    private CheckpointFolder folder;
    private @Nullable Checkpoint from; // null to begin anew
    private int segmentsWritten;
    private @Nullable String runId; // null without tables
    private WatchEngine engine;
    private ReportedFindings reported;
    private FinalCheck verdict;
    private StatusReporter teller;

    /** Opens an engine; {@code from} is null to begin anew. */
    @FunctionalInterface
    private interface EngineOpener {
        WatchEngine open(CheckpointFolder folder, @Nullable Checkpoint from, DeadLetterLog letters) throws IOException;
    }

    private WatchRun(
            WatchOptions options,
            String engineName,
            EngineOpener opener,
            String checkerVersion,
            WatchListener listener,
            ProgressListener watcher) {
        this.options = options;
        this.engineName = engineName;
        this.opener = opener;
        this.checkerVersion = checkerVersion;
        this.historyName = String.join(",", options.arrivals().sources());
        this.listener = listener;
        this.watcher = watcher;
        this.letters = new DeadLetterLog(options.check().maxDeadLetters(), watcher);
        this.isResumable = options.keeping().checkpoint() != null;
    }

    /** Creates a watch whose rows are checked in this process. */
    public static WatchRun of(
            WatchOptions options,
            String checkerVersion,
            InputStream stdin,
            WatchListener listener,
            ProgressListener watcher) {
        return of(
                options,
                positions -> WatchFeeds.open(options, positions, stdin, watcher),
                checkerVersion,
                listener,
                watcher);
    }

    /** @param feeds see {@link WatchFeeds} */
    static WatchRun of(
            WatchOptions options,
            FeedRunner.Opener feeds,
            String checkerVersion,
            WatchListener listener,
            ProgressListener watcher) {
        EngineOpener opener = (folder, from, letters) -> new LocalWatch(options, feeds, folder, from, letters);
        return new WatchRun(options, LOCAL, opener, checkerVersion, listener, watcher);
    }

    /** Creates a watch whose rows are checked by the tasks of a job. */
    public static WatchRun of(
            WatchOptions options,
            RemoteWatchJob job,
            String checkerVersion,
            WatchListener listener,
            ProgressListener watcher) {
        EngineOpener opener = (folder, from, letters) -> new RemoteWatch(options, job, folder, from, letters);
        return new WatchRun(options, job.engine(), opener, checkerVersion, listener, watcher);
    }

    /**
     * Returns the address to listen on: {@code HOST:PORT}, or {@code :PORT} for this machine alone.
     *
     * @throws UsageException if the text is neither
     */
    public static InetSocketAddress address(String text) {
        return WatchFeeds.hostAndPort(text, text);
    }

    /** Requests the end of the watch with the verdict of sealed rows; any thread may call it. */
    public void stop() {
        isStopped = true;
    }

    /** Watches until the sources end or {@link #stop} is called. */
    @SetsFields
    public RunResult run() throws IOException {
        Path kept = options.keeping().checkpoint();
        try (ScratchFolder scratch = ScratchFolder.create(options.check().spillParent(), "nightjar-watch-");
                CheckpointFolder opened =
                        CheckpointFolder.open(kept == null ? scratch.path().resolve("watch") : kept);
                WatchPage page = WatchPage.of(options, historyName, watcher)) {
            folder = opened;
            from = folder.read();
            name = Checkpoint.nameOf(options, engineName);
            if (from != null) {
                from.expectSame(name, folder.path());
            }
            CheckOptions check = from == null || from.runId() == null
                    ? options.check()
                    : options.check().withRunId(from.runId());
            Optional<RunResult> ended =
                    from == null || from.runId() == null ? Optional.empty() : LakeRun.completed(check);
            if (ended.isPresent()) { // it was killed after its end
                folder.clear();
                return ended.get();
            }
            engine = opener.open(folder, from, letters);
            try (RowArchive rows = engine.kept();
                    LakeRun lake = LakeRun.beginLive(check, checkerVersion, historyName, Instant.now())) {
                return watchAndConclude(check, rows, lake, page);
            }
        }
    }

    @SetsFields
    private RunResult watchAndConclude(CheckOptions check, RowArchive kept, LakeRun lake, @Nullable WatchPage page)
            throws IOException {
        runId = lake.writer() == null ? null : lake.writer().runId();
        LiveTables tables = new LiveTables(lake.writer());
        reported = new ReportedFindings(options, runId, LakeNames.historyId(historyName), listener, tables, page);
        verdict = new FinalCheck(
                options,
                check,
                checkerVersion,
                watcher,
                historyName,
                engineName,
                engine,
                kept,
                letters,
                reported,
                engine.retainBytes(),
                folder.evidence());
        teller = new StatusReporter(options.check().levels(), engine, reported, letters, kept, listener, tables, page);
        try {
            String whyCut;
            try (WatchEngine running = engine) {
                begin(running);
                whyCut = watch();
            }
            return conclude(lake, whyCut);
        } finally {
            verdict.stop();
        }
    }

    private void begin(WatchEngine running) throws IOException {
        if (from == null && isResumable) {
            folder.write(Checkpoint.atBegin(name, runId)); // before tasks write anything
        }
        reported.mute(true);
        running.begin(reported, verdict.segments());
        reported.mute(false);
        if (from == null) {
            return;
        }
        letters.resume(from.letterCount());
        segmentsWritten = from.segments();
        if (segmentsWritten > 0) {
            try (DataInputStream in = folder.openSegments(segmentsWritten)) {
                verdict.readSegments(in);
            }
        }
        teller.resume();
        watcher.printNote("resuming from a checkpoint: transactions="
                + engine.counts().get(Count.TRANSACTIONS) + " sealedUpTo=" + WatchStatus.time(engine.watermark()));
    }

    /** Watches until the end, and seals; returns why some rows are not sealed, or null. */
    private @Nullable String watch() throws IOException {
        boolean isOver = false;
        while (!isOver && !isEarly()) {
            isOver = step();
        }
        String exhausted = engine.exhaustedReason();
        if (exhausted != null && isResumable) {
            verdict.awaitSegment();
            save(runId);
            listener.flush();
            throw new CheckpointException(exhausted + "; the same call resumes from the checkpoint");
        }
        if (exhausted != null) {
            watcher.printNote(exhausted + "; the watch ends with the verdict of sealed rows");
        }
        boolean isWhole = engine.end(!isOver || exhausted != null);
        verdict.checkAgainAtEnd();
        if (!isWhole) {
            save(null); // its successor is another run
        }
        listener.flush();
        teller.publish();
        return isWhole ? null : exhausted == null ? ENDED_EARLY : exhausted;
    }

    private boolean isEarly() {
        return isStopped
                || engine.exhaustedReason() != null
                || options.telling().failsFast() && reported.hasSealed(engine.watermark());
    }

    /** Returns whether the sources have ended and everything has been consumed. */
    private boolean step() throws IOException {
        try {
            boolean isOver = engine.step();
            letters.refuseTooMany();
            if (isResumable && engine.isCheckpointDue()) {
                save(runId);
            }
            if (verdict.isSegmentDue()) {
                if (verdict.segmentCount() > segmentsWritten) {
                    save(runId);
                }
                verdict.beginSegment();
            }
            verdict.checkAgainIfDue();
            teller.reportIfDue();
            listener.flush();
            return isOver;
        } catch (InterruptedException interrupted) {
            isStopped = true;
            return false;
        }
    }

    /** Writes a checkpoint, if one is wanted. */
    private void save(@Nullable String runThatGoesOn) throws IOException {
        if (!isResumable) {
            return;
        }
        Checkpoint.State state = engine.save();
        if (verdict.segmentCount() > segmentsWritten) {
            segmentsWritten = verdict.segmentCount();
            folder.writeSegments(segmentsWritten, verdict::writeSegments);
        }
        folder.write(new Checkpoint(name, runThatGoesOn, letters.count(), segmentsWritten, state));
        engine.kept().deleteDropped();
    }

    private RunResult conclude(LakeRun lake, @Nullable String whyCut) throws IOException {
        RunResult result;
        try {
            result = verdict.conclude(lake, whyCut);
        } catch (MalformedHistoryException damaged) { // rows that were good when they were kept
            throw isResumable
                    ? CheckpointException.damagedRows(folder.path(), damaged)
                    : new IOException("kept rows cannot be read again: " + damaged.getMessage(), damaged);
        }
        listener.flush();
        if (whyCut == null) {
            folder.clear();
        }
        return result;
    }
}
