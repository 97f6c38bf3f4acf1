package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.SuggestedOrders;
import io.nightjar.jobs.check.ValueRun;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.Stages;
import io.nightjar.jobs.run.Watcher;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.primitive.ByteSink;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stations 3 to 5 for serializability, one task: where the order of commits does not prove it, looks for another order in the
 * history as a whole, and asks values if no bins were.
 */
@SuppressWarnings("NullAway.Init") // opened before anything comes
final class SerialOperator extends Station implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

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
            if (timestamps != null && !timestamps.isProved(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
                prove(plan, timestamps);
            }
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
    }

    private void prove(PlanMessage plan, TimestampOutcome timestamps) throws IOException {
        for (ReadingMessage first : outcome.readings()) {
            if (first.reading() != null) {
                source().expect(first.split(), first.reading());
            }
        }
        CheckOptions options = spec.options(spec.taskHeapBytes);
        Stages stages = new Stages(Watcher.NOBODY);
        boolean isAll = plan.badRows().size() == 0;
        try (SourceRows rows = new SourceRows(source(), slots(), options.memoryBytes(), options.spillParent())) {
            rows.wasValidated(requireNonNull(plan.summary()));
            if (!isAll) {
                rows.setAsideBadRows(spec.columns());
            }
            SerialProof proof = SuggestedOrders.serialProof(rows, timestamps, isAll, options, stages, Watcher.NOBODY);
            boolean asksValues = proof == SerialProof.VALUES && !outcome.hasValues();
            ValueOutcome values = asksValues ? values(rows, isAll, options, stages) : null;
            emit(OUTCOMES, new Chunk(Chunk.Kind.SERIAL_OUTCOME, 0, encode(proof, asksValues, values)), 0);
        }
        tellStages(stages.rows());
    }

    /** Returns null if values do not fit into memory. */
    private @Nullable ValueOutcome values(SourceRows rows, boolean isAll, CheckOptions options, Stages stages)
            throws IOException {
        ValueRun run = new ValueRun(rows, initialValue(), options, spec.keptFindings(), stages);
        return run.read(BadRows.PASS_OVER) ? run.check(EnumSet.of(IsolationLevel.SERIALIZABLE), isAll) : null;
    }

    private static ByteSink encode(SerialProof proof, boolean asksValues, @Nullable ValueOutcome values) {
        ByteSink to = new ByteSink(1 << 10);
        to.putByte(proof.ordinal());
        to.putByte(asksValues && values == null ? 1 : 0);
        if (values != null) {
            OutcomeCodec.encode(values, to);
        }
        return to;
    }
}
