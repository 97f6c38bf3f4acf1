package io.nightjar.jobs.check;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.read.SessionPartitions;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.check.timestamp.OutcomeEvidence;
import io.nightjar.pipeline.check.timestamp.PartitionedInOrderSweep;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import io.nightjar.pipeline.check.timestamp.UnorderedSessionCheck;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.partition.KeyFilter;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Stages 1 to 5 for timestamps: one pass of the source fills the lanes, then lanes and sessions are checked. */
public final class TimestampCheck implements AutoCloseable {

    private static final long BYTES_PER_GATHERED_TXN = 60;

    /** Number of operations up to which all lanes are loaded at once. */
    private static final long SMALL = 1 << 20;

    /** Sessions may use one part in this many of the memory while their rows arrive in order. */
    private static final int SHARE_FOR_SESSIONS = 10;

    private final ValidatingScanner rows;
    private Map<IsolationLevel, Set<Axiom>> axioms;
    private final @Nullable String initialValue;
    private final int threadCount;
    private final long memoryBytes;
    private final int limit;
    private final StageMetrics stages;
    private final Spilling spilling;
    private final ProgressListener watcher;

    private List<SessionOrder> sessions = List.of(); // each has some of them
    private @Nullable LaneStore lanes;
    private long txnsRead;
    private @Nullable PartitionedInOrderSweep
            inOrder; // null unless rows arrived in order, and after its suspects are computed
    private @Nullable KeyFilter suspects; // null if lanes have all keys
    private @Nullable Positions positions; // null unless they were requested and found

    /**
     * @param axioms the axioms of each requested level that timestamps can decide
     * @param limit maximum number of findings to keep
     */
    public TimestampCheck(
            ValidatingScanner rows,
            Map<IsolationLevel, Set<Axiom>> axioms,
            @Nullable String initialValue,
            CheckOptions options,
            int limit,
            StageMetrics stages,
            ProgressListener watcher) {
        this.rows = rows;
        this.axioms = axioms;
        this.initialValue = initialValue;
        this.threadCount = options.threadCount();
        this.memoryBytes = options.memoryBytes();
        this.limit = limit;
        this.stages = stages;
        this.watcher = watcher;
        this.spilling = new Spilling(options.spillParent(), options.memoryBytes(), options.threadCount(), watcher);
    }

    /** Returns the memory for a history of this size with all its keys at once. */
    public static long bytesToHold(long txnCount, long opCount) {
        return MemoryPlan.bytesToHold(txnCount, opCount);
    }

    /** Returns whether it is worthwhile to inspect the order of the rows. */
    public static boolean mayBeInOrder(ValidatingScanner rows, CheckOptions options) {
        long bytes = 0;
        for (HistorySource.Split split : rows.source().splits()) {
            bytes += split.byteCount();
        }
        return !rows.isValidated() && options.maxDeadLetters() == 0 && bytes > SMALL;
    }

    /**
     * Reads all rows once. Afterwards the history is valid, and its facts are available.
     *
     * @param columns the columns to read, {@link EvidenceChoice#TIMESTAMP_COLUMNS} at least
     */
    public void read(Set<ColumnGroup> columns, BadRowHandler firstBadRows) throws IOException {
        MemoryPlan plan = MemoryPlan.of(rows.source(), memoryBytes, threadCount);
        BadRowHandler badRows = firstBadRows;
        while (!fill(plan, columns, badRows)) {
            plan = plan.withMoreLanes(threadCount);
            badRows = BadRowHandler.PASS_OVER; // the first attempt read to the end and reported all of them
        }
        rows.endFirstPass(stages);
    }

    /**
     * Does the same for rows that may arrive nearly in the order of commits: if they do, they are checked while they
     * are read, and lanes contain only the operations on keys that this leaves undecided.
     *
     * @param findsPositions whether positions are to be found instead of a check by the order of commits
     */
    public void readInOrder(Set<ColumnGroup> columns, BadRowHandler badRows, boolean findsPositions)
            throws IOException {
        if (findsPositions && readWithPositions(columns, badRows)) {
            return;
        }
        String whyOver = tryInOrder(columns, badRows, false); // its memory is garbage then
        if (whyOver != null) {
            watcher.printNote("rows are read again, into lanes: " + whyOver);
            read(columns, badRows);
            return;
        }
        rows.endFirstPass(stages);
    }

    /**
     * Reads all rows once to find positions. Returns false if rows or operations do not determine them; the axioms are
     * then the previous ones.
     */
    private boolean readWithPositions(Set<ColumnGroup> columns, BadRowHandler badRows) throws IOException {
        Map<IsolationLevel, Set<Axiom>> all = axioms;
        axioms = new EnumMap<>(IsolationLevel.class);
        axioms.putAll(all);
        axioms.remove(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        String whyOver = tryInOrder(columns, badRows, true);
        if (whyOver == null && areStartsInSessionOrder()) {
            rows.endFirstPass(stages);
            positions = requireNonNull(inOrder).positions();
            return true;
        }
        inOrder = null; // its keys are beyond doubt at the other levels only
        axioms = all;
        return false;
    }

    /** Returns whether all rows show that each transaction starts after its session predecessor committed. */
    boolean areStartsInSessionOrder() {
        return sessions.stream().allMatch(some -> some.isInOrder() && some.startsAfterPrevious());
    }

    /** Returns the positions of transactions; null if they were not found. */
    public @Nullable Positions positions() {
        return positions;
    }

    /** Returns why it ended early, or null. */
    private @Nullable String tryInOrder(Set<ColumnGroup> columns, BadRowHandler badRows, boolean findsPositions)
            throws IOException {
        int laneCount = findsPositions ? 1 : InOrderPass.lanesFor(threadCount);
        sessions = new ArrayList<>();
        for (int lane = 0; lane < laneCount; lane++) {
            sessions.add(new SessionOrder(axioms, limit, memoryBytes / SHARE_FOR_SESSIONS / laneCount));
        }
        PartitionedInOrderSweep sweeps = new PartitionedInOrderSweep(
                axioms, findsPositions, initialValue, MemoryPlan.bytesInOrder(memoryBytes), laneCount);
        InOrderPass pass = new InOrderPass(rows, sessions, initialValue, sweeps);
        try (StageMetrics.Stage stage = stages.begin("read", rows.source())) {
            rows.beginFirstPass();
            pass.run(columns, badRows, stage);
        }
        if (sweeps.abandonReason() != null) {
            return sweeps.abandonReason();
        }
        txnsRead = pass.txnsRead();
        inOrder = sweeps;
        return null;
    }

    /** Returns the number of keys that no lane has to check, after {@link #readInOrder}. */
    public long keysBeyondDoubt() {
        return inOrder == null ? 0 : inOrder.keyCount() - inOrder.suspectKeys();
    }

    /** Fills lanes with the operations that the pass in order has left undecided. */
    private void readSuspects(PartitionedInOrderSweep checked) throws IOException {
        suspects = checked.suspects();
        MemoryPlan plan =
                MemoryPlan.of(checked.suspectOps(), Math.min(checked.suspectOps(), txnsRead), memoryBytes, threadCount);
        inOrder = null;
        List<SessionOrder> ofAllRows = sessions;
        while (!fill(plan, ColumnGroup.forTimestamps(), BadRowHandler.PASS_OVER)) {
            plan = plan.withMoreLanes(threadCount);
        }
        sessions = ofAllRows;
    }

    /** Returns false if the lanes turned out not to fit into memory. */
    private boolean fill(MemoryPlan plan, Set<ColumnGroup> columns, BadRowHandler badRows) throws IOException {
        close();
        rows.beginFirstPass();
        sessions = List.of(new SessionOrder(axioms, limit, memoryBytes / SHARE_FOR_SESSIONS));
        LaneStore filled = plan.spills() ? spilling.open(plan) : new LanesInMemory(plan.laneCount(), plan.laneBytes());
        lanes = filled;
        try (StageMetrics.Stage stage = stages.begin("read", rows.source())) {
            Filling filling = new Filling(filled, stage);
            rows.pass(columns, badRows, filling);
            filled.endOfFilling();
            stage.spilled(filled.bytesSpilled());
            txnsRead = filling.txnsRead;
            return filling.fits;
        }
    }

    /** Returns the lanes that were filled. */
    private LaneStore lanes() {
        return requireNonNull(lanes);
    }

    /**
     * A slice whose operations are in their lanes.
     *
     * @param facts null once the history is validated
     * @param fits whether the lanes still do
     */
    private record Scanned(HistorySlice slice, @Nullable HistoryFacts facts, boolean fits) {}

    /**
     * Readers scan each slice independently and fill the lanes. A single thread relates rows to earlier rows, in the
     * order of the rows; that takes a few steps for each transaction and none for its operations.
     */
    private final class Filling implements ScanPass<Scanned> {

        private final LaneStore lanes;
        private final StageMetrics.Stage stage;
        private boolean fits = true;
        private long txnsRead;

        Filling(LaneStore lanes, StageMetrics.Stage stage) {
            this.lanes = lanes;
            this.stage = stage;
        }

        @Override
        public Work<Scanned> newWork() {
            TransactionScan scan = new TransactionScan(lanes.laneCount(), initialValue);
            scan.setKeyFilter(suspects);
            LaneStore.Filler filler = lanes.newFiller(scan);
            return slice -> {
                HistoryFacts facts = rows.factsOf(slice);
                scan.scan(slice);
                return new Scanned(slice, facts, filler.fill());
            };
        }

        @Override
        public void take(Scanned scanned) {
            fits &= scanned.fits();
            if (!fits) {
                return; // all of it is read once more
            }
            rows.validate(scanned.slice(), scanned.facts());
            sessions.get(0).observe(scanned.slice());
            txnsRead += scanned.slice().txnCount;
            stage.advance(scanned.slice().txnCount);
        }
    }

    // ---------------------------------------------------------------- checking

    /** Checks every lane and every session. */
    public TimestampOutcome check() throws IOException {
        TimestampMerger merger = new TimestampMerger(limit, memoryBytes);
        if (inOrder != null && inOrder.suspectKeys() == 0) {
            return checkSessionsAlone(merger, inOrder);
        }
        if (inOrder != null) {
            merger.add(TimestampOutcome.unchecked(keysBeyondDoubt()));
            readSuspects(inOrder);
        }
        try (StageMetrics.Stage stage = stages.begin("check", lanes().laneCount(), txnsRead)) {
            PromotedTxns unknown = rows.summary().unknownCount() == 0 ? PromotedTxns.NONE : resolveUnknown();
            if (unknown == null) { // the set of committed transactions is undetermined, so nothing can be checked
                Workers.run(
                        lanesAtOnce(),
                        lanes().laneCount(),
                        number -> merger.add(TimestampOutcome.unfit(lanes().countKeys(number))));
                return merger.merged();
            }
            merger.add(TimestampOutcome.ofUnknown(unknown));
            checkLanes(merger, unknown, stage);
            checkSessions(merger, unknown);
            stage.found(merger.merged().findings().total());
            return merger.merged();
        }
    }

    /** Checks only sessions: no key is undecided, nor did any transaction of unknown outcome access one. */
    private TimestampOutcome checkSessionsAlone(TimestampMerger merger, PartitionedInOrderSweep inOrder)
            throws IOException {
        try (StageMetrics.Stage stage = stages.begin("check", 1, txnsRead)) {
            PromotedTxns unknown = rows.summary().unknownCount() == 0
                    ? PromotedTxns.NONE
                    : new OutcomeEvidence(initialValue).resolve(axioms.keySet());
            merger.add(TimestampOutcome.ofUnknown(unknown));
            merger.add(TimestampOutcome.unchecked(inOrder.keyCount()));
            checkSessions(merger, unknown);
            stage.advance(1);
            stage.found(merger.merged().findings().total());
            return merger.merged();
        }
    }

    /** Checks lanes side by side, then keys that were too large for that alone. */
    private void checkLanes(TimestampMerger merger, PromotedTxns unknown, StageMetrics.Stage stage) throws IOException {
        LaneWork work = new LaneWork(merger, unknown, stage);
        Workers.run(lanesAtOnce(), lanes().laneCount(), work);
        for (Map.Entry<Integer, List<PlannedRange>> lane : work.large.entrySet()) {
            merger.add(TimestampOutcome.unfit(lanes().forEachKey(lane.getKey(), lane.getValue(), work::check)));
            lanes().drop(lane.getKey());
            stage.advance(1);
        }
    }

    /** Checks one lane while others are checked. */
    private final class LaneWork implements Workers.Work {

        private final TimestampMerger merger;
        private final PromotedTxns unknown;
        private final StageMetrics.Stage stage;
        private final Map<Integer, List<PlannedRange>> large =
                new ConcurrentSkipListMap<>(); // keys to check later, by lane

        LaneWork(TimestampMerger merger, PromotedTxns unknown, StageMetrics.Stage stage) {
            this.merger = merger;
            this.unknown = unknown;
            this.stage = stage;
        }

        @Override
        public void run(int number) throws IOException {
            List<PlannedRange> unfit = lanes().forEachRange(number, this::check);
            if (unfit.isEmpty()) {
                lanes().drop(number);
                stage.advance(1);
            } else {
                large.put(number, unfit);
            }
        }

        private void check(Lane lane) {
            merger.add(TimestampOutcome.ofLane(lane, unknown, axioms, initialValue, limit));
        }
    }

    /**
     * Checks every lane and every session until a finding appears, in a history without unknown transactions.
     *
     * @param continues evaluated for each lane before it is checked
     * @return null if it returned false
     */
    @Nullable
    TimestampOutcome checkWhile(Predicate<Lane> goesOn) throws IOException {
        TimestampMerger merger = new TimestampMerger(limit, memoryBytes);
        AtomicBoolean isEnded = new AtomicBoolean();
        boolean isWhole = show(
                lane -> {
                    if (!goesOn.test(lane)) {
                        isEnded.set(true);
                        return;
                    }
                    merger.add(TimestampOutcome.ofLane(lane, PromotedTxns.NONE, axioms, initialValue, limit));
                },
                () -> isEnded.get() || merger.merged().findings().total() > 0);
        if (isEnded.get()) {
            return null;
        }
        if (!isWhole) {
            merger.add(TimestampOutcome.unfit(1));
        } else if (merger.merged().findings().total() == 0) {
            checkSessions(merger, PromotedTxns.NONE);
        }
        return merger.merged();
    }

    /**
     * Shows every lane, several at once; each is dropped afterwards.
     *
     * @param isOver whether the others need not be shown
     * @return false if a key does not fit into memory
     */
    boolean show(SpilledLane.Work work, BooleanSupplier isOver) throws IOException {
        Map<Integer, List<PlannedRange>> large = new ConcurrentSkipListMap<>();
        Workers.run(lanesAtOnce(), lanes().laneCount(), number -> {
            if (isOver.getAsBoolean()) {
                return;
            }
            List<PlannedRange> unfit = lanes().forEachRange(number, work);
            if (unfit.isEmpty()) {
                lanes().drop(number);
            } else {
                large.put(number, unfit);
            }
        });
        for (Map.Entry<Integer, List<PlannedRange>> lane : large.entrySet()) {
            if (!isOver.getAsBoolean() && lanes().forEachKey(lane.getKey(), lane.getValue(), work) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Counts keys of a history that has nothing to check. */
    public TimestampOutcome countKeys() throws IOException {
        if (inOrder != null) {
            return TimestampOutcome.unchecked(inOrder.keyCount());
        }
        TimestampMerger merger = new TimestampMerger(limit, memoryBytes);
        Workers.run(
                lanesAtOnce(),
                lanes().laneCount(),
                number -> merger.add(TimestampOutcome.unchecked(lanes().countKeys(number))));
        return merger.merged();
    }

    /** Returns null if a key does not fit into memory. */
    private @Nullable PromotedTxns resolveUnknown() throws IOException {
        OutcomeEvidence unknown = new OutcomeEvidence(initialValue);
        boolean isWhole = observe(unknown::observe);
        if (isWhole && unknown.needsPositions()) {
            isWhole = observe(lane -> unknown.observePositions(lane, axioms.keySet()));
        }
        return isWhole ? unknown.resolve(axioms.keySet()) : null;
    }

    /** Returns false if a key does not fit into memory. */
    private boolean observe(SpilledLane.Work work) throws IOException {
        for (int number = 0; number < lanes().laneCount(); number++) {
            List<PlannedRange> unfit = lanes().forEachRange(number, work);
            if (lanes().forEachKey(number, unfit, work) > 0) {
                return false;
            }
        }
        return true;
    }

    private void checkSessions(TimestampMerger merger, PromotedTxns unknown) throws IOException {
        if (unknown.isEmpty() && sessions.stream().allMatch(SessionOrder::isInOrder)) {
            sessions.forEach(some -> merger.add(TimestampOutcome.ofSessions(some)));
            return;
        }
        long bytes = txnsRead * BYTES_PER_GATHERED_TXN * UnorderedSessionCheck.looks(unknown)
                + rows.summary().sessionCount() * SessionOrder.BYTES_PER_SESSION;
        long partitionCount = 1 + bytes / (memoryBytes / 3);
        if (partitionCount == 1) {
            UnorderedSessionCheck gathering = new UnorderedSessionCheck(axioms, limit, unknown);
            rows.pass(ColumnGroup.forTimestamps(), gathering::observe);
            merger.add(TimestampOutcome.ofSessions(gathering));
            return;
        }
        SessionPartitions partitions = rows.partitionedSessions(partitionCount);
        long bytesPerTxn =
                BYTES_PER_GATHERED_TXN * UnorderedSessionCheck.looks(unknown) + SessionOrder.BYTES_PER_SESSION;
        for (int partition = 0; partition < partitions.partitionCount(); partition++) {
            // An uneven number of classes also divides ids whose hashes have the same last bits.
            int classes = (int) Math.min(1 << 16, partitions.txnCount(partition) * bytesPerTxn / (memoryBytes / 3)) | 1;
            for (int residue = 0; residue < classes; residue++) {
                UnorderedSessionCheck gathering = new UnorderedSessionCheck(axioms, limit, unknown);
                int ofClass = residue;
                partitions.forEach(partition, slice -> gathering.observe(slice, ofClass, classes));
                merger.add(TimestampOutcome.ofSessions(gathering));
            }
        }
    }

    /** Lanes are independent: as many are loaded at once as the check has threads. */
    private int lanesAtOnce() {
        return Math.min(threadCount, lanes().laneCount());
    }

    @Override
    public void close() throws IOException {
        if (lanes != null) {
            lanes.close();
            lanes = null;
        }
    }
}
