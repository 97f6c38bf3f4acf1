package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.SpilledLane;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.check.timestamp.InOrderSweep;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;

/** Stage 5 for timestamps: checks lanes in sequence. */
final class CheckLanesOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private transient Map<IsolationLevel, Set<Axiom>> axioms;
    private transient TimestampMerger merger;
    private transient @Nullable PromotedMessage promoted;
    private transient @Nullable SpilledLane lane;
    private transient Counter lanesDone;
    private transient long maxBytes;
    private transient Counter anomalies;
    private transient DependencySender dependencies;
    private transient int placedLanes;

    CheckLanesOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        axioms = new EvidenceChoice(spec.options(heapBytes())).axioms();
        merger = new TimestampMerger(spec.keptFindings(), heapBytes());
        lanesDone = counter("components_done");
        counter("components_total").inc(lanesOfThisTask());
        expect(lanesOfThisTask());
        maxBytes = spec.plan.findsSegments() ? heapBytes() / 3 * 2 : heapBytes(); // for versions and readers
        anomalies = counter("anomalies");
        dependencies =
                new DependencySender(DependencySender.OF_CHECKED_LANES, (chunk, order) -> emit(SEGMENTS, chunk, order));
    }

    private long lanesOfThisTask() {
        int task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        return (spec.plan.laneCount() - task + spec.parallelism - 1) / spec.parallelism;
    }

    @Override
    void beginPartition() {
        lane = SpilledLane.ofTask(spillFolders(), maxBytes);
    }

    @Override
    void take(Chunk chunk) {
        if (chunk.kind == Chunk.Kind.MESSAGE) {
            promoted = (PromotedMessage) chunk.message();
        } else {
            requireNonNull(lane).add(chunk.bytes, chunk.length);
        }
    }

    @Override
    void endPartition() throws IOException {
        SpilledLane lane = requireNonNull(this.lane);
        spilled(lane.bytesSpilled());
        long keysInOrder = requireNonNull(promoted).isChecked()
                ? lane.sweep(new InOrderSweep(axioms, initialValue(), maxBytes))
                : -1;
        if (keysInOrder >= 0) {
            merger.add(TimestampOutcome.unchecked(keysInOrder));
            placedLanes += keysInOrder == 0 ? 1 : 0;
        } else if (promoted.isChecked()) {
            List<PlannedRange> unfit = lane.forEachRange(maxBytes, this::check);
            merger.add(TimestampOutcome.unfit(lane.countKeys(unfit)));
            placedLanes += unfit.isEmpty() ? 1 : 0;
        } else {
            long keys = lane.countKeys(maxBytes);
            merger.add(promoted.isUnfit() ? TimestampOutcome.unfit(keys) : TimestampOutcome.unchecked(keys));
        }
        lane.close();
        this.lane = null;
        lanesDone.inc();
        advance(1);
    }

    private void check(Lane range) throws IOException {
        if (spec.plan.findsSegments()) {
            dependencies.find(range, initialValue());
        }
        TimestampOutcome outcome = TimestampOutcome.ofLane(
                range, requireNonNull(promoted).unknown(), axioms, initialValue(), spec.keptFindings());
        merger.add(outcome);
        anomalies.inc(outcome.findings().total());
    }

    @Override
    void end() {
        TimestampOutcome ofTask = merger.merged();
        emit(OUTCOMES, new Chunk(Chunk.Kind.TIMESTAMP_OUTCOME, 0, ResultCodec.bytes(ofTask)), 0);
        dependencies.finish();
        emit(OUTCOMES, Chunk.of(0, new LanesMessage(placedLanes)), 0);
        reportStage(lanesDone.getCount(), ofTask.findings().total(), 0);
    }

    @Override
    public void close() throws Exception {
        if (lane != null) {
            lane.close();
        }
        super.close();
    }
}
