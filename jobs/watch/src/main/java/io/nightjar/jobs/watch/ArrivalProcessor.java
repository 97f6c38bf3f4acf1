package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineCheck;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes arrivals: drops repeated transactions, rejects late ones, archives and checks the others. */
final class ArrivalProcessor implements WatchState {

    private static final InputError LATE = InputError.of("late");
    private static final InputError OTHER_TYPE = InputError.of("keys or values of another type than in rows before");

    private final OnlineCheck online;
    private final RowArchive kept;
    private final Watermark watermark;
    private final TxnDeduplicator known;
    private final SliceFilter slices = new SliceFilter();
    private final DeadLetterLog letters;
    private final LatencyStatistics times;
    private final WatchMemory memory;
    private final UnsealedArrivals unsealed = new UnsealedArrivals();
    private final Map<String, FeedPosition> positions = new HashMap<>();
    private long lastArrival = WatchClock.micros();
    private long tooLate;
    private @Nullable SegmentedCheck segments; // null before they are set
    private boolean hasGoneOn;

    ArrivalProcessor(
            OnlineCheck online,
            RowArchive kept,
            Watermark watermark,
            TxnDeduplicator known,
            DeadLetterLog letters,
            LatencyStatistics times,
            WatchMemory memory) {
        this.online = online;
        this.kept = kept;
        this.watermark = watermark;
        this.known = known;
        this.letters = letters;
        this.times = times;
        this.memory = memory;
    }

    /** Sets the check of segments: a transaction that belongs before a completed segment is too late as well. */
    void setSegmentedCheck(SegmentedCheck all) {
        segments = all;
    }

    /** Consumes arrivals, and checks them together in the order of all commits. */
    void process(List<Arrival> batch) throws IOException {
        for (Arrival arrival : batch) {
            if (arrival.position() != null) {
                positions.put(arrival.position().name(), arrival.position());
            }
            letters.addAll(arrival.letters());
            lastArrival = Math.max(lastArrival, arrival.arrivedMicros());
        }
        int[] takenOf = new int[batch.size()];
        for (int i = 0; i < takenOf.length; i++) {
            takenOf[i] = process(batch.get(i).slice(), batch.get(i).arrivedMicros());
        }
        online.placeBuffered();
        long now = WatchClock.micros();
        for (int i = 0; i < takenOf.length && !online.checksWhenSealed(); i++) {
            times.verdict(now - batch.get(i).arrivedMicros(), takenOf[i]);
        }
    }

    /** Returns how many transactions are new, in time, and of the types of those before. */
    private int process(@Nullable HistorySlice arrived, long arrivedMicros) throws IOException {
        HistorySlice slice = arrived == null ? null : known.takeNew(arrived);
        return slice == null ? 0 : processNew(slice, arrivedMicros);
    }

    private int processNew(HistorySlice fresh, long arrivedMicros) throws IOException {
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
        unsealed.add(lastCommit(slice), arrivedMicros, slice.txnCount);
        watermark.observe(slice, arrivedMicros);
        return slice.txnCount;
    }

    // ---------------------------------------------------------------- counts

    @Override
    public LiveCounts counts() {
        return new LiveCounts()
                .of(online, times)
                .set(Count.TOO_LATE, tooLate)
                .set(Count.MAX_DISORDER, watermark.maxDisorder())
                .set(Count.REPEATED, known.repeated())
                .set(Count.LAG_MS, lagMicros() / 1_000)
                .set(Count.AHEAD_TS, watermark.ahead());
    }

    /** Returns the number of transactions that were rejected as too late. */
    long tooLate() {
        return tooLate;
    }

    /** Continues after a restart. */
    void resume(long tooLateBefore) {
        tooLate = tooLateBefore;
        hasGoneOn = true;
        unsealed.add(watermark.largest(), WatchClock.micros(), online.openTxns());
    }

    // ---------------------------------------------------------------- state

    @Override
    public boolean isResumed() {
        return hasGoneOn;
    }

    @Override
    public long watermark() {
        return online.watermark();
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
        return memory.forCheckAtEnd(online, known);
    }

    @Override
    public void beginInterval() {
        times.beginInterval();
    }

    /** Returns whether a transaction can be checked reliably; if not, it becomes a dead letter. */
    private boolean isInTime(HistorySlice slice, int txn) {
        if (segments == null || segments.accepts(slice, txn)) {
            return true;
        }
        tooLate++;
        letters.add(slice.file, slice.rowOf(txn), LATE, null);
        return false;
    }

    private static long lastCommit(HistorySlice slice) {
        long last = Long.MIN_VALUE;
        for (int txn = 0; slice.commitTs != null && txn < slice.txnCount; txn++) {
            last = Math.max(last, slice.commitTs[txn]);
        }
        return last;
    }

    /** Records that all transactions up to the watermark have final verdicts now. */
    void recordSealed() {
        unsealed.seal(online.watermark(), times);
    }

    /**
     * Returns the age of the oldest transaction without a final verdict; ignores a commit far ahead that needs
     * confirmation.
     */
    private long lagMicros() {
        return unsealed.lagMicros(WatchClock.micros(), watermark.ahead());
    }

    /** Returns how far each file has been consumed; a live view. */
    Map<String, FeedPosition> positions() {
        return positions;
    }

    /** Returns the arrival time of the transactions consumed last. */
    long lastArrival() {
        return lastArrival;
    }
}
