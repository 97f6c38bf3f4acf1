package io.nightjar.jobs.flink;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.predicate.TableOutcome;
import java.io.IOException;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Stages 3 to 5 for tables, replays: each task reads the history, selects the rows of its keys and all predicate reads,
 * and reports the findings of their replay.
 */
final class ReplayTablesOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk> {

    private static final long serialVersionUID = 1;

    ReplayTablesOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        Object message = element.getValue().message();
        try {
            if (message instanceof ReadingMessage first) {
                if (first.reading() != null) {
                    source().expect(first.split(), first.reading());
                }
            } else {
                replay((TablesMessage) message);
            }
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
    }

    private void replay(TablesMessage history) throws IOException {
        int task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        CheckOptions options = spec.options(spec.plan.memory().taskHeapBytes());
        StageMetrics stages = new StageMetrics(ProgressListener.NONE);
        try (ValidatingScanner rows =
                new ValidatingScanner(source(), 1, options.memoryBytes(), options.spillParent())) {
            rows.wasValidated(history.summary());
            if (!history.isAll()) {
                rows.setAsideBadRows(spec.columns());
            }
            TableOutcome found = new TableRun(rows, initialValue(), options, stages).lanes(task, spec.parallelism);
            TableRun.Decided decided = new TableRun.Decided(found, null, null, 0);
            emit(new Chunk(Chunk.Kind.TABLE_OUTCOME, 0, ResultCodec.bytes(decided)), task);
        }
        advance(history.summary().txnCount() / spec.parallelism);
        reportStages(stages.rows());
        reportCounters();
    }
}
