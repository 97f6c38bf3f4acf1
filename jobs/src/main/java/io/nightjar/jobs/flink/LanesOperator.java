package io.nightjar.jobs.flink;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.local.EvidenceChoice;
import io.nightjar.jobs.local.TimestampMerger;
import io.nightjar.jobs.local.TimestampOutcome;
import io.nightjar.pipeline.check.timestamp.Lane;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.flink.metrics.Counter;

/** Station 5 for timestamps: checks one lane after another. */
final class LanesOperator extends KeyedStation {

    private static final long serialVersionUID = 1;

    private transient Map<IsolationLevel, Set<Axiom>> axioms;
    private transient TimestampMerger merger;
    private transient PromotedMessage promoted;
    private transient RawLane raw;
    private transient Counter lanesDone;
    private transient Counter anomalies;

    LanesOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        axioms = new EvidenceChoice(spec.options(heapBytes(), null)).axioms();
        merger = new TimestampMerger(spec.keptFindings(), heapBytes());
        lanesDone = counter("lanes_done");
        anomalies = counter("anomalies");
    }

    @Override
    void beginPart() {
        raw = new RawLane();
    }

    @Override
    void take(Chunk chunk) {
        if (chunk.kind == Chunk.Kind.PROMOTED) {
            promoted = PromotedMessage.decode(chunk.feed());
        } else {
            raw.add(chunk);
        }
    }

    @Override
    void endPart() throws IOException {
        merger.add(outcome());
        lanesDone.inc();
        raw = null;
    }

    private TimestampOutcome outcome() throws IOException {
        if (!promoted.isChecked()) {
            long keys = raw.countKeys();
            return promoted.isUnfit() ? TimestampOutcome.unfit(keys) : TimestampOutcome.unchecked(keys);
        }
        Lane lane = raw.load(heapBytes());
        if (lane == null) {
            return TimestampOutcome.unfit(raw.countKeys());
        }
        raw.clear();
        TimestampOutcome outcome =
                TimestampOutcome.ofLane(lane, promoted.ids(), axioms, initialValue(), spec.keptFindings());
        anomalies.inc(outcome.findings().total());
        return outcome;
    }

    @Override
    void end() {
        TimestampOutcome ofTask = merger.merged();
        emit(OUTCOMES, new Chunk(Chunk.Kind.TIMESTAMP_OUTCOME, 0, OutcomeCodec.encode(ofTask)), 0);
        tellStage(lanesDone.getCount(), ofTask.findings().total(), 0, 0);
    }
}
