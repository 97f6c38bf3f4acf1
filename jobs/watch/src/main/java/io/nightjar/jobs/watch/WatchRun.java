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
import io.nightjar.pipeline.online.OnlineCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A watch from its first row to its verdict. */
public final class WatchRun {

    /*
     * Algorithm. Feeds read and decode in separate threads, and wait while the inbox is full. One thread consumes
     * arrivals:
     *
     *   known      a repeated transaction is dropped
     *   kept       every row is archived
     *   checked    in the order of commits among arrivals that are consumed together
     *   sealed     up to the watermark, at regular times
     *
     * At the end the kept rows are checked as any history is, which determines the verdict. Where it differs from the
     * online check (a promoted transaction, a key that is a set, a row too late to be corrected immediately) the
     * changes are reported as corrections.
     */

    private static final long TICK_NANOS = 20_000_000;
    static final String ENDED_EARLY = "ended before all was sealed";

    private final WatchOptions options;
    private final String checkerVersion;
    private final String historyName;
    private final WatchListener listener;
    private final ProgressListener watcher;
    private final @Nullable WatchCheckpoints checkpoints; // null for none

    private final WatchMemory memory;
    private final DeadLetterLog letters;
    private final TxnDeduplicator known;
    private final Watermark watermark;
    private final FeedThreads feeds;
    private final LatencyStatistics times = new LatencyStatistics();
    private volatile boolean isStopped;

    // set once memory for them is available
    private RowArchive kept;
    private OnlineCheck online;
    private ArrivalProcessor intake;
    private FinalCheck verdict;
    private ReportedFindings reported;
    private SealScheduler clock;
    private StatusReporter teller;
    private boolean isFailing;
    private @Nullable String memoryExhausted; // null while memory suffices

    /** @param feeds see {@link WatchFeeds} */
    WatchRun(
            WatchOptions options,
            List<RowFeed> feeds,
            String checkerVersion,
            WatchListener listener,
            ProgressListener watcher) {
        this(options, feeds, null, checkerVersion, listener, watcher);
    }

    private WatchRun(
            WatchOptions options,
            List<RowFeed> feeds,
            @Nullable WatchCheckpoints checkpoints,
            String checkerVersion,
            WatchListener listener,
            ProgressListener watcher) {
        this.options = options;
        this.checkpoints = checkpoints;
        this.checkerVersion = checkerVersion;
        this.listener = listener;
        this.watcher = watcher;
        this.historyName = String.join(",", options.arrivals().sources());
        this.letters = new DeadLetterLog(options.check().maxDeadLetters(), watcher);
        this.memory = new WatchMemory(options.check().memoryBytes());
        this.feeds = new FeedThreads(feeds, memory.waiting(), () -> {});
        this.known = new TxnDeduplicator(letters, options.check().memoryBytes());
        this.watermark =
                new Watermark(options.arrivals().lateness(), options.arrivals().idleMicros());
    }

    /** Creates a watch. */
    public static WatchRun of(
            WatchOptions options,
            String checkerVersion,
            InputStream stdin,
            WatchListener listener,
            ProgressListener watcher)
            throws IOException {
        Path checkpoint = options.keeping().checkpoint();
        if (checkpoint == null) {
            List<RowFeed> feeds = WatchFeeds.open(options, Map.of(), stdin, watcher);
            return new WatchRun(options, feeds, checkerVersion, listener, watcher);
        }
        WatchCheckpoints checkpoints = WatchCheckpoints.open(options, checkpoint);
        try {
            List<RowFeed> feeds = WatchFeeds.open(options, checkpoints.positions(), stdin, watcher);
            return new WatchRun(options, feeds, checkpoints, checkerVersion, listener, watcher);
        } catch (RuntimeException failed) {
            checkpoints.close();
            throw failed;
        }
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
        feeds.stop();
    }

    /** Watches until the sources end or {@link #stop} is called. */
    public RunResult run() throws IOException {
        try (checkpoints;
                WatchPage page = WatchPage.of(options, historyName, watcher)) {
            Optional<RunResult> ended = checkpoints == null ? Optional.empty() : checkpoints.ended();
            if (checkpoints != null && ended.isPresent()) { // it was killed after its end
                checkpoints.clear();
                return ended.get();
            }
            return watchAndConclude(page);
        }
    }

    @SetsFields
    private RunResult watchAndConclude(@Nullable WatchPage page) throws IOException {
        CheckOptions check = checkpoints == null ? options.check() : checkpoints.checkOptions();
        try (LakeRun lake = LakeRun.beginLive(check, checkerVersion, historyName, Instant.now());
                RowArchive rows = keptRows();
                ScratchFolder scratch = ScratchFolder.create(options.check().spillParent(), "nightjar-evidence-")) {
            String runId = lake.writer() == null ? null : lake.writer().runId();
            LiveTables tables = new LiveTables(lake.writer());
            reported = new ReportedFindings(options, runId, LakeNames.historyId(historyName), listener, tables, page);
            if (checkpoints != null) {
                reported.addFollower(checkpoints::add);
            }
            kept = rows;
            online = new OnlineCheck(check.timedLevels(), check.initialValue(), reported);
            intake = new ArrivalProcessor(online, kept, watermark, known, letters, times, memory);
            beginInitially();
            clock = new SealScheduler(feeds, watermark, online, intake);
            WatchPipeline pipeline = new WatchPipeline(known, letters, kept, online, watermark, intake);
            verdict = new FinalCheck(
                    options,
                    check,
                    checkerVersion,
                    watcher,
                    historyName,
                    "local",
                    intake,
                    kept,
                    letters,
                    reported,
                    keepsNotAll() ? options.keeping().retainBytes() : Long.MAX_VALUE,
                    checkpoints == null ? scratch.path().resolve("evidence") : checkpoints.evidence());
            intake.setSegmentedCheck(verdict.segments());
            teller = new StatusReporter(
                    options.check().levels(),
                    intake,
                    () -> online.watermark() == Long.MAX_VALUE ? watermark.largest() : online.watermark(),
                    reported,
                    letters,
                    kept,
                    listener,
                    tables,
                    page);
            begin(pipeline, runId);
            return watchAndConclude(lake);
        }
    }

    private RunResult watchAndConclude(LakeRun lake) throws IOException {
        feeds.start();
        try {
            watchToTheEnd();
            return conclude(lake);
        } finally {
            verdict.stop();
        }
    }

    private void watchToTheEnd() throws IOException {
        try {
            watch();
        } catch (InterruptedException interrupted) {
            isStopped = true;
        } finally {
            feeds.stop();
        }
    }

    // ---------------------------------------------------------------- the beginning

    private RowArchive keptRows() throws IOException {
        if (checkpoints != null) {
            return checkpoints.keptRows();
        }
        return options.keeping().archive() == null
                ? RowArchive.inScratch(options.check().spillParent())
                : RowArchive.inFolder(options.keeping().archive());
    }

    private void beginInitially() throws IOException {
        InitialChoice initial = options.initial();
        if (initial.history() != null) {
            online.startFrom(InitialHistory.read(
                    initial.history(), options.check().timedLevels().get(0)));
        } else if (initial.isLearned()) {
            online.learnInitial();
        }
    }

    private void begin(WatchPipeline pipeline, @Nullable String runId) throws IOException {
        boolean goesOn = checkpoints != null && checkpoints.continues();
        if (!goesOn) {
            kept.collectSummary(memory.forValidation());
        }
        if (checkpoints != null) {
            checkpoints.begin(pipeline, verdict, reported, runId);
        }
        if (goesOn) {
            teller.resume();
            watcher.printNote("resuming from a checkpoint: transactions="
                    + intake.counts().get(Count.TRANSACTIONS) + " sealedUpTo="
                    + WatchStatus.time(online.watermark()));
        }
    }

    /**
     * Returns whether rows may be deleted once checked: no archive was requested, and only timestamps decide on them.
     */
    private boolean keepsNotAll() {
        return options.keeping().archive() == null && options.check().initialValue() == null;
    }

    // ---------------------------------------------------------------- the loop

    private void watch() throws IOException, InterruptedException {
        while (!isStopped) {
            boolean wereDone = feeds.areDone();
            Arrival first = waits() ? null : feeds.poll(TICK_NANOS);
            if (first != null) {
                intake.process(gather(first));
            }
            feeds.check();
            letters.refuseTooMany();
            if (clock.sealIfDue()) {
                isFailing = isFailing || options.telling().failsFast() && reported.hasSealed(online.watermark());
            }
            recordMemory();
            if (checkpoints != null) {
                checkpoints.writeIfDue();
            }
            checkSegmentIfDue();
            teller.reportIfDue();
            listener.flush();
            if (isFailing || memoryExhausted != null || first == null && wereDone && feeds.isEmpty()) {
                return;
            }
        }
    }

    /** Waits if more has arrived than can be sealed, or checked by segments; further rows remain in their sources. */
    private boolean waits() throws IOException, InterruptedException {
        boolean isTight = options.arrivals().lateness().unit() == Lateness.Unit.MICROS && memory.isTight(online, known);
        clock.waits(isTight);
        if (isTight || verdict.isOverLimit()) {
            Thread.sleep(TICK_NANOS / 1_000_000);
            return true;
        }
        return false;
    }

    /** Returns the arrivals within the time to settle. */
    private List<Arrival> gather(Arrival first) throws InterruptedException {
        List<Arrival> batch = new ArrayList<>();
        batch.add(first);
        long bytes = byteSize(first);
        long until = first.arrivedMicros() + options.arrivals().settleMicros();
        int more = FeedThreads.MAX_SLICES; // slices already there at the end of that time
        while (options.arrivals().settleMicros() > 0 && bytes < memory.batch() && more > 0) {
            long left = until - WatchClock.micros();
            more -= left > 0 ? 0 : 1;
            Arrival next = feeds.poll(Math.max(0, left) * 1_000);
            if (next == null) {
                break;
            }
            batch.add(next);
            bytes += byteSize(next);
        }
        return batch;
    }

    private static long byteSize(Arrival arrival) {
        return arrival.slice() == null ? 0 : arrival.slice().byteSize();
    }

    private void checkSegmentIfDue() throws IOException {
        if (verdict.isSegmentDue()) {
            if (checkpoints != null) {
                checkpoints.beforeSegment();
            }
            verdict.beginSegment();
        }
        verdict.checkAgainIfDue();
    }

    /** Compares the state that must be in memory with its limit: key names, and rows that are not sealed. */
    private void recordMemory() {
        memoryExhausted = memory.exhaustedReason(online, known);
        if (memoryExhausted != null) { // sealing may release enough
            clock.sealNow();
            memoryExhausted = memory.exhaustedReason(online, known);
        }
        if (memoryExhausted != null && checkpoints == null) {
            watcher.printNote(memoryExhausted + "; the watch ends with the verdict of sealed rows");
        }
    }

    // ---------------------------------------------------------------- the end

    private RunResult conclude(LakeRun lake) throws IOException {
        if (memoryExhausted != null && checkpoints != null) {
            verdict.awaitSegment();
            checkpoints.writeToGoOn();
            listener.flush();
            throw new CheckpointException(memoryExhausted + "; the same call resumes from the checkpoint");
        }
        boolean isCut = isStopped || isFailing || memoryExhausted != null;
        if (isCut) {
            clock.sealNow();
            verdict.checkAgainAtEnd();
            if (checkpoints != null) {
                checkpoints.writeLast();
            }
        } else {
            online.sealAll();
            intake.recordSealed();
            verdict.checkAgainAtEnd();
        }
        listener.flush();
        teller.publish();
        online.close();
        RunResult result;
        try {
            result = verdict.conclude(lake, isCut ? memoryExhausted == null ? ENDED_EARLY : memoryExhausted : null);
        } catch (MalformedHistoryException damaged) { // rows that were good when they were kept
            throw checkpoints == null
                    ? new IOException("kept rows cannot be read again: " + damaged.getMessage(), damaged)
                    : checkpoints.corrupt(damaged);
        }
        listener.flush();
        if (checkpoints != null && !isCut) {
            checkpoints.clear();
        }
        return result;
    }
}
