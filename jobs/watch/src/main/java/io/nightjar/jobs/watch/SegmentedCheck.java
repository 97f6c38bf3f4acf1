package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.ParticipantRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.local.SegmentChecker;
import io.nightjar.jobs.local.SegmentChecker.Segment;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ParallelScan;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.shrink.SliceHistory;
import io.nightjar.jobs.watch.CarryOver.SliceTaker;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Check of the kept rows in segments of time, so that checked rows can be deleted; after late rows, check of all kept rows. */
final class SegmentedCheck {

    /*
     * Definitions. A cut is a time up to which every commit has arrived. A segment consists of the transactions that
     * committed after the previous cut and up to its own. The base is the smallest start of all transactions after the
     * last cut.
     *
     * Algorithm. A segment is checked together with the rows that earlier segments carry over (CarryOver). Its findings
     * and the rows that they name remain; its other rows are deleted. A transaction without a commit belongs to the
     * segment of the part in which it arrived, an unknown one with a commit timestamp to the segment of that commit. A
     * check after late rows reads all rows after the last cut again, and deletes none.
     *
     * Invariant. From the beginning of a check on, no transaction that committed up to its cut is accepted; from its
     * end on, none that started up to the base. A separate thread checks while rows arrive. Its result counts when the
     * thread that began the check asks for it.
     */

    private static final String EVIDENCE = "evidence";
    private static final long MAX_STOP_MILLIS = 10_000;
    private static final long MIN_PAUSE_MICROS = 1_000_000; // between checks after late rows
    private static final int PAUSE_FACTOR = 10; // times the duration of the last one
    private static final int BYTES_OF_FINDING = 1_500;
    private static final int SHARE_OF_FINDINGS = 5; // findings may take this fraction of memory: 1 / SHARE_OF_FINDINGS

    private final RowArchive kept;
    private final SegmentChecker engine;
    private final SegmentChecker engineAgain; // with a limit that includes every finding reported so far
    private final TimestampMerger merger;
    private final Path folder;
    private final ReportedFindings reported;
    private final ProgressListener watcher;
    private final LongSet evidenceIds = new LongOpenHashSet();
    private final LongSet counted = new LongOpenHashSet();

    private List<HistorySlice> carried = List.of();
    private LongSet carriedIds = LongSets.EMPTY_SET;
    private long cut = Long.MIN_VALUE; // of the last completed segment
    private int partsSeen;
    private int count;
    private @Nullable HistorySummary last; // null until a segment had to be checked
    private @Nullable FilteredSource chosen; // of the last completed segment

    private @Nullable Thread checking; // null while no check is running
    private boolean isAgain; // the running check follows late rows
    private long againTo;
    private volatile Findings foundAgain = new Findings(0);
    private long againStartedAt;
    private long againNextAt;
    private volatile List<RowArchive.Part> checkedParts = List.of();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    // admission of arrivals, guarded by this
    private long closedTo = Long.MIN_VALUE; // cut of the last segment that was started
    private long base = Long.MIN_VALUE;
    private long minStart = Long.MAX_VALUE; // smallest start accepted since then

    /**
     * @param folder for the rows of findings
     * @param reported corrected by checks after late rows
     */
    SegmentedCheck(
            RowArchive kept, CheckOptions options, Path folder, ReportedFindings reported, ProgressListener watcher) {
        this.kept = kept;
        this.reported = reported;
        this.watcher = watcher;
        this.engine = new SegmentChecker(options.timed(), ProgressListener.NONE);
        int maxFindings =
                (int) Math.max(options.maxAnomalies(), options.memoryBytes() / SHARE_OF_FINDINGS / BYTES_OF_FINDING);
        this.engineAgain = new SegmentChecker(
                options.timed().but().maxAnomalies(maxFindings).build(), ProgressListener.NONE);
        this.merger = new TimestampMerger(options.findingLimit(), options.memoryBytes());
        this.folder = folder;
    }

    /** Returns the number of checked segments. */
    int count() {
        return count;
    }

    /** Returns whether a transaction belongs after all checked segments; if so, the caller archives it. */
    synchronized boolean accepts(HistorySlice slice, int txn) {
        boolean mayCount = slice.status[txn] == TxnStatus.COMMITTED
                || slice.status[txn] == TxnStatus.UNKNOWN && isTimed(slice, txn);
        if (!mayCount || slice.startTs == null) {
            return true;
        }
        long start = slice.startTs[txn];
        boolean isTooLate = closedTo > Long.MIN_VALUE
                && (FilteredSource.commit(slice, txn) <= closedTo || start != HistorySlice.NONE && start <= base);
        if (!isTooLate && start != HistorySlice.NONE) {
            minStart = Math.min(minStart, start);
        }
        return !isTooLate;
    }

    /** Returns whether an unknown transaction has a commit timestamp, so that its writes may have been read. */
    private static boolean isTimed(HistorySlice slice, int txn) {
        return slice.commitTs != null && slice.commitTs[txn] != HistorySlice.NONE;
    }

    // ---------------------------------------------------------------- checks in a thread

    /** Returns whether a check is running; publishes the result of a finished check. */
    boolean isRunning() throws IOException {
        if (checking != null && !checking.isAlive()) {
            await();
        }
        return checking != null;
    }

    /**
     * Starts checking, and afterwards deleting, the commits up to a time. No check may be running.
     *
     * @param before values before all arrivals, as transactions
     * @param isClean whether the online check proves that the segment has no anomaly
     */
    void start(long upTo, List<HistorySlice> before, boolean isClean) {
        synchronized (this) {
            closedTo = upTo;
            minStart = Long.MAX_VALUE;
        }
        isAgain = false;
        start(parts -> {
            check(parts, upTo, before, isClean);
            checkedParts = parts;
        });
    }

    /** Returns whether no check is running and the pause after the last one that followed late rows is over. */
    boolean mayStartAgain() throws IOException {
        return !isRunning() && WatchClock.micros() >= againNextAt;
    }

    /** Begins a check after late rows, of the commits after the last cut and up to a time. No check may be running. */
    void startAgain(long upTo, List<HistorySlice> before) {
        isAgain = true;
        againTo = upTo;
        againStartedAt = WatchClock.micros();
        start(parts -> {
            try (HistorySource all = kept.open(parts, EVIDENCE)) {
                FilteredSource mine = segmentOf(all, parts, upTo);
                foundAgain = engineAgain
                        .check(segmentWithCarryOver(mine, before), carried(), carriedIds, ids(before))
                        .findings();
            }
        });
    }

    /** The task of the checking thread on the complete parts. */
    @FunctionalInterface
    private interface PartsCheck {
        void run(List<RowArchive.Part> parts) throws IOException;
    }

    private void start(PartsCheck check) {
        CompletableFuture<List<RowArchive.Part>> parts = kept.partsOfAllTaken();
        checking = new Thread(
                () -> {
                    try {
                        check.run(parts.join());
                    } catch (IOException | RuntimeException | Error failed) {
                        failure.set(failed);
                    }
                },
                "watch-segment");
        checking.setDaemon(true);
        checking.start();
    }

    /** Waits for the running check, if any, and publishes its result. */
    void await() throws IOException {
        if (checking == null) {
            return;
        }
        try {
            checking.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a part of the history was checked", interrupted);
        }
        checking = null;
        Throwable failed = failure.get() instanceof CompletionException wrapped ? wrapped.getCause() : failure.get();
        ParallelScan.rethrow(failed instanceof UncheckedIOException storage ? storage.getCause() : failed);
        if (isAgain) {
            correct();
            return;
        }
        List<RowArchive.Part> parts = checkedParts;
        partsSeen = parts.isEmpty() ? partsSeen : parts.get(parts.size() - 1).number() + 1;
        cut = closedTo;
        count++;
        kept.drop(partsSeen, cut);
    }

    private void correct() {
        long before = reported.correctedCount();
        reported.correct(foundAgain, cut, againTo);
        watcher.printNote("sealed rows checked again after late rows: after=" + WatchStatus.time(cut) + " upTo="
                + againTo + " corrected=" + (reported.correctedCount() - before));
        long now = WatchClock.micros();
        againNextAt = now + Math.max(MIN_PAUSE_MICROS, PAUSE_FACTOR * (now - againStartedAt));
    }

    /** Cancels the running check, whose files are about to be removed. */
    void stop() {
        if (checking == null) {
            return;
        }
        checking.interrupt();
        try {
            checking.join(MAX_STOP_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Checks the commits up to a time; returns when this is done. */
    void checkNow(long upTo, List<HistorySlice> before, boolean isClean) throws IOException {
        start(upTo, before, isClean);
        await();
    }

    private void check(List<RowArchive.Part> parts, long upTo, List<HistorySlice> before, boolean isClean)
            throws IOException {
        try (HistorySource all = kept.open(parts, EVIDENCE)) {
            FilteredSource mine = segmentOf(all, parts, upTo);
            chosen = mine;
            if (!isClean) {
                check(segmentWithCarryOver(mine, before), ids(before));
            }
            if (upTo < Long.MAX_VALUE) {
                carry(all, mine, upTo);
            }
        }
    }

    private FilteredSource segmentOf(HistorySource all, List<RowArchive.Part> parts, long upTo) {
        int[] partOf = partsOfSplits(all, parts);
        return new FilteredSource(all, (slice, txn, split) -> belongsToSegment(slice, txn, partOf[split], upTo));
    }

    /** Returns the rows of a segment, preceded by the initial states and the rows that earlier segments carry over. */
    private HistorySource segmentWithCarryOver(HistorySource segment, List<HistorySlice> before) {
        List<HistorySlice> earlier = new ArrayList<>(before);
        earlier.addAll(carried);
        return new PrefixedSource(segment, earlier, List.of());
    }

    private HistorySource carried() {
        return new SliceHistory(EVIDENCE, carried);
    }

    private void check(HistorySource source, LongSet beforeIds) throws IOException {
        Segment segment = engine.check(source, carried(), carriedIds, beforeIds);
        merger.add(segment.outcome());
        last = segment.summary();
        segment.countedUnknown().values().forEach(counted::addAll);
        keepEvidence(source, segment.findings());
    }

    /** Returns the part number of each split; a file may have several splits. */
    private static int[] partsOfSplits(HistorySource source, List<RowArchive.Part> parts) {
        Map<String, Integer> numberOf = new HashMap<>();
        parts.forEach(part -> numberOf.put(part.file().toString(), part.number()));
        return source.splits().stream()
                .mapToInt(split -> numberOf.getOrDefault(split.file(), 0))
                .toArray();
    }

    private boolean belongsToSegment(HistorySlice slice, int txn, int part, long upTo) {
        byte status = slice.status[txn];
        long commit = slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn];
        boolean isTimed = status == TxnStatus.COMMITTED
                || status == TxnStatus.UNKNOWN && commit != HistorySlice.NONE && commit > cut;
        if (isTimed) {
            long at = FilteredSource.commit(slice, txn);
            return at > cut && at <= upTo;
        }
        return part >= partsSeen;
    }

    // ---------------------------------------------------------------- state

    /** @param carried encoded slices */
    private record State(
            long cut,
            long base,
            int partsSeen,
            int count,
            List<byte[]> carried,
            LongSet counted,
            TimestampOutcome merged) {}

    /** Writes the state; no check may be running. */
    void write(DataOutputStream out) throws IOException {
        List<byte[]> slices = new ArrayList<>();
        for (HistorySlice slice : carried) {
            ByteWriter bytes = new ByteWriter(1 << 12);
            new SliceCodec().encode(slice, SliceForm.ALL, bytes);
            slices.add(Arrays.copyOf(bytes.bytes(), bytes.size()));
        }
        Checkpoint.writeRecord(out, new State(cut, base, partsSeen, count, slices, counted, merger.merged()));
    }

    void read(DataInputStream in) throws IOException {
        State state = Checkpoint.readRecord(in, State.class);
        cut = state.cut;
        synchronized (this) {
            closedTo = cut;
            base = state.base;
        }
        partsSeen = state.partsSeen;
        count = state.count;
        SliceCodec codec = new SliceCodec();
        carried = new ArrayList<>();
        for (byte[] bytes : state.carried) {
            carried.add(codec.decode(new ByteReader(bytes, 0, bytes.length)));
        }
        carriedIds = ids(carried);
        counted.addAll(state.counted);
        merger.add(state.merged);
        resumeWithEvidence();
    }

    private void resumeWithEvidence() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (file.getFileName().toString().compareTo(evidencePart(count)) >= 0) {
                    Files.delete(file);
                }
            }
        }
        boolean isAny;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            isAny = files.iterator().hasNext();
        }
        if (isAny) {
            try (HistorySource source = Histories.open(folder, null, EVIDENCE)) {
                read(source, slice -> evidenceIds.addAll(LongArrayList.wrap(slice.txnId, slice.txnCount)));
            }
        }
    }

    private static String evidencePart(int number) {
        return String.format(Locale.ROOT, "part-%05d.parquet", number);
    }

    static LongSet ids(List<HistorySlice> slices) {
        LongSet ids = new LongOpenHashSet();
        slices.forEach(slice -> ids.addAll(LongArrayList.wrap(slice.txnId, slice.txnCount)));
        return ids;
    }

    // ---------------------------------------------------------------- remaining rows

    private void carry(HistorySource all, FilteredSource mine, long upTo) throws IOException {
        long[] first = {upTo};
        read(all, slice -> {
            for (int txn = 0; slice.startTs != null && txn < slice.txnCount; txn++) {
                boolean isAfterCut =
                        slice.status[txn] == TxnStatus.COMMITTED && FilteredSource.commit(slice, txn) > upTo;
                first[0] = isAfterCut ? Math.min(first[0], slice.startTs[txn]) : first[0];
            }
        });
        List<HistorySlice> left = new ArrayList<>();
        CarryOver rows = new CarryOver(setBase(first[0]), counted, left::add);
        carried.forEach(rows::observe);
        read(mine, rows::observe);
        for (HistorySlice slice : carried) {
            rows.take(slice);
        }
        read(mine, rows::take);
        rows.end();
        carried = left;
        carriedIds = ids(left);
    }

    /** Sets the base before the smallest of the known starts and of the starts that arrived since. */
    private synchronized long setBase(long first) {
        base = Math.max(base, Math.min(first, minStart) - 1);
        return base;
    }

    private void keepEvidence(HistorySource source, Findings findings) throws IOException {
        LongSet wanted = ParticipantRows.participantsOf(findings.inTime());
        wanted.removeAll(evidenceIds);
        if (wanted.isEmpty()) {
            return;
        }
        Files.createDirectories(folder);
        try (HistoryWriter writer = Histories.create(folder.resolve(evidencePart(count)), "parquet")) {
            read(source, slice -> {
                SliceBuilder rows = new SliceBuilder(slice.file);
                for (int txn = 0; txn < slice.txnCount; txn++) {
                    if (wanted.contains(slice.txnId[txn]) && evidenceIds.add(slice.txnId[txn])) {
                        rows.copyTxn(slice, txn);
                    }
                }
                if (rows.txnCount() > 0) {
                    writer.write(rows.build());
                }
            });
            writer.finish();
        }
    }

    private static void read(HistorySource source, SliceTaker to) throws IOException {
        for (int split = 0; split < source.splits().size(); split++) {
            try (SliceReader reader = source.open(split, ColumnGroup.all(), BadRowHandler.PASS_OVER)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    to.take(slice);
                }
            }
        }
    }

    // ---------------------------------------------------------------- the end

    /** Returns the rows of findings, under the name of the history. */
    HistorySource evidence(String name) throws IOException {
        return evidenceIds.isEmpty() ? new SliceHistory(name, List.of()) : Histories.open(folder, null, name);
    }

    TimestampOutcome outcome() {
        return merger.merged();
    }

    /** Returns types and lint findings of the last segment that had to be checked. */
    HistorySummary lastSummary() {
        return requireNonNull(last);
    }

    private FilteredSource chosen() {
        return requireNonNull(chosen);
    }

    /** Returns the number of transactions after the last cut. */
    long txnsAfterCut() {
        return chosen().leftOut();
    }

    /** Returns the number of operations after the last cut. */
    long opsLeftOut() {
        return chosen().opsLeftOut();
    }
}
