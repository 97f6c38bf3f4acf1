package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.CopyFilter;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.decide.SerializabilityDecision;
import io.nightjar.pipeline.decide.StageListener;
import io.nightjar.pipeline.decide.ValueMerger;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Decision of serializability by the segments of a history over which dependencies lead back in the order of positions.
 */
public final class SegmentCheck {

    /*
     * Algorithm. Rows are read a second time, and the rows of segments are kept. Each segment is decided as a separate
     * history, whose initial state is the state of the database before it. If all are free of cycles, the history is
     * serializable (Positions).
     *
     * The other segments are decided together. Rows are read a third time, for all writers of the values that
     * transactions of these segments read, since a value that was written twice names no writer. These transactions are
     * a part of the history that contains all its cycles.
     *
     * On a cluster, tasks have decided the segments, and only the others remain.
     *
     * Memory. Each of these readings takes as many segments as fit, and further readings the next ones. A segment that
     * does not fit alone leaves the level open.
     */

    /** If more than one in this many rows is in a segment, deciding all segments at once is less work. */
    private static final int SHARE_DIVISOR = 4;

    /** This many rows in segments are never too many. */
    private static final int SMALL = 1000;

    private static final int SHARE_FOR_ROWS = 4; // a quarter
    private static final int SHARE_FOR_DECISIONS = 3;

    private final ValidatingScanner rows;
    private final Positions positions;
    private final boolean areOpen; // whether all segments are known not to be serializable
    private final @Nullable String initialValue;
    private final CheckOptions options;
    private final StageMetrics stages;
    private final Budget budget;
    private final long maxOps; // of segments decided at once
    private final LongOpenHashSet readPairs = new LongOpenHashSet(); // hashes of keys and values

    /** @param rows validated, without skipped rows */
    public SegmentCheck(
            ValidatingScanner rows,
            Positions positions,
            @Nullable String initialValue,
            CheckOptions options,
            StageMetrics stages) {
        this(rows, positions, false, initialValue, options, stages);
    }

    private SegmentCheck(
            ValidatingScanner rows,
            Positions positions,
            boolean areOpen,
            @Nullable String initialValue,
            CheckOptions options,
            StageMetrics stages) {
        this.rows = rows;
        this.positions = positions;
        this.areOpen = areOpen;
        this.initialValue = initialValue;
        this.options = options;
        this.stages = stages;
        this.budget = Budget.ofNanos(options.search().budgetNanos());
        this.maxOps = ValueCheck.inferredOps(options.memoryBytes() / SHARE_FOR_DECISIONS);
    }

    /** Returns the check that remains if all segments were decided, and some of them are not serializable. */
    public SegmentCheck ofOpen(BitSet open) {
        return new SegmentCheck(rows, positions.withSegments(open), true, initialValue, options, stages);
    }

    /** Returns the proof or the violation that was found; OPEN if neither was. */
    public SerialProof check() throws IOException {
        if (positions.isCommitOrder()) {
            return SerialProof.COMMITS;
        }
        if (positions.segmentCount() == 0) {
            return areOpen ? SerialProof.ACYCLIC : SerialProof.POSITIONS;
        }
        ValueMerger cycles = new ValueMerger(options.findingLimit());
        Boolean hasOpen = OutOfMemoryGuard.runOrNull(() -> checkSegments(cycles));
        if (hasOpen == null) {
            return SerialProof.OPEN;
        }
        if (!hasOpen) {
            return SerialProof.ACYCLIC;
        }
        ValueOutcome merged = cycles.merged();
        boolean isViolated =
                !merged.findings().counts(IsolationLevel.SERIALIZABLE).isEmpty();
        return isViolated ? SerialProof.of(merged, options.evidence()) : SerialProof.OPEN;
    }

    // ---------------------------------------------------------------- segments

    /** Decides all segments; returns whether some are not serializable, or null if they do not fit into memory. */
    private @Nullable Boolean checkSegments(ValueMerger cycles) throws IOException {
        boolean hasOpen = false;
        int first = 0;
        while (first < positions.segmentCount()) {
            SegmentRows some = new SegmentRows(positions, first, options.memoryBytes() / SHARE_FOR_ROWS);
            if (!read(some)) {
                return null;
            }
            BitSet open = openSegments(some, first);
            if (open == null || !decideOpen(open, some, cycles)) {
                return null;
            }
            hasOpen |= !open.isEmpty();
            first = some.end();
        }
        return hasOpen;
    }

    /** Reads the rows of segments; returns false if one segment does not fit, or if they are too many. */
    private boolean read(SegmentRows some) throws IOException {
        HistorySummary summary = rows.summary();
        boolean wholeFits = ValueCheck.bytesToHold(summary.txnCount(), summary.opCount()) <= options.memoryBytes();
        long maxTxns = wholeFits ? Math.max(SMALL, summary.txnCount() / SHARE_DIVISOR) : Long.MAX_VALUE;
        AtomicBoolean isOver = new AtomicBoolean();
        try (StageMetrics.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER, new ScanPass<Picked>() {

                private long txns;

                @Override
                public Work<Picked> newWork() {
                    return slice -> new Picked(some.pick(slice), slice.txnCount);
                }

                @Override
                public void take(Picked picked) {
                    txns += picked.slice().txnCount;
                    isOver.set(!some.add(picked.slice()) || txns > maxTxns);
                    stage.advance(picked.txnCount());
                }

                @Override
                public boolean isOver() {
                    return isOver.get();
                }
            });
        }
        some.complete();
        return !isOver.get();
    }

    /** The rows of a slice that belong to segments, and the number of all its rows. */
    private record Picked(HistorySlice slice, int txnCount) {}

    /** Decides each segment; returns the segments that are not serializable, or null if one does not fit into memory. */
    private @Nullable BitSet openSegments(SegmentRows some, int first) throws IOException {
        int count = some.end() - first;
        for (int segment = first; segment < some.end(); segment++) {
            if (some.opCount(segment) > maxOps) {
                return null;
            }
        }
        BitSet open = new BitSet();
        if (areOpen) {
            open.set(first, some.end());
            return open;
        }
        MemoryGate gate = new MemoryGate(maxOps);
        try (StageMetrics.Stage stage =
                stages.begin("check", count, rows.summary().txnCount())) {
            Workers.run(Math.min(options.threadCount(), count), count, number -> {
                int segment = first + number;
                long taken = gate.enter(some.opCount(segment));
                try {
                    OperationLogBuilder builder = new OperationLogBuilder(initialValue);
                    builder.add(some.of(segment));
                    if (!isSerializable(builder, budget)) {
                        synchronized (open) {
                            open.set(segment);
                        }
                    }
                } finally {
                    gate.leave(taken);
                }
                stage.advance(1);
            });
            stage.found(open.cardinality());
        }
        return open;
    }

    /** Returns whether a segment is serializable as a separate history. */
    public static boolean isSerializable(OperationLogBuilder segment, Budget budget) {
        ValueOutcome outcome =
                SerializabilityDecision.decide(segment.buildSegment(), null, 1, budget, StageListener.NONE);
        return outcome != null && outcome.hasWitness();
    }

    // ---------------------------------------------------------------- cycles

    /** Decides the segments that are not serializable; returns false if some do not fit into memory. */
    private boolean decideOpen(BitSet open, SegmentRows some, ValueMerger cycles) throws IOException {
        BitSet group = new BitSet();
        long ops = 0;
        for (int segment = open.nextSetBit(0); segment >= 0; segment = open.nextSetBit(segment + 1)) {
            group.set(segment);
            addReads(some.of(segment));
            ops += some.opCount(segment);
            int next = open.nextSetBit(segment + 1);
            if (next < 0) {
                some.forget();
            }
            if (next < 0 || ops + some.opCount(next) > maxOps) {
                ValueOutcome decided = decideTogether(group);
                if (decided == null) {
                    return false;
                }
                cycles.add(decided);
                group.clear();
                readPairs.clear();
                ops = 0;
            }
        }
        return true;
    }

    /**
     * Decides the transactions of some segments and all writers of the values that they read; null if that does not fit
     * into memory.
     */
    private @Nullable ValueOutcome decideTogether(BitSet open) throws IOException {
        OperationLogBuilder builder = new OperationLogBuilder(initialValue);
        long maxBytes = ValueCheck.maxOperationBytes(options);
        try (StageMetrics.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(ColumnGroup.forValues(), BadRowHandler.PASS_OVER, new ScanPass<HistorySlice>() {

                @Override
                public Work<HistorySlice> newWork() {
                    return slice -> pickRelated(slice, open);
                }

                @Override
                public void take(HistorySlice picked) {
                    builder.add(picked);
                    stage.advance(picked.txnCount);
                }

                @Override
                public boolean isOver() {
                    return builder.byteSize() > maxBytes;
                }
            });
        }
        if (builder.byteSize() > maxBytes) {
            return null;
        }
        return SerializabilityDecision.decide(
                builder.build(), positions::position, options.findingLimit(), budget, stages);
    }

    private void addReads(HistorySlice slice) {
        for (int op = 0; op < slice.opCount; op++) {
            if (slice.kind[op] == OpKind.READ) {
                readPairs.add(pairOf(slice, op));
            }
        }
    }

    private HistorySlice pickRelated(HistorySlice slice, BitSet open) {
        SliceBuilder builder = new SliceBuilder(slice.file);
        CopyFilter writesOfWhatIsRead = new CopyFilter() { // its reads are dropped, since their writers may be missing

                    @Override
                    public boolean keepsOp(int op) {
                        return isRead(slice, op);
                    }
                };
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int segment = slice.status[txn] == TxnStatus.COMMITTED ? positions.segmentOf(slice, txn) : -1;
            if (segment >= 0 && open.get(segment)) {
                builder.copyTxn(slice, txn);
            } else if (writesWhatIsRead(slice, txn)) {
                builder.copyTxn(slice, txn, slice.rowOf(txn), writesOfWhatIsRead);
            }
        }
        return builder.build();
    }

    private boolean writesWhatIsRead(HistorySlice slice, int txn) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (isRead(slice, op)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether an operation writes a value that a transaction of an open segment read of the key. */
    private boolean isRead(HistorySlice slice, int op) {
        return slice.kind[op] == OpKind.WRITE && readPairs.contains(pairOf(slice, op));
    }

    private static long pairOf(HistorySlice slice, int op) {
        return Mix.hash(31 * hash(slice.keyNames, slice.key[op]) + hash(slice.valueNames, slice.value[op]));
    }

    private static long hash(@Nullable StringPool names, long number) {
        return names == null ? KeyHash.of(number) : KeyHash.of(names, (int) number);
    }
}
