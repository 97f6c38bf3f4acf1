package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.HintedOrderCheck;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.jobs.check.ValueRun;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stages 3 to 5 for serializability, one task: if commit order does not prove it, searches for another order of the
 * whole history, then checks its dependencies, and checks values if no bins were checked.
 */
final class SerialOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient JobOutcome outcome;

    SerialOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        outcome = new JobOutcome(spec);
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        outcome.add(element.getValue());
    }

    @Override
    public void endInput() throws IOException {
        PlanMessage plan = outcome.plan();
        if (plan.badRows().rejection() != null || plan.misuse() != null) {
            return;
        }
        try {
            TimestampOutcome timestamps = outcome.timestamps();
            boolean isProved = timestamps != null && timestamps.isProved(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
            if (timestamps != null && (!isProved || asksWitness())) {
                prove(plan, timestamps, isProved);
            }
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
    }

    private boolean asksWitness() {
        return spec.options(spec.taskHeapBytes).witness() != null;
    }

    /** @param isProved whether the order of commits proves it, which has no order to write */
    private void prove(PlanMessage plan, TimestampOutcome timestamps, boolean isProved) throws IOException {
        for (ReadingMessage first : outcome.readings()) {
            if (first.reading() != null) {
                source().expect(first.split(), first.reading());
            }
        }
        CheckOptions options = spec.options(spec.taskHeapBytes);
        StageMetrics stages = new StageMetrics(ProgressListener.NONE);
        boolean isAll = plan.badRows().size() == 0;
        try (ValidatingScanner rows =
                new ValidatingScanner(source(), slots(), options.memoryBytes(), options.spillParent())) {
            HistorySummary summary = requireNonNull(plan.summary());
            rows.wasValidated(summary);
            if (!isAll) {
                rows.setAsideBadRows(spec.columns());
            }
            ValueRun run = new ValueRun(rows, initialValue(), options, spec.keptFindings(), stages);
            boolean mayFit =
                    TaskHeap.fits(ValueCheck.bytesToHold(summary.txnCount(), summary.opCount()), spec.taskHeapBytes);
            boolean fits = asksWitness() && mayFit && run.read(BadRowHandler.PASS_OVER);
            ValueOutcome ordered = fits ? run.checkSerializability(isAll) : null;
            SerialProof proof = SerialProof.of(ordered, options.evidence());
            if (!SerialProof.isDecision(ordered)) {
                proof = isProved
                        ? SerialProof.COMMITS
                        : HintedOrderCheck.serialProof(rows, timestamps, isAll, options, stages, ProgressListener.NONE);
            }
            if (proof.kind() == SerialProof.Kind.OPEN) {
                fits = mayFit && (fits || run.read(BadRowHandler.PASS_OVER));
                proof = SerialProof.of(fits ? run.checkSerializability(isAll) : null, options.evidence());
            }
            boolean asksValues = proof.kind() == SerialProof.Kind.VALUES && !outcome.hasValues();
            ValueOutcome values = asksValues && fits ? run.check(EnumSet.of(IsolationLevel.SERIALIZABLE), isAll) : null;
            emit(OUTCOMES, new Chunk(Chunk.Kind.SERIAL_OUTCOME, 0, encode(proof, asksValues, values)), 0);
        }
        reportStages(stages.rows());
    }

    private static ByteWriter encode(SerialProof proof, boolean asksValues, @Nullable ValueOutcome values) {
        ByteWriter to = new ByteWriter(1 << 10);
        to.putByte(proof.kind().ordinal());
        to.putByte(asksValues && values == null ? 1 : 0);
        for (ValueOutcome partial : Arrays.asList(proof.dependencies(), values)) {
            to.putByte(partial == null ? 0 : 1);
            if (partial != null) {
                OutcomeCodec.encode(partial, to);
            }
        }
        return to;
    }
}
