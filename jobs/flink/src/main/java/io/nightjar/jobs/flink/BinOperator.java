package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.OutOfMemoryGuard;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.jobs.check.WitnessReplay;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.decide.ValueCheckRequest;
import io.nightjar.pipeline.decide.ValueMerger;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;

/** Stages 3 to 5 for values: checks bins of sessions in sequence, each as a separate history. */
abstract class BinOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    /** Minimum factor by which the decoded data of a chunk exceeds the chunk. */
    private static final int MIN_TIMES_LARGER = 4;

    private transient CheckOptions options;
    private transient StageMetrics stages;
    private transient ValueMerger merger;
    private transient @Nullable Set<IsolationLevel> levels;
    private transient boolean isUnfit;
    private transient boolean isTooLarge;
    private transient boolean hasAny;
    private transient Counter componentsDone;
    private transient Counter componentsTotal;
    private transient Counter anomalies;

    private transient long binTxns;
    private transient long binTxnsDone;

    transient @Nullable BinPlan plan;
    private transient @Nullable BinSource bin;

    BinOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        options = spec.options(heapBytes());
        stages = new StageMetrics(new ShareOfBin());
        merger = new ValueMerger(spec.keptFindings());
        componentsDone = counter("components_done");
        componentsTotal = counter("components_total");
        anomalies = counter("anomalies");
    }

    @Override
    void beginPartition() throws IOException {
        bin = new BinSource(spec.input.uri(), source().format(), initialValue());
        hasAny = true;
        isTooLarge = false;
    }

    @Override
    void take(Chunk chunk) {
        switch (chunk.kind) {
            case MESSAGE -> {
                plan = (BinPlan) chunk.message();
                levels = new EvidenceChoice(options)
                        .byValuesInAdvance(plan.areTimestampsComplete(), plan.hasConditions());
            }
            case SLICE -> add(chunk);
            default -> throw new AssertionError("bug: kind=" + chunk.kind);
        }
    }

    /** Adds a chunk to a bin; a bin that will not fit is not kept to the end. */
    private void add(Chunk chunk) {
        if (!isTooLarge) {
            bin().add(chunk);
            isTooLarge = bin().byteCount() > options.memoryBytes() / MIN_TIMES_LARGER;
        }
        if (isTooLarge) {
            bin().close();
        }
    }

    @Override
    void endPartition() throws IOException {
        boolean[] isPutAside = {false};
        binTxns = 0;
        binTxnsDone = 0;
        ValueOutcome outcome = OutOfMemoryGuard.runOrNull(() -> {
            OperationLog log = isTooLarge ? null : log();
            if (log == null) {
                return null;
            }
            binTxns = log.txnCount;
            expect(binTxns);
            ValueCheckRequest question = options.questionOf(requireNonNull(levels), spec.keptFindings());
            ValueOutcome decided =
                    decide(new ValueCheck(question, options.memoryBytes(), 1, spec.budget(), stages), log);
            isPutAside[0] = decided == null;
            return decided == null || requireNonNull(plan).hasBadRows()
                    ? decided
                    : new WitnessReplay(bin(), log.opCount, options, stages).check(decided, requireNonNull(levels));
        });
        if (outcome != null) {
            merger.add(outcome);
            count(outcome.components().size());
            anomalies.inc(outcome.findings().total());
        } else if (!isPutAside[0]) {
            isUnfit = true;
        }
        bin = null;
        advance(binTxns - binTxnsDone);
    }

    /**
     * Reports the share of a bin's transactions that is done: of its groups, or of the components of its only group.
     */
    private final class ShareOfBin implements ProgressListener {

        @Override
        public Task begin(String what, long total) {
            if (!what.equals("check") || total <= 0) {
                return amount -> {};
            }
            return new Task() {
                private long advanced;

                @Override
                public void advance(long amount) {
                    advanced += amount;
                    long more = binTxns * advanced / total - binTxnsDone;
                    if (more > 0) {
                        BinOperator.this.advance(more);
                        binTxnsDone += more;
                    }
                }
            };
        }

        @Override
        public void printNote(String line) {}
    }

    /** Counts components that this task decided. */
    void count(int components) {
        componentsTotal.inc(components);
        componentsDone.inc(components);
    }

    /** Returns the bin that is being gathered or decided. */
    final BinSource bin() {
        return requireNonNull(bin);
    }

    /** Reads the operations of the bin; null if they do not fit. */
    private @Nullable OperationLog log() throws IOException {
        OperationLogBuilder builder = new OperationLogBuilder(initialValue());
        long maxOperationBytes = ValueCheck.maxOperationBytes(options);
        bin().forEach(slice -> {
            if (builder.byteSize() <= maxOperationBytes) {
                builder.add(slice);
            }
        });
        OperationLog log = builder.byteSize() <= maxOperationBytes ? builder.build() : null;
        boolean fits = log != null
                && TaskHeap.fits(
                        ValueCheck.bytesToHold(log.txnCount, log.opCount),
                        spec.plan.memory().taskHeapBytes());
        return fits ? log : null;
    }

    /** Decides a bin; returns null if another task concludes it. */
    abstract @Nullable ValueOutcome decide(ValueCheck check, OperationLog log) throws IOException;

    @Override
    void end() {
        if (!hasAny) {
            return;
        }
        ByteWriter message = new ByteWriter(1 << 8);
        message.putByte(isUnfit ? 1 : 0);
        ResultCodec.encode(merger.merged(), message);
        emit(OUTCOMES, new Chunk(Chunk.Kind.VALUE_OUTCOME, 0, message), 0);
        reportStages(stages.rows());
        reportCounters();
    }
}
