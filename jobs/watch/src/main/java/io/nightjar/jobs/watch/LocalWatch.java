package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.watch.FeedRunner.Fed;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Engine of a watch in this process: archives and checks arrivals in the order of commits. */
final class LocalWatch implements WatchEngine, TaskLog.Reader {

    /*
     * Algorithm. Feeds read and decode in separate threads, and wait while the inbox is full. One thread consumes new
     * transactions:
     *
     *   kept       every row is archived
     *   checked    in the order of commits among arrivals that are consumed together
     *   sealed     up to the watermark, at regular times
     *
     * Reading waits if more has arrived than can be sealed, or checked by segments; further rows remain in sources.
     */

    private static final long TICK_MILLIS = 20;
    private static final int LANES = 128; // blocks of the state, each of which fits an array
    private static final int PAUSE_FACTOR = 10; // between checkpoints, relative to the duration of one
    private static final InputError LATE = InputError.of("late");
    private static final InputError OTHER_TYPE = InputError.of("keys or values of another type than in rows before");

    private final WatchOptions options;
    private final CheckpointFolder folder;
    private final @Nullable Checkpoint from; // null to begin anew
    private final DeadLetterLog letters;
    private final WatchMemory memory;
    private final FeedRunner feeds;
    private final RowArchive kept;
    private final Watermark watermark;
    private final SliceFilter slices = new SliceFilter();
    private final LatencyStatistics times = new LatencyStatistics();
    private long lastArrival = WatchClock.micros();
    private long tooLate;
    private boolean isResumed;
    private @Nullable String exhausted; // null while memory suffices
    private int base; // number of the state that was written last; 0 for none
    private long reports; // number of the report that was written last
    private long nextCheckpoint;
    private long txnsOfCheckpoint = -1;

    // set by begin
    private OnlineCheck online;
    private SealScheduler clock;
    private ReportedFindings reported;
    private SegmentedCheck segments;
    private TaskLog.@Nullable Writer log; // null without checkpoints

    /** @param from null to begin anew */
    LocalWatch(
            WatchOptions options,
            FeedRunner.Opener opener,
            CheckpointFolder folder,
            @Nullable Checkpoint from,
            DeadLetterLog letters)
            throws IOException {
        long memoryBytes = options.check().memoryBytes();
        this.options = options;
        this.folder = folder;
        this.from = from;
        this.letters = letters;
        this.memory = new WatchMemory(memoryBytes);
        byte[] state = from == null ? new byte[0] : from.state().feeds();
        this.feeds = new FeedRunner(opener, state, memoryBytes, memory.waiting(), () -> {});
        this.kept = openRows();
        this.watermark =
                new Watermark(options.arrivals().lateness(), options.arrivals().idleMicros());
    }

    private RowArchive openRows() throws IOException {
        Path archive = options.keeping().archive();
        if (from == null && archive != null) {
            return RowArchive.inFolder(archive);
        } else if (options.keeping().checkpoint() == null) {
            return RowArchive.inScratch(folder.rows());
        }
        try {
            return RowArchive.reopen(
                    archive == null ? folder.rows() : archive,
                    from == null ? RowArchive.Extent.NONE : from.state().rows());
        } catch (NoSuchFileException gone) {
            throw CheckpointException.damaged(folder.path(), gone.getFile());
        }
    }

    @Override
    public RowArchive kept() {
        return kept;
    }

    /** Returns the limit if rows may be deleted once checked: no archive was requested, and only timestamps decide. */
    @Override
    public long retainBytes() {
        boolean keepsAll =
                options.keeping().archive() != null || options.check().initialValue() != null;
        return keepsAll ? Long.MAX_VALUE : options.keeping().retainBytes();
    }

    // ---------------------------------------------------------------- the beginning

    @SetsFields
    @Override
    public void begin(ReportedFindings findings, SegmentedCheck check) throws IOException {
        reported = findings;
        segments = check;
        online = new OnlineCheck(options.check().timedLevels(), options.check().initialValue(), reported);
        clock = new SealScheduler(feeds, watermark, this);
        InitialChoice initial = options.initial();
        if (initial.history() != null) {
            online.startFrom(InitialHistory.read(
                    initial.history(), options.check().timedLevels().get(0)));
        } else if (initial.isLearned()) {
            online.learnInitial();
        }
        if (from == null) {
            kept.collectSummary(memory.forValidation());
        } else {
            resume(from.state());
        }
        if (options.keeping().checkpoint() != null) {
            TaskLog.deleteAfter(folder.log(), reports);
            TaskLog.Writer changes = new TaskLog.Writer(folder.log());
            log = changes;
            reported.addFollower(changes::add);
        }
        feeds.start();
    }

    private void resume(Checkpoint.State state) throws IOException {
        while (reports < state.reports()) {
            TaskLog.read(folder.log(), ++reports, this);
        }
        letters.takeNews();
        base = state.base();
        if (base > 0) {
            try (DataInputStream in = folder.openBase(base)) {
                readState(in);
            }
            tooLate = state.tooLate();
            isResumed = true;
            times.arrived(watermark.largest(), online.openTxns(), WatchClock.micros());
        }
    }

    private void writeState(DataOutputStream out) throws IOException {
        Checkpoint.writeRecord(out, watermark.state());
        for (ByteWriter lane : OnlineCheckCodec.write(online, LANES, 0)) {
            out.writeBoolean(lane != null);
            if (lane != null) {
                Checkpoint.writeBytes(out, lane);
            }
        }
    }

    private void readState(DataInputStream in) throws IOException {
        watermark.resume(Checkpoint.readRecord(in, Watermark.State.class), WatchClock.micros());
        for (int lane = 0; lane < LANES; lane++) {
            if (in.readBoolean()) {
                OnlineCheckCodec.read(Checkpoint.readBytes(in), online);
            }
        }
        online.resume(online.watermark());
    }

    @Override
    public void changed(Change change, OnlineFinding finding, boolean isWrong, long atMicros) {
        reported.changed(change, finding, isWrong, atMicros);
    }

    @Override
    public void letter(DeadLetter letter) {
        letters.addAll(List.of(letter));
    }

    // ---------------------------------------------------------------- steps

    @Override
    public boolean step() throws IOException, InterruptedException {
        boolean isOver = feeds.isAtEnd();
        Fed first = waits() ? null : feeds.poll(TICK_MILLIS * 1_000_000);
        if (first != null) {
            process(gather(first));
        }
        clock.sealIfDue();
        recordMemory();
        return first == null && isOver;
    }

    private boolean waits() throws IOException, InterruptedException {
        boolean isTight = options.arrivals().lateness().unit() == Lateness.Unit.MICROS && memory.isTight(online, feeds);
        clock.waits(isTight);
        boolean isWaiting = isTight || kept.bytes() > retainBytes() && segments.isRunning();
        if (isWaiting) {
            Thread.sleep(TICK_MILLIS);
        }
        return isWaiting;
    }

    /** Returns the arrivals within the time to settle, which matters to provisional verdicts alone. */
    private List<Fed> gather(Fed first) throws IOException, InterruptedException {
        List<Fed> batch = new ArrayList<>();
        batch.add(first);
        long bytes = first.byteSize();
        long until = first.arrivedMicros() + options.arrivals().settleMicros();
        int more = FeedThreads.MAX_SLICES; // slices already there at the end of that time
        while (!online.checksWhenSealed()
                && options.arrivals().settleMicros() > 0
                && bytes < memory.batch()
                && more > 0) {
            long left = until - WatchClock.micros();
            more -= left > 0 ? 0 : 1;
            Fed next = feeds.poll(Math.max(0, left) * 1_000);
            if (next == null) {
                break;
            }
            batch.add(next);
            bytes += next.byteSize();
        }
        return batch;
    }

    /** Consumes arrivals, and checks them together in the order of all commits. */
    private void process(List<Fed> batch) throws IOException {
        int[] takenOf = new int[batch.size()];
        for (int i = 0; i < takenOf.length; i++) {
            Fed fed = batch.get(i);
            letters.addAll(fed.letters());
            lastArrival = Math.max(lastArrival, fed.arrivedMicros());
            takenOf[i] = fed.slice() == null ? 0 : process(fed.slice(), fed.arrivedMicros());
        }
        online.placeBuffered();
        long now = WatchClock.micros();
        for (int i = 0; i < takenOf.length && !online.checksWhenSealed(); i++) {
            times.verdict(now - batch.get(i).arrivedMicros(), takenOf[i]);
        }
    }

    /** Returns how many transactions are in time, and of the types of those before. */
    private int process(HistorySlice fresh, long arrivedMicros) throws IOException {
        HistorySlice slice = slices.filter(fresh, txn -> isInTime(fresh, txn));
        if (slice == null) {
            return 0;
        }
        if (!online.hasSameTypesAs(slice)) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                letters.add(slice.file, slice.rowOf(txn), OTHER_TYPE, null);
            }
            return 0;
        }
        kept.write(slice);
        online.buffer(slice, arrivedMicros);
        times.arrived(slice.commitTs, slice.txnCount, arrivedMicros);
        watermark.observe(slice, arrivedMicros);
        return slice.txnCount;
    }

    /** Returns whether a transaction can be checked reliably; if not, it becomes a dead letter. */
    private boolean isInTime(HistorySlice slice, int txn) {
        if (segments.accepts(slice, txn)) {
            return true;
        }
        tooLate++;
        letters.add(slice.file, slice.rowOf(txn), LATE, null);
        return false;
    }

    /** Seals up to a time. */
    void seal(long upTo) {
        online.seal(upTo);
        times.sealed(online.watermark());
    }

    boolean hasLate() {
        return online.hasLate();
    }

    /** Returns the arrival time of the transactions consumed last. */
    long lastArrival() {
        return lastArrival;
    }

    /** Compares the state that must be in memory with its limit: key names, and rows that are not sealed. */
    private void recordMemory() {
        exhausted = memory.exhaustedReason(online, feeds);
        if (exhausted != null) { // sealing may release enough
            clock.sealNow();
            exhausted = memory.exhaustedReason(online, feeds);
        }
    }

    @Override
    public @Nullable String exhaustedReason() {
        return exhausted;
    }

    // ---------------------------------------------------------------- checkpoints

    @Override
    public boolean isCheckpointDue() {
        return WatchClock.micros() >= nextCheckpoint && online.txnCount() != txnsOfCheckpoint;
    }

    @Override
    public Checkpoint.State save() throws IOException {
        long begun = WatchClock.micros();
        kept.finishPart();
        txnsOfCheckpoint = online.txnCount();
        folder.writeBase(++base, this::writeState);
        if (log != null) {
            log.addLetters(letters.takeNews());
            reports = log.complete(reports);
        }
        Checkpoint.State state = new Checkpoint.State(reports, kept.extent(), base, tooLate, feeds.state());
        long took = WatchClock.micros() - begun;
        nextCheckpoint = begun + Math.max(options.keeping().checkpointMicros(), PAUSE_FACTOR * took);
        return state;
    }

    // ---------------------------------------------------------------- the end

    @Override
    public boolean end(boolean isEarly) {
        feeds.close();
        if (isEarly) {
            clock.sealNow();
        } else {
            seal(Long.MAX_VALUE);
        }
        return !isEarly;
    }

    /** Stops reading, and releases the memory of the check; counts remain. */
    @Override
    public void close() {
        feeds.close();
        online.close();
    }

    // ---------------------------------------------------------------- state

    @Override
    public LiveCounts counts() {
        return new LiveCounts()
                .of(online, times)
                .set(Count.TOO_LATE, tooLate)
                .set(Count.MAX_DISORDER, watermark.maxDisorder())
                .set(Count.REPEATED, feeds.repeated())
                .set(Count.LAG_MS, times.lagMicros(watermark.ahead()) / 1_000)
                .set(Count.AHEAD_TS, watermark.ahead());
    }

    @Override
    public long watermark() {
        return online.watermark();
    }

    @Override
    public long shownWatermark() {
        return watermark() == Long.MAX_VALUE ? watermark.largest() : watermark();
    }

    @Override
    public boolean isResumed() {
        return isResumed;
    }

    @Override
    public OnlineCheck initials() {
        return online;
    }

    @Override
    public boolean beginsSegmentCheck() {
        boolean isNeeded = online.needsSegmentCheck();
        if (isNeeded) {
            online.beginSegmentCheck();
        }
        return isNeeded;
    }

    @Override
    public @Nullable HistorySummary summary() throws IOException {
        return kept.summary();
    }

    @Override
    public long sessionCount() {
        return online.sessionCount();
    }

    @Override
    public long memoryAtEnd() {
        return memory.forCheckAtEnd(online, feeds);
    }

    @Override
    public void beginInterval() {
        times.beginInterval();
    }
}
