package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.MemoryAdvice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.Reporter;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueMerger;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.primitive.ByteReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merged results of all tasks. */
final class JobOutcome {

    private final JobSpec spec;
    private final CheckOptions options;
    private final TimestampMerger timestamps;
    private final ValueMerger values;
    private final StageMerger stages = new StageMerger();
    private final List<ReadingMessage> readings = new ArrayList<>();
    private @Nullable PlanMessage plan;
    private int placedLanes;
    private boolean hasValues;
    private boolean areValuesUnfit;
    private SerialProof serialProof = SerialProof.NONE;
    private @Nullable Chunk tables; // null unless the history is one of tables

    JobOutcome(JobSpec spec) {
        this.spec = spec;
        this.options = spec.options(spec.plan.memory().taskHeapBytes());
        this.timestamps = new TimestampMerger(spec.keptFindings(), options.memoryBytes());
        this.values = new ValueMerger(spec.keptFindings());
    }

    /** Adds a result of a task, in any order. */
    void add(Chunk chunk) {
        switch (chunk.kind) {
            case MESSAGE -> add(chunk.message());
            case TIMESTAMP_OUTCOME -> timestamps.add(ResultCodec.decode(TimestampOutcome.class, chunk.feed()));
            case VALUE_OUTCOME -> {
                ByteReader feed = chunk.feed();
                areValuesUnfit |= feed.getByte() == 1;
                hasValues = true;
                values.add(ResultCodec.decode(ValueOutcome.class, feed));
            }
            case TABLE_OUTCOME -> tables = chunk;
            case SERIAL_OUTCOME -> addSerial(ResultCodec.decode(SerialOperator.Outcome.class, chunk.feed()));
            default -> throw new AssertionError("bug: kind=" + chunk.kind);
        }
    }

    private void addSerial(SerialOperator.Outcome outcome) {
        areValuesUnfit |= outcome.areValuesUnfit();
        serialProof = outcome.proof();
        if (outcome.values() != null) {
            hasValues = true;
            values.add(outcome.values());
        }
    }

    private void add(Object message) {
        if (message instanceof PlanMessage given) {
            plan = given;
        } else if (message instanceof PromotedMessage promoted) {
            timestamps.add(TimestampOutcome.ofUnknown(promoted.unknown()));
        } else if (message instanceof StageMessage stage) {
            stages.add(stage);
        } else if (message instanceof ReadingMessage reading) {
            readings.add(reading);
        } else if (message instanceof LanesMessage lanes) {
            placedLanes += lanes.placed();
        } else {
            throw new AssertionError("bug: message=" + message);
        }
    }

    CheckOptions options() {
        return options;
    }

    /** Returns the plan that follows from validation. */
    PlanMessage plan() {
        return requireNonNull(plan);
    }

    /** Returns the result from timestamps; null if they decide no level. */
    @Nullable
    TimestampOutcome timestamps() {
        HistorySummary summary = requireNonNull(plan).summary();
        boolean isDecided = spec.plan.first().triesTimestamps() && summary != null && summary.areTimestampsComplete();
        return isDecided && tables == null ? timestamps.merged() : null;
    }

    /** Returns whether the dependencies of all lanes were found while they were checked. */
    boolean areLanesPlaced() {
        return placedLanes == spec.plan.laneCount();
    }

    /** Returns whether values were asked for other levels. */
    boolean hasValues() {
        return hasValues || areValuesUnfit;
    }

    /** Returns the sums of the first reading of each split. */
    List<ReadingMessage> readings() {
        return readings;
    }

    /**
     * Returns whether tasks fetch the rows needed to replay findings. All rows of tables are fetched; if the number of
     * findings exceeds the limit of one replay, the replay reads the rows once per batch.
     *
     * @param of the {@link #conclusion}
     */
    boolean areRowsFetched(Conclusion of) {
        return tables == null && of.findings().keptCount() <= Reporter.maxBatch(options);
    }

    /** Returns how many rows tasks have fetched. */
    long fetchedRows() {
        return stages.recordsOut(FetchRowsOperator.WORD);
    }

    /** Returns the metrics of all stages, to which the last stage adds its own. */
    StageMetrics stages(ProgressListener watcher) {
        return stages.stages(watcher);
    }

    /** Returns the bad rows that were skipped. */
    DeadLetters deadLetters() {
        DeadLetters letters = new DeadLetters(Long.MAX_VALUE);
        requireNonNull(plan).badRows().replayTo(letters);
        return letters;
    }

    /** Returns the conclusion for a history that was not rejected; called once. */
    Conclusion conclusion() {
        double checkSeconds = stages(ProgressListener.NONE).seconds("check");
        HistorySummary summary = requireNonNull(requireNonNull(plan).summary());
        TimestampOutcome byTimestamps = timestamps.merged();
        TableRun.Decided decided = tables == null ? null : ResultCodec.decode(TableRun.Decided.class, tables.feed());
        if (decided != null) {
            return new Conclusion(
                    options,
                    summary,
                    null,
                    decided.values(),
                    SerialProof.NONE,
                    decided.unfit() == null ? null : unfit(),
                    decided.keyCount(),
                    plan.badRows().size(),
                    checkSeconds,
                    MemoryAdvice.MORE,
                    decided.tables());
        }
        ValueOutcome byValues = hasValues ? values.merged() : null;
        boolean isSerializableOnly = new EvidenceChoice(options)
                .byValues(summary.areTimestampsComplete(), summary.hasConditions())
                .isEmpty();
        return new Conclusion(
                options,
                summary,
                spec.plan.first().triesTimestamps() ? byTimestamps : null,
                byValues,
                serialProof.after(byValues, areValuesUnfit, isSerializableOnly),
                areValuesUnfit ? unfit() : null,
                byValues == null ? byTimestamps.keyCount() : byValues.keyCount(),
                plan.badRows().size(),
                checkSeconds,
                MemoryAdvice.MORE,
                null);
    }

    private String unfit() {
        return "dependencies do not fit into memory: "
                + requireNonNull(requireNonNull(plan).summary()).opCount() + " operations have " + options.memoryBytes()
                + " bytes; "
                + MemoryAdvice.MORE.byValues();
    }
}
