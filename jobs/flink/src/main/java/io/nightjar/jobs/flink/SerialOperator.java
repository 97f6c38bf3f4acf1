package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.HintedOrderCheck;
import io.nightjar.jobs.check.SegmentCheck;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.jobs.check.ValueRun;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.IOException;
import java.util.BitSet;
import java.util.EnumSet;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stages 3 to 5 for serializability, one task: if commit order does not prove it, decides the segments in which other
 * tasks found a cycle; where no segments were found, searches for another order of the whole history, then checks its
 * dependencies. Checks values if no bins were checked.
 */
final class SerialOperator extends OutcomeOperator {

    private static final long serialVersionUID = 1;

    private transient @Nullable Positions positions; // null if none were found
    private transient BitSet openSegments;
    private transient boolean areSegmentsUnfit;

    SerialOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        openSegments = new BitSet();
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        Chunk chunk = element.getValue();
        if (chunk.kind == Chunk.Kind.POSITIONS) {
            positions = Positions.decode(chunk.feed());
        } else if (chunk.kind == Chunk.Kind.OPEN_SEGMENTS) {
            ByteReader feed = chunk.feed();
            areSegmentsUnfit |= feed.getByte() == 1;
            while (!feed.isEmpty()) {
                openSegments.set(feed.getCount());
            }
        } else {
            super.processElement(element);
        }
    }

    @Override
    public void endInput() throws IOException {
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
    private void decide(
            ValidatingScanner rows,
            TimestampOutcome timestamps,
            boolean isProved,
            CheckOptions options,
            StageMetrics stages)
            throws IOException {
        HistorySummary summary = rows.summary();
        boolean isAll = outcome.plan().badRows().size() == 0;
        ValueRun run = new ValueRun(rows, initialValue(), options, spec.keptFindings(), stages);
        boolean mayFit = TaskHeap.fits(
                ValueCheck.bytesToHold(summary.txnCount(), summary.opCount()),
                spec.plan.memory().taskHeapBytes());
        boolean fits = options.witness() != null && mayFit && run.read(BadRowHandler.PASS_OVER);
        ValueOutcome ordered = fits ? run.checkSerializability(isAll) : null;
        SerialProof proof = SerialProof.of(ordered, options.evidence());
        if (!SerialProof.isDecision(ordered)) {
            proof = isProved ? SerialProof.COMMITS : proof(rows, timestamps, isAll, options, stages);
        }
        if (proof.kind() == SerialProof.Kind.OPEN) {
            fits = mayFit && (fits || run.read(BadRowHandler.PASS_OVER));
            proof = SerialProof.of(fits ? run.checkSerializability(isAll) : null, options.evidence());
        }
        boolean asksValues = proof.kind() == SerialProof.Kind.VALUES && !outcome.hasValues();
        if (asksValues && mayFit && !fits) {
            fits = run.read(BadRowHandler.PASS_OVER);
        }
        ValueOutcome values = asksValues && fits ? run.check(EnumSet.of(IsolationLevel.SERIALIZABLE), isAll) : null;
        Outcome outcome = new Outcome(proof, asksValues && values == null, values);
        emit(OUTCOMES, new Chunk(Chunk.Kind.SERIAL_OUTCOME, 0, ResultCodec.bytes(outcome)), 0);
    }

    private SerialProof proof(
            ValidatingScanner rows,
            TimestampOutcome timestamps,
            boolean isAll,
            CheckOptions options,
            StageMetrics stages)
            throws IOException {
        Positions found = positions;
        if (found == null) {
            return HintedOrderCheck.serialProof(rows, timestamps, isAll, options, stages, ProgressListener.NONE);
        }
        if (areSegmentsUnfit) {
            return SerialProof.OPEN;
        }
        SegmentCheck check = new SegmentCheck(rows, found, initialValue(), options, stages);
        return found.segmentCount() == 0
                ? check.check()
                : check.ofOpen(openSegments).check();
    }

    /** @param areValuesUnfit whether they were asked for and do not fit into memory */
    record Outcome(SerialProof proof, boolean areValuesUnfit, @Nullable ValueOutcome values) {}
}
