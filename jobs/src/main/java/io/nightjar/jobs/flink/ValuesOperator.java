package io.nightjar.jobs.flink;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.local.CheckOptions;
import io.nightjar.jobs.local.EvidenceChoice;
import io.nightjar.jobs.local.Stages;
import io.nightjar.jobs.local.ValueCheck;
import io.nightjar.jobs.local.ValueMerger;
import io.nightjar.jobs.local.ValueOutcome;
import io.nightjar.jobs.local.Watcher;
import io.nightjar.jobs.local.WithinMemory;
import io.nightjar.jobs.local.Witness;
import io.nightjar.jobs.local.WitnessReplay;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.primitive.ByteSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.flink.metrics.Counter;

/** Stations 3 to 5 for values: decides one bin of sessions after another, as if each were a history of its own. */
final class ValuesOperator extends KeyedStation {

    private static final long serialVersionUID = 1;

    private transient CheckOptions options;
    private transient Set<IsolationLevel> levels;
    private transient BinPlan plan;
    private transient BinSource bin;
    private transient Stages stages;
    private transient ValueMerger merger;
    private transient boolean isUnfit;
    private transient boolean hasAny;
    private transient Counter componentsDone;
    private transient Counter anomalies;

    ValuesOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        options = spec.options(heapBytes(), Path.of(System.getProperty("java.io.tmpdir")));
        stages = new Stages(Watcher.NOBODY);
        merger = new ValueMerger(spec.keptFindings());
        componentsDone = counter("components_done");
        anomalies = counter("anomalies");
    }

    @Override
    void beginPart() throws IOException {
        bin = new BinSource(spec.uri, source().format(), initialValue());
        hasAny = true;
    }

    @Override
    void take(Chunk chunk) {
        if (chunk.kind == Chunk.Kind.PLAN) {
            plan = BinPlan.decode(chunk.feed());
            levels = new EvidenceChoice(options).byValues(plan.areTimestampsComplete());
        } else {
            bin.add(chunk);
        }
    }

    @Override
    void endPart() throws IOException {
        ValueOutcome outcome = WithinMemory.orNull(this::check);
        if (outcome == null) {
            isUnfit = true;
        } else {
            merger.add(outcome);
            componentsDone.inc(outcome.components().size());
            anomalies.inc(outcome.findings().total());
        }
        bin = null;
    }

    private ValueOutcome check() throws IOException {
        OperationLogBuilder builder = new OperationLogBuilder(initialValue());
        bin.forEach(builder::add);
        long nanos = Math.max(1, (spec.deadlineMillis - System.currentTimeMillis()) * 1_000_000);
        ValueCheck check = new ValueCheck(options, levels, spec.keptFindings(), 1, Budget.ofNanos(nanos), stages);
        ValueOutcome outcome = check.check(builder.build());
        return plan.hasBadRows() ? outcome : replayed(outcome);
    }

    /** Whoever found orders of commits, the checks by timestamps say whether they are what they claim. */
    private ValueOutcome replayed(ValueOutcome outcome) throws IOException {
        boolean isChecked = true;
        for (Witness witness : outcome.witnessesToReplay(levels)) {
            Boolean fits = WithinMemory.orNull(() -> new WitnessReplay(bin, options, stages).fits(witness));
            isChecked &= fits != null && fits;
        }
        return outcome.withWitnessChecked(isChecked);
    }

    @Override
    void end() {
        if (!hasAny) {
            return;
        }
        ByteSink message = new ByteSink(1 << 8);
        message.putByte(isUnfit ? 1 : 0);
        OutcomeCodec.encode(merger.merged(), message);
        emit(OUTCOMES, new Chunk(Chunk.Kind.VALUE_OUTCOME, 0, message), 0);
        stages.rows().forEach(this::tellStage);
    }
}
