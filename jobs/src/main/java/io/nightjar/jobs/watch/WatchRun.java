package io.nightjar.jobs.watch;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.Watcher;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** A watch from its first row to its verdict. */
public final class WatchRun {

    /*
     * Feeds read and decode on threads of their own and wait while the inbox is full. This thread takes what has arrived:
     *
     *   known?      one that came before is dropped
     *   kept        every row goes to the kept rows
     *   judged      in the order of commits among those that arrived together
     *   sealed      up to the watermark, from time to time
     *
     * At the end the kept rows are checked as any history is: that is the verdict. Where the two differ (an unknown transaction
     * turned out to count, a key to be a set, something came too late to be corrected at once) the changes are told as
     * corrections.
     */

    private static final long TICK_NANOS = 20_000_000;
    private static final long MOST_STEP_MICROS = 2_000_000;
    private static final long STEP_WHILE_WAITING_MICROS = 250_000;
    private static final long LEAST_SEAL_MICROS = 20_000;
    static final String ENDED_EARLY = "ended before all was sealed";
    private static final long FEWEST_TXNS_OF_BASE = 200_000;

    private final WatchOptions options;
    private final String checkerVersion;
    private final String historyName;
    private final String historyId;
    private final WatchListener listener;
    private final Watcher watcher;

    private final WatchMemory memory;
    private final WatchLetters letters;
    private final ArrivalQueue inbox;
    private final KnownTxns known;
    private final Watermark watermark;
    private OnlineLanes online; // from when there is room for what it seals
    private RowIntake intake;
    private WatchVerdict verdict;
    private final FeedThreads feeds;
    private volatile boolean isStopped;

    private final WatchTimes times = new WatchTimes();
    private CheckpointFolder checkpoints; // null for none
    private RestartBase base; // null without checkpoints
    private long txnsOfBase = FEWEST_TXNS_OF_BASE;
    private int chaptersWritten; // number of their state
    private int chaptersAt; // how many they were
    private Checkpoint from; // null to begin anew
    private long nextCheckpoint;
    private long txnsAtCheckpoint = -1;
    private ToldFindings told;
    private WatchPage page; // null for none
    private LiveTables tables;
    private StatusPace pace;
    private String runId;
    private long nextSeal;
    private long streamTime = Long.MIN_VALUE;
    private boolean isFailing;
    private boolean isWaiting;
    private String noRoom; // null as long as there is

    /** @param feeds who brings rows; see {@link WatchFeeds} */
    WatchRun(
            WatchOptions options, List<RowFeed> feeds, String checkerVersion, WatchListener listener, Watcher watcher) {
        this.options = options;
        this.checkerVersion = checkerVersion;
        this.listener = listener;
        this.watcher = watcher;
        this.historyName = String.join(",", options.sources());
        this.historyId = LakeNames.historyId(historyName);
        this.letters = new WatchLetters(options.check().maxDeadLetters(), watcher);
        this.memory = new WatchMemory(options.check().memoryBytes());
        this.inbox = new ArrivalQueue(letters, memory.waiting());
        this.feeds = new FeedThreads(feeds, inbox);
        this.known = new KnownTxns(letters, options.check().memoryBytes());
        this.watermark = new Watermark(options.lateness(), options.idleMicros());
        if (feeds.stream().anyMatch(RowFeed::isCounting)) {
            known.holdLastPositions();
        }
    }

    /** A watch that has not begun. */
    public static WatchRun of(
            WatchOptions options, String checkerVersion, InputStream stdin, WatchListener listener, Watcher watcher)
            throws IOException {
        if (options.checkpoint() == null) {
            List<RowFeed> feeds = WatchFeeds.open(options, Map.of(), stdin, watcher);
            return new WatchRun(options, feeds, checkerVersion, listener, watcher);
        }
        CheckpointFolder checkpoints = CheckpointFolder.open(options.checkpoint());
        try {
            Checkpoint from = checkpoints.read();
            if (from != null && !from.watch().equals(nameOf(options))) {
                throw new UsageException("the checkpoint is of another watch: checkpoint=" + options.checkpoint()
                        + " watch=" + from.watch() + "; name another folder, or call that watch again");
            }
            Map<String, FeedPosition> positions = from == null ? Map.of() : from.positions();
            List<RowFeed> feeds = WatchFeeds.open(options, positions, stdin, watcher);
            WatchRun run = new WatchRun(options, feeds, checkerVersion, listener, watcher);
            run.checkpoints = checkpoints;
            run.from = from;
            return run;
        } catch (IOException | RuntimeException failed) {
            checkpoints.close();
            throw failed;
        }
    }

    /** How many transactions a restart may read again before another base is made. */
    void makeBasesOf(long txns) {
        txnsOfBase = txns;
    }

    /**
     * Where to listen: {@code HOST:PORT}, or {@code :PORT} for this machine alone.
     *
     * @throws UsageException if it is neither
     */
    public static InetSocketAddress address(String text) {
        return WatchFeeds.hostAndPort(text, text);
    }

    /** What must be the same for a watch to go on. */
    static String nameOf(WatchOptions options) {
        StringJoiner name = new StringJoiner(" ");
        options.sources().forEach(source -> name.add("source=" + source));
        options.check().levels().forEach(level -> name.add("level=" + level.shortName()));
        name.add("initial-value=" + options.check().initialValue());
        name.add("initial=" + options.initial().name());
        return name.add("archive=" + options.archive()).toString();
    }

    /** Asks the watch to end with the verdict of what is sealed; any thread may. */
    public void stop() {
        isStopped = true;
        feeds.stop();
    }

    /** Watches until the sources end or {@link #stop} is called. */
    public RunResult run() throws IOException {
        try {
            page = options.page() == null ? null : new WatchPage(historyName, options.page(), watcher);
            return watchAndConclude();
        } finally {
            if (page != null) {
                page.close();
            }
            if (checkpoints != null) {
                checkpoints.close();
            }
        }
    }

    private RunResult watchAndConclude() throws IOException {
        pace = new StatusPace(WatchClock.micros());
        Optional<RunResult> ended =
                from == null || from.runId() == null ? Optional.empty() : LakeRun.completed(checkOptions());
        if (ended.isPresent()) { // it was killed behind its end
            checkpoints.clear();
            return ended.get();
        }
        try (LakeRun lake = LakeRun.beginLive(checkOptions(), checkerVersion, historyName, Instant.now());
                KeptRows kept = keptRows();
                ScratchFolder scratch = ScratchFolder.create(options.check().spillParent(), "nightjar-attic-");
                OnlineLanes lanes = lanes(scratch.path(), lake)) {
            online = lanes;
            intake = new RowIntake(online, kept, watermark, known, letters, times);
            beginInitially();
            verdict =
                    new WatchVerdict(checkOptions(), checkerVersion, watcher, historyName, kept, online, intake, known);
            verdict.takes(letters, told);
            if (from == null) {
                kept.look(memory.forValidation());
            }
            if (keepsNotAll()) {
                Path evidence = checkpoints == null ? scratch.path().resolve("evidence") : checkpoints.evidence();
                verdict.checksInParts(rowsRetained(), evidence);
            }
            if (checkpoints != null) {
                goOn(kept);
            }
            begin();
            try {
                watchToTheEnd(kept);
                return conclude(kept, lake);
            } finally {
                verdict.stop();
            }
        }
    }

    private void watchToTheEnd(KeptRows kept) throws IOException {
        try {
            watch(kept);
        } catch (InterruptedException interrupted) {
            isStopped = true;
        } finally {
            feeds.stop();
        }
    }

    /** Whether rows need not be there at the end: nobody asked for them, and nothing but their own time decides on them. */
    private boolean keepsNotAll() {
        return options.archive() == null && options.check().initialValue() == null;
    }

    /** Of what is retained, what rows may take; the rest is for what the online check has sealed. */
    private long rowsRetained() {
        return options.retainBytes() / 4;
    }

    private long atticInMemory() {
        return Math.min(options.retainBytes() / 2, options.check().memoryBytes() / 16);
    }

    private void beginInitially() throws IOException {
        InitialChoice initial = options.initial();
        if (initial.history() != null) {
            online.beginBehind(InitialHistory.read(
                    initial.history(), options.check().levels().get(0)));
        } else if (initial.isLearned()) {
            online.learnInitial();
        }
    }

    private OnlineLanes lanes(Path scratch, LakeRun lake) throws IOException {
        tables = new LiveTables(lake.writer());
        told = told(lake);
        long onDisk = options.retainBytes() - rowsRetained() - atticInMemory();
        return new OnlineLanes(options.check(), memory, scratch, atticInMemory(), onDisk, told);
    }

    private ToldFindings told(LakeRun lake) {
        runId = lake.writer() == null ? null : lake.writer().runId();
        ToldFindings all = new ToldFindings(options, runId, historyId, listener, times);
        all.addFollower(tables::add);
        if (checkpoints != null) {
            all.addFollower(checkpoints::add);
        }
        if (page != null) {
            all.addFollower(page::add);
        }
        return all;
    }

    private CheckOptions checkOptions() {
        return from == null || from.runId() == null
                ? options.check()
                : options.check().withRunId(from.runId());
    }

    private KeptRows keptRows() throws IOException {
        if (from != null) {
            Path folder = options.archive() == null ? checkpoints.rows() : options.archive();
            try {
                return KeptRows.goOn(folder, from.files().rows());
            } catch (NoSuchFileException gone) {
                throw new DamagedCheckpointException(options.checkpoint(), gone.getMessage());
            }
        } else if (options.archive() != null) {
            return KeptRows.inFolder(options.archive());
        }
        return checkpoints == null
                ? KeptRows.inScratch(options.check().spillParent())
                : KeptRows.goOn(checkpoints.rows(), KeptRows.Extent.NONE);
    }

    // ---------------------------------------------------------------- going on

    private void goOn(KeptRows kept) throws IOException {
        base = new RestartBase(checkpoints);
        intake.goOnBehind(base, told);
        if (from == null) {
            checkpoints.openChanges(Checkpoint.Changes.NONE, told);
            checkpoints.write(Checkpoint.atBegin(nameOf(options), runId));
            return;
        }
        told.mute(true);
        checkpoints.openChanges(from.changes(), told);
        told.mute(false);
        intake.positions().putAll(from.positions());
        from.letters().forEach(letter -> letters.add(letter.file(), letter.row(), letter.reason(), letter.rawText()));
        told.silence(true);
        base.read(from.files().base(), online, known);
        try {
            base.replay(kept, intake, from.watermark(), options.check().memoryBytes() / 4);
        } catch (MalformedHistoryException damaged) {
            throw new DamagedCheckpointException(options.checkpoint(), damaged);
        }
        watermark.goOnAt(from.watermark());
        if (from.watermark() != Long.MIN_VALUE) {
            online.seal(from.watermark());
        }
        told.silence(false);
        chaptersWritten = from.files().chapters();
        if (chaptersWritten > 0) {
            try (DataInputStream in = checkpoints.openChapters(chaptersWritten)) {
                verdict.readChapters(in);
            }
            chaptersAt = verdict.chapterCount();
        }
        if (from.intake().length > 0) {
            intake.goOnFrom(from.intake(), options.check().levels());
        }
        pace.goOnBehind(online.txnCount());
        watcher.note("going on from a checkpoint: transactions="
                + intake.counts(options.check().levels()).get(Count.TRANSACTIONS) + " sealedUpTo="
                + WatchStatus.time(online.watermark()));
    }

    private void checkpointIfDue(KeptRows kept) throws IOException {
        long now = WatchClock.micros();
        boolean isNew = online.txnCount() != txnsAtCheckpoint || intake.hasNewTally();
        if (checkpoints != null && now >= nextCheckpoint && isNew) {
            nextCheckpoint = now + options.checkpointMicros();
            checkpoint(kept, runId);
        }
    }

    private void checkpoint(KeptRows kept, String runThatGoesOn) throws IOException {
        kept.finishPart();
        txnsAtCheckpoint = online.txnCount();
        if (base.isDue(online.txnCount(), txnsOfBase)) {
            base.advance(kept, online.watermark(), online.txnCount(), online, known);
        }
        if (verdict.chapterCount() > chaptersAt) {
            chaptersAt = verdict.chapterCount();
            checkpoints.writeChapters(++chaptersWritten, verdict::writeChapters);
        }
        checkpoints.write(new Checkpoint(
                nameOf(options),
                runThatGoesOn,
                online.watermark(),
                checkpoints.flushChanges(told.changeSeq()),
                new Checkpoint.Files(kept.extent(), base.number(), chaptersWritten),
                intake.state(options.check().levels()),
                intake.positions(),
                letters.upTo(intake.positions(), this::isRead)));
        kept.deleteDropped();
        feeds.all().forEach(feed -> feed.durable(intake.tally()));
    }

    /** Whether a file is read by a feed that goes on where it was. */
    private boolean isRead(String file) {
        return feeds.all().stream().anyMatch(feed -> feed.isResumable() && file.startsWith(feed.name()));
    }

    private void begin() {
        if (checkpoints != null) {
            intake.tally();
            feeds.all().forEach(RowFeed::tellDurable);
        }
        feeds.all().forEach(feed -> feed.countBehind(known.lastPositions()));
        feeds.start();
    }

    // ---------------------------------------------------------------- the loop

    private void watch(KeptRows kept) throws IOException, InterruptedException {
        while (!isStopped) {
            boolean wereDone = feeds.areDone();
            Arrival first = waits() ? null : inbox.poll(TICK_NANOS);
            if (first != null) {
                intake.take(gather(first));
            }
            checkFeeds();
            sealIfDue(kept);
            noteRoom();
            checkpointIfDue(kept);
            checkPartIfDue(kept);
            tellStatus(kept);
            listener.flush();
            if (isFailing || noRoom != null || first == null && wereDone && inbox.isEmpty()) {
                return;
            }
        }
    }

    /** Rows are dropped behind a base only that stands for them, and what came of a part is told before the next one begins. */
    private void checkPartIfDue(KeptRows kept) throws IOException {
        if (verdict.isPartDue()) {
            if (checkpoints != null && verdict.chapterCount() > chaptersAt) {
                checkpoint(kept, runId);
            }
            if (base != null) {
                base.advance(kept, online.watermark(), online.txnCount(), online, known);
            }
            verdict.beginPart();
        }
    }

    private void checkFeeds() throws IOException {
        feeds.check();
        if (letters.areTooMany()) {
            DeadLetter last =
                    letters.all().inOrder().get(letters.all().inOrder().size() - 1);
            throw new MalformedHistoryException(
                    Place.line(last.file(), last.row()), last.reason() + " (bad rows so far: " + letters.count() + ")");
        }
    }

    /** Whatever arrives within the time to settle. */
    private List<Arrival> gather(Arrival first) throws InterruptedException {
        List<Arrival> batch = new ArrayList<>();
        batch.add(first);
        long bytes = first.slice().byteSize();
        long until = first.arrivedMicros() + options.settleMicros();
        int more = ArrivalQueue.MOST_SLICES; // behind the time to settle only what is there already
        while (options.settleMicros() > 0 && bytes < memory.batch() && more > 0) {
            long left = until - WatchClock.micros();
            more -= left > 0 ? 0 : 1;
            Arrival next = inbox.poll(Math.max(0, left) * 1_000);
            if (next == null) {
                break;
            }
            batch.add(next);
            bytes += next.slice().byteSize();
        }
        return batch;
    }

    private void sealIfDue(KeptRows kept) {
        long now = WatchClock.micros();
        if (now < nextSeal) {
            return;
        }
        seal(now);
        long took = WatchClock.micros() - now;
        nextSeal = now + Math.max(LEAST_SEAL_MICROS, 3 * took);
        isFailing = isFailing || options.failsFast() && told.hasSealed(online.watermark());
    }

    private void seal(long now) {
        long upTo = watermark.at(streamTime(now));
        if (upTo > online.watermark()) {
            online.seal(upTo);
            intake.noteSealed();
        }
    }

    /**
     * Where more waits than can be taken at once, time is that of what was taken last. It does not pass while this process
     * stood still, since whoever sends did not wait for it. While there is no room it passes in small steps, until enough is
     * sealed: neighbours of what was taken last are still to come.
     */
    private long streamTime(long now) {
        if (isWaiting) {
            streamTime = Math.max(streamTime, intake.lastArrival()) + STEP_WHILE_WAITING_MICROS;
            return streamTime;
        }
        long time = inbox.isEmpty() ? now : intake.lastArrival();
        long most = Math.max(streamTime, intake.lastArrival()) + MOST_STEP_MICROS;
        streamTime = Math.max(streamTime, Math.min(time, most));
        return streamTime;
    }

    /** What arrives faster than it is sealed, or checked part by part, waits where it comes from. */
    private boolean waits() throws IOException, InterruptedException {
        isWaiting = options.lateness().unit() == Lateness.Unit.MICROS && memory.isTight(online, known);
        if (isWaiting || verdict.isBehind()) {
            Thread.sleep(TICK_NANOS / 1_000_000);
            return true;
        }
        return false;
    }

    private void tellStatus(KeptRows kept) {
        long now = WatchClock.micros();
        if (pace.isDue(now)) {
            WatchStatus status = status(kept, now);
            pace.told(now, online.txnCount());
            listener.status(status);
            if (page != null) {
                page.show(status);
            }
            if (pace.isIntervalOver(now)) {
                tables.publish(status);
            }
        }
    }

    /** What has to be in memory must fit: names of keys, and what is not sealed. */
    private void noteRoom() {
        online.limitRooms(memory.keys(online, known));
        noRoom = memory.noRoom(online, known);
        if (noRoom != null) { // unless there is once all is sealed that may be
            seal(WatchClock.micros());
            noRoom = memory.noRoom(online, known);
        }
        if (noRoom != null && checkpoints == null) {
            watcher.note(noRoom + "; the watch ends with what is sealed");
        }
    }

    private WatchStatus status(KeptRows kept, long now) {
        LiveCounts counts = intake.counts(options.check().levels());
        Map<IsolationLevel, Map<Anomaly, Long>> findings = new EnumMap<>(IsolationLevel.class);
        options.check().levels().forEach(level -> findings.put(level, counts.findings(level)));
        Runtime runtime = Runtime.getRuntime();
        return new WatchStatus(
                pace.seconds(now),
                counts.get(Count.TRANSACTIONS),
                counts.get(Count.OPERATIONS),
                pace.perSecond(now, online.txnCount()),
                online.watermark() == Long.MAX_VALUE ? watermark.largest() : online.watermark(),
                (now - intake.lastArrival()) / 1_000,
                counts.get(Count.OPEN),
                counts.get(Count.PROVISIONAL),
                counts.get(Count.FLIPS),
                counts.get(Count.LATE),
                counts.get(Count.CORRECTED),
                counts.get(Count.REPEATED),
                counts.get(Count.TOO_LATE),
                letters.count(),
                runtime.totalMemory() - runtime.freeMemory(),
                kept.bytes() + online.bytesOnDisk(),
                times.percentiles(),
                findings,
                watermark.isJumpAhead(),
                watermark.silentSession(now));
    }

    // ---------------------------------------------------------------- the end

    private RunResult conclude(KeptRows kept, LakeRun lake) throws IOException {
        if (intake.isEmpty() && letters.count() == 0 && !isStopped) {
            throw new MalformedHistoryException(Place.file(historyName), "no transactions: nothing arrived");
        }
        if (noRoom != null && checkpoints != null) {
            txnsOfBase = Long.MAX_VALUE; // a base takes memory too
            verdict.awaitPart();
            checkpoint(kept, runId);
            listener.flush();
            throw new NoRoomException(noRoom);
        }
        boolean isCut = isStopped || isFailing || noRoom != null;
        if (isCut) {
            long upTo = watermark.at(streamTime(WatchClock.micros()));
            online.seal(upTo);
            if (checkpoints != null) {
                verdict.awaitPart();
                checkpoint(kept, null);
            }
        } else {
            online.sealAll();
            intake.noteSealed();
        }
        listener.flush();
        tables.publish(status(kept, WatchClock.micros()));
        online.letGo();
        RunResult result;
        try {
            result = verdict.conclude(lake, isCut ? noRoom == null ? ENDED_EARLY : noRoom : null);
        } catch (MalformedHistoryException damaged) { // rows that were good when they were kept
            throw new IOException("kept rows cannot be read again: " + damaged.getMessage(), damaged);
        }
        listener.flush();
        if (checkpoints != null && !isCut) {
            checkpoints.clear();
        }
        return result;
    }
}
