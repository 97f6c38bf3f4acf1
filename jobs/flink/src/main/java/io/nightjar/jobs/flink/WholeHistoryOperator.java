package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.decide.TimestampOutcome;
import java.io.IOException;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** A stage of one task that receives all results and, if serializability needs it, reads the whole history again. */
abstract class WholeHistoryOperator extends StageOperator
        implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    transient JobOutcome outcome;

    WholeHistoryOperator(JobSpec spec, String word) {
        super(spec, word);
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
    public final void endInput() throws IOException {
        PlanMessage plan = outcome.plan();
        TimestampOutcome timestamps =
                plan.badRows().rejection() != null || plan.misuse() != null ? null : outcome.timestamps();
        if (timestamps == null) {
            return;
        }
        boolean isProved = timestamps.isProved(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        CheckOptions options = spec.options(spec.plan.memory().taskHeapBytes());
        if (isProved && options.witness() == null) {
            return;
        }
        StageMetrics stages = new StageMetrics(ProgressListener.NONE);
        try (ValidatingScanner rows =
                new ValidatingScanner(source(), slots(), options.memoryBytes(), options.spillParent())) {
            for (ReadingMessage first : outcome.readings()) {
                if (first.reading() != null) {
                    source().expect(first.split(), first.reading());
                }
            }
            rows.wasValidated(requireNonNull(plan.summary()));
            if (plan.badRows().size() > 0) {
                rows.setAsideBadRows(spec.columns());
            }
            decide(rows, timestamps, isProved, options, stages);
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
        reportStages(stages.rows());
    }

    /**
     * Decides with the rows of the history.
     *
     * @param isProved whether the order of commits proves serializability, which has no order to write
     */
    abstract void decide(
            ValidatingScanner rows,
            TimestampOutcome timestamps,
            boolean isProved,
            CheckOptions options,
            StageMetrics stages)
            throws IOException;
}
