package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.Place;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.InputFingerprint;
import io.nightjar.jobs.run.LakeRun;
import io.nightjar.jobs.run.MemoryAdvice;
import io.nightjar.jobs.run.Reporter;
import io.nightjar.jobs.run.Stages;
import io.nightjar.jobs.run.Watcher;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueMerger;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.primitive.ByteFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stations 6 and 7, one task: puts together what all tasks found, replays and explains it, writes the tables and commits
 * them, once and as a whole.
 */
@SuppressWarnings("NullAway.Init") // the plan comes first
final class WriteOperator extends Station implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    static final String ENGINE = "flink";

    private transient CheckOptions options;
    private transient PlanMessage plan;
    private transient TimestampMerger timestamps;
    private transient ValueMerger values;
    private transient boolean hasValues;
    private transient boolean areValuesUnfit;
    private transient @Nullable Chunk tables; // null unless the history is one of tables
    private transient StageMerger stages;

    WriteOperator(JobSpec spec) {
        super(spec, "write");
    }

    @Override
    public void open() throws Exception {
        super.open();
        options = spec.options(spec.taskHeapBytes);
        timestamps = new TimestampMerger(spec.keptFindings(), options.memoryBytes());
        values = new ValueMerger(spec.keptFindings());
        stages = new StageMerger();
        getRuntimeContext().addAccumulator(Answer.ACCUMULATOR, new ListAccumulator<String>());
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        Chunk chunk = element.getValue();
        switch (chunk.kind) {
            case MESSAGE -> take(chunk.message());
            case TIMESTAMP_OUTCOME -> timestamps.add(TimestampOutcome.decode(chunk.feed()));
            case VALUE_OUTCOME -> {
                ByteFeed feed = chunk.feed();
                areValuesUnfit |= feed.getByte() == 1;
                hasValues = true;
                values.add(OutcomeCodec.values(feed));
            }
            case TABLE_OUTCOME -> tables = chunk;
            default -> throw new AssertionError("cannot happen: kind=" + chunk.kind);
        }
    }

    private void take(Object message) throws IOException {
        if (message instanceof PlanMessage given) {
            plan = given;
        } else if (message instanceof PromotedMessage promoted) {
            timestamps.add(TimestampOutcome.ofUnknown(promoted.unknown()));
        } else if (message instanceof StageMessage stage) {
            stages.add(stage);
        } else if (message instanceof ReadingMessage first) {
            if (first.reading() != null) {
                source().expect(first.split(), first.reading());
            }
        } else {
            throw new AssertionError("cannot happen: message=" + message);
        }
    }

    @Override
    public void endInput() throws IOException {
        Answer answer;
        try {
            answer = answer();
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
        getRuntimeContext()
                .<String, ArrayList<String>>getAccumulator(Answer.ACCUMULATOR)
                .add(answer.encode());
    }

    private Answer answer() throws IOException {
        Rejection rejection = plan.badRows().rejection();
        if (rejection != null) {
            return new Answer(Answer.Kind.REJECTED, rejection.encode());
        }
        if (plan.misuse() != null) {
            return new Answer(Answer.Kind.MISUSE, plan.misuse());
        }
        try {
            return Answer.of(write());
        } catch (UsageException wrong) {
            if (getRuntimeContext().getTaskInfo().getAttemptNumber() > 0) { // what was no misuse at first is none now
                throw new LakeException("an attempt before may still write: " + wrong.getMessage());
            }
            return new Answer(Answer.Kind.MISUSE, String.valueOf(wrong.getMessage()));
        }
    }

    private RunResult write() throws IOException {
        // Other tasks have ended.
        SourceRows rows = new SourceRows(source(), slots(), options.memoryBytes(), options.spillParent());
        DeadLetters deadLetters = new DeadLetters(Long.MAX_VALUE);
        plan.badRows().tell(deadLetters);
        if (deadLetters.count() > 0) {
            rows.setAsideBadRows(spec.columns());
        }
        Stages allStages = stages.stages(new Watcher() {
            @Override
            public Task begin(String what, long total) {
                return WriteOperator.this::advance;
            }

            @Override
            public void note(String line) {}
        });
        TimestampOutcome byTimestamps = timestamps.merged();
        ValueOutcome byValues = hasValues ? values.merged() : null;
        Conclusion conclusion = tables == null
                ? new Conclusion(
                        options,
                        summary(),
                        spec.triesTimestamps ? byTimestamps : null,
                        byValues,
                        false,
                        areValuesUnfit ? unfit() : null,
                        byValues == null ? byTimestamps.keyCount() : byValues.keyCount(),
                        deadLetters.count(),
                        allStages.seconds("check"),
                        MemoryAdvice.MORE,
                        null)
                : ofTables(
                        OutcomeCodec.decided(tables.feed(), unfit()), deadLetters.count(), allStages.seconds("check"));
        long startNs = System.nanoTime() - (System.currentTimeMillis() - spec.startMillis) * 1_000_000;
        Instant startedAt = Instant.ofEpochMilli(spec.startMillis);
        try (LakeRun run = LakeRun.begin(options, spec.checkerVersion, spec.uri, Path.of(spec.path), startedAt)) {
            if (run.stored() != null) {
                return run.stored();
            }
            RunResult result =
                    new Reporter(conclusion, rows, deadLetters, allStages, ENGINE, run.writer()).report(startNs);
            checkUnchanged();
            return run.commit(result);
        }
    }

    private Conclusion ofTables(TableRun.Decided decided, long deadLetterCount, double checkSeconds) {
        return new Conclusion(
                options,
                summary(),
                null,
                decided.values(),
                false,
                decided.unfit(),
                decided.keyCount(),
                deadLetterCount,
                checkSeconds,
                MemoryAdvice.MORE,
                decided.tables());
    }

    /** The files are those that the job was begun for, which this task may not have seen then. */
    private void checkUnchanged() throws IOException {
        source().checkUnchanged();
        if (spec.fingerprint != null && !spec.fingerprint.equals(InputFingerprint.of(Path.of(spec.path)))) {
            throw new ChangedInputException(Place.file(spec.uri), "fingerprint=another");
        }
    }

    /** Returns what validation found out of a history that was not rejected. */
    private HistorySummary summary() {
        return requireNonNull(plan.summary());
    }

    private String unfit() {
        return "dependencies do not fit into memory: operations="
                + summary().opCount() + " memoryBytes=" + options.memoryBytes() + "; "
                + MemoryAdvice.MORE.byValues();
    }
}
