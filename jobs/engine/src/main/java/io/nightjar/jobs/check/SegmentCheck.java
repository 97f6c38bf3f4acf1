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
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.partition.KeyHash;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
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
     */

    /** If more than one in this many rows is in a segment, deciding all segments at once is less work. */
    private static final int SHARE_DIVISOR = 4;

    /** This many rows in segments are never too many. */
    private static final int SMALL = 1000;

    private final ValidatingScanner rows;
    private final Positions positions;
    private final @Nullable String initialValue;
    private final CheckOptions options;
    private final StageMetrics stages;
    private final Budget budget;
    private final List<List<HistorySlice>> slicesOf = new ArrayList<>(); // by segment
    private final LongOpenHashSet readPairs = new LongOpenHashSet(); // hashes of keys and values

    /** @param rows validated, without skipped rows */
    public SegmentCheck(
            ValidatingScanner rows,
            Positions positions,
            @Nullable String initialValue,
            CheckOptions options,
            StageMetrics stages) {
        this.rows = rows;
        this.positions = positions;
        this.initialValue = initialValue;
        this.options = options;
        this.stages = stages;
        this.budget = Budget.ofNanos(options.search().budgetNanos());
    }

    /** Returns the proof or the violation that was found; OPEN if neither was. */
    public SerialProof check() throws IOException {
        if (positions.isCommitOrder()) {
            return SerialProof.COMMITS;
        }
        if (positions.segmentCount() == 0) {
            return SerialProof.POSITIONS;
        }
        for (int segment = 0; segment < positions.segmentCount(); segment++) {
            slicesOf.add(new ArrayList<>(1));
        }
        if (!readSegments()) {
            return SerialProof.OPEN;
        }
        BitSet open = openSegments();
        if (open.isEmpty()) {
            return SerialProof.ACYCLIC;
        }
        ValueOutcome cycles = decideTogether(open);
        boolean isViolated = cycles != null
                && !cycles.findings().counts(IsolationLevel.SERIALIZABLE).isEmpty();
        return isViolated ? SerialProof.of(cycles, options.evidence()) : SerialProof.OPEN;
    }

    // ---------------------------------------------------------------- segments

    /** The rows of a slice that belong to segments. */
    private record Picked(TreeMap<Integer, HistorySlice> bySegment, int txnCount) {}

    /** Stores the rows of segments; returns false if they are too many. */
    private boolean readSegments() throws IOException {
        AtomicBoolean isOver = new AtomicBoolean();
        long maxTxns = Math.max(SMALL, rows.summary().txnCount() / SHARE_DIVISOR);
        long maxOps = ValueCheck.maxOperationBytes(options) / ValueRun.BYTES_PER_OP;
        try (StageMetrics.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER, new ScanPass<Picked>() {

                private long txns;
                private long ops;

                @Override
                public Work<Picked> newWork() {
                    return SegmentCheck.this::pick;
                }

                @Override
                public void take(Picked picked) {
                    picked.bySegment.forEach(
                            (segment, slice) -> slicesOf.get(segment).add(slice));
                    txns += picked.bySegment.values().stream()
                            .mapToInt(slice -> slice.txnCount)
                            .sum();
                    ops += picked.bySegment.values().stream()
                            .mapToInt(slice -> slice.opCount)
                            .sum();
                    isOver.set(txns > maxTxns || ops > maxOps);
                    stage.advance(picked.txnCount);
                }

                @Override
                public boolean isOver() {
                    return isOver.get();
                }
            });
        }
        return !isOver.get();
    }

    private Picked pick(HistorySlice slice) {
        TreeMap<Integer, SliceBuilder> builders = new TreeMap<>();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int segment = slice.status[txn] == TxnStatus.COMMITTED ? positions.segmentOf(slice, txn) : -1;
            if (segment >= 0) {
                builders.computeIfAbsent(segment, of -> new SliceBuilder(slice.file))
                        .copyTxn(slice, txn);
            }
        }
        TreeMap<Integer, HistorySlice> picked = new TreeMap<>();
        builders.forEach((segment, builder) -> picked.put(segment, builder.build()));
        return new Picked(picked, slice.txnCount);
    }

    /** Decides each segment; returns the segments that are not serializable. */
    private BitSet openSegments() throws IOException {
        BitSet open = new BitSet();
        try (StageMetrics.Stage stage =
                stages.begin("check", slicesOf.size(), rows.summary().txnCount())) {
            Workers.run(Math.min(options.threadCount(), slicesOf.size()), slicesOf.size(), segment -> {
                OperationLogBuilder builder = new OperationLogBuilder(initialValue);
                slicesOf.get(segment).forEach(builder::add);
                ValueOutcome outcome = SerializabilityDecision.decide(
                        builder.buildSegment(), positions::position, 1, budget, StageListener.NONE);
                if (outcome == null || !outcome.hasWitness()) {
                    synchronized (open) {
                        open.set(segment);
                    }
                }
                stage.advance(1);
            });
            stage.found(open.cardinality());
        }
        return open;
    }

    // ---------------------------------------------------------------- cycles

    /**
     * Decides the transactions of some segments and all writers of the values that they read; null if that does not fit
     * into memory.
     */
    private @Nullable ValueOutcome decideTogether(BitSet open) throws IOException {
        for (int segment = 0; segment < slicesOf.size(); segment++) {
            if (open.get(segment)) {
                slicesOf.get(segment).forEach(this::addReads);
            }
        }
        slicesOf.clear();
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
        return OutOfMemoryGuard.runOrNull(() -> SerializabilityDecision.decide(
                builder.build(), positions::position, options.findingLimit(), budget, stages));
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
