package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes arrivals: drops repeated transactions, rejects late ones, archives and checks the others. */
final class ArrivalProcessor {

    private static final InputError LATE = InputError.of("late");
    private static final InputError OTHER_TYPE = InputError.of("keys or values of another type than in rows before");

    private final OnlineCheck online;
    private final RowArchive kept;
    private final Watermark watermark;
    private final TxnDeduplicator known;
    private final SliceFilter slices = new SliceFilter();
    private final DeadLetterLog letters;
    private final LatencyStatistics times;
    private final LatenessStatistics lateness;
    private final UnsealedArrivals unsealed = new UnsealedArrivals();
    private final Map<String, FeedPosition> positions = new HashMap<>();
    private long lastArrival = WatchClock.micros();
    private long minTime = Long.MAX_VALUE;
    private long tooLate;
    private long committed;
    private @Nullable SegmentedCheck segments; // null before they are set
    private final Map<String, ConsumedCount> taken = new HashMap<>(); // by sender that repeats unconfirmed rows
    private LiveCounts countedBefore = new LiveCounts();
    private boolean hasGoneOn;
    private boolean isTallied;
    private boolean hasNewTally;
    private int[] inTime = new int[64];

    ArrivalProcessor(
            OnlineCheck online,
            RowArchive kept,
            Watermark watermark,
            TxnDeduplicator known,
            DeadLetterLog letters,
            LatencyStatistics times) {
        this.online = online;
        this.kept = kept;
        this.watermark = watermark;
        this.known = known;
        this.letters = letters;
        this.times = times;
        this.lateness = new LatenessStatistics(times::late);
    }

    /** Sets the check of segments: a transaction that belongs before a completed segment is too late as well. */
    void setSegmentedCheck(SegmentedCheck all) {
        segments = all;
    }

    /** Consumes arrivals in the order of their first commits, and checks them together in the order of all commits. */
    void process(List<Arrival> batch) throws IOException {
        for (Arrival arrival : batch) {
            if (arrival.feed().isResumable()) {
                positions.put(arrival.position().name(), arrival.position());
            } else if (isTallied) {
                ConsumedCount more = new ConsumedCount(arrival.position().lines(), arrival.slice().txnCount);
                taken.merge(arrival.position().name(), more, ConsumedCount::and);
                hasNewTally = true;
            }
            lastArrival = Math.max(lastArrival, arrival.arrivedMicros());
        }
        if (batch.size() > 1) {
            batch.sort(Comparator.comparingLong(arrival -> firstCommit(arrival.slice())));
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
    private int process(HistorySlice arrived, long arrivedMicros) throws IOException {
        HistorySlice slice = known.takeNew(arrived);
        slice = slice == null ? null : inTime(slice);
        if (slice == null) {
            return 0;
        }
        if (!online.hasSameTypesAs(slice)) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                letters.add(slice.file, slice.rowOf(txn), OTHER_TYPE, null);
            }
            return 0;
        }
        recordTimes(slice);
        lateness.observe(slice, online.watermark(), arrivedMicros);
        kept.write(slice);
        online.buffer(slice, arrivedMicros);
        unsealed.add(lastCommit(slice), arrivedMicros, slice.txnCount);
        watermark.observe(slice, arrivedMicros);
        return slice.txnCount;
    }

    // ---------------------------------------------------------------- counts

    /** Returns all counts since the watch began, over all restarts. */
    LiveCounts counts() {
        LiveCounts all = new LiveCounts()
                .of(online, times)
                .set(Count.TRANSACTIONS, online.txnCount())
                .set(Count.OPERATIONS, online.opCount())
                .set(Count.COMMITTED, committed)
                .set(Count.TOO_LATE, tooLate)
                .set(Count.OPEN, online.openTxns())
                .set(Count.REPEATED, known.repeated());
        all.add(countedBefore);
        return all;
    }

    /** Returns its part of a checkpoint. */
    byte[] state() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        ByteWriter counts = new ByteWriter(1 << 8);
        counts().encode(counts);
        Checkpoint.writeBytes(out, counts);
        out.writeLong(minTime);
        lateness.write(out);
        return bytes.toByteArray();
    }

    /** Continues from earlier counts, some of which the online check contains already. */
    void restore(byte[] state) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(state));
        LiveCounts before = LiveCounts.decode(Checkpoint.readBytes(in));
        committed = before.get(Count.COMMITTED);
        tooLate = before.get(Count.TOO_LATE);
        minTime = in.readLong();
        lateness.read(in);
        before.takeOff(counts());
        before.set(Count.PROVISIONAL, 0).set(Count.OPEN, 0).set(Count.REPEATED, 0);
        countedBefore = before;
        hasGoneOn = true;
        unsealed.add(watermark.largest(), WatchClock.micros(), online.openTxns());
    }

    /** Returns whether this watch resumes an earlier one. */
    boolean hasGoneOn() {
        return hasGoneOn;
    }

    /** Returns the transactions that can be checked reliably; null if none can. */
    private @Nullable HistorySlice inTime(HistorySlice slice) {
        if (inTime.length < slice.txnCount) {
            inTime = new int[slice.txnCount * 2];
        }
        int count = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (segments == null || segments.accepts(slice, txn)) {
                inTime[count++] = txn;
            } else {
                tooLate++;
                lateness.observeTooLate(slice.commitTs[txn], lastArrival);
                letters.add(slice.file, slice.rowOf(txn), LATE, null);
            }
        }
        if (count == slice.txnCount) {
            return slice;
        }
        return count == 0 ? null : slices.filter(slice, Arrays.copyOf(inTime, count));
    }

    private void recordTimes(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            committed += slice.status[txn] == TxnStatus.COMMITTED ? 1 : 0;
            boolean hasTimes = slice.startTs != null
                    && slice.status[txn] == TxnStatus.COMMITTED
                    && slice.startTs[txn] != HistorySlice.NONE;
            if (hasTimes) {
                minTime = Math.min(minTime, slice.startTs[txn]);
                minTime = slice.commitTs[txn] == HistorySlice.NONE ? minTime : Math.min(minTime, slice.commitTs[txn]);
            }
        }
    }

    private static long lastCommit(HistorySlice slice) {
        long last = Long.MIN_VALUE;
        for (int txn = 0; slice.commitTs != null && txn < slice.txnCount; txn++) {
            last = Math.max(last, slice.commitTs[txn]);
        }
        return last;
    }

    /** Returns the first commit of a slice; rows that did not commit have no position. */
    private static long firstCommit(HistorySlice slice) {
        for (int txn = 0; slice.commitTs != null && txn < slice.txnCount; txn++) {
            if (slice.status[txn] == TxnStatus.COMMITTED && slice.commitTs[txn] != HistorySlice.NONE) {
                return slice.commitTs[txn];
            }
        }
        return Long.MIN_VALUE;
    }

    /** Records that all transactions up to the watermark have final verdicts now. */
    void recordSealed() {
        unsealed.seal(online.watermark(), times);
    }

    /**
     * Returns the age of the oldest transaction without a final verdict; ignores a commit far ahead that needs
     * confirmation.
     */
    long lagMicros(long now) {
        return unsealed.lagMicros(now, watermark.heldBack(now).aheadTs());
    }

    /** Returns how far each file has been consumed; a live view. */
    Map<String, FeedPosition> positions() {
        return positions;
    }

    /** Starts counting the transactions of each connection or request; the caller removes durable ones. */
    Map<String, ConsumedCount> tally() {
        isTallied = true;
        hasNewTally = false;
        return taken;
    }

    /** Returns whether transactions arrived since the last call of {@link #tally}. */
    boolean hasNewTally() {
        return hasNewTally;
    }

    /** Returns the arrival time of the transactions consumed last. */
    long lastArrival() {
        return lastArrival;
    }

    /** Returns a time before all arrived transactions. */
    long timeBefore() {
        return minTime == Long.MAX_VALUE ? 0 : minTime - 1;
    }

    /** Returns the number of transactions that arrived too late to be checked. */
    long tooLate() {
        return tooLate;
    }

    /** Returns whether no transaction has been consumed. */
    boolean isEmpty() {
        return countedBefore.get(Count.TRANSACTIONS) + online.txnCount() == 0;
    }

    LatenessStatistics lateness() {
        return lateness;
    }
}
