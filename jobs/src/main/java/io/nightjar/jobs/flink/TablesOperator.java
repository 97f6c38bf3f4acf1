package io.nightjar.jobs.flink;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRows;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Stages;
import io.nightjar.jobs.run.Watcher;
import io.nightjar.pipeline.primitive.ByteSink;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Stations 3 to 5 for tables, one task: reads a history of tables as a whole and decides it. A predicate read is about every
 * row of its relation, so that there is mostly nothing to deal out.
 */
final class TablesOperator extends Station implements OneInputStreamOperator<Chunk, Chunk> {

    private static final long serialVersionUID = 1;

    TablesOperator(JobSpec spec) {
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
                decide((TablesMessage) message);
            }
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
    }

    private void decide(TablesMessage history) throws IOException {
        CheckOptions options = spec.options(spec.taskHeapBytes, Path.of(System.getProperty("java.io.tmpdir")));
        Stages stages = new Stages(Watcher.NOBODY);
        try (SourceRows rows = new SourceRows(source(), slots(), options.memoryBytes(), options.spillParent())) {
            rows.wasValidated(history.summary());
            if (!history.isAll()) {
                rows.setAsideBadRows(spec.columns());
            }
            TableRun run = new TableRun(rows, initialValue(), options, stages);
            run.read(TableRun.COLUMNS, BadRows.PASS_OVER);
            TableRun.Decided decided = run.decide(history.isAll());
            ByteSink outcome = new ByteSink(1 << 10);
            OutcomeCodec.encode(decided, outcome);
            emit(OUTCOMES, new Chunk(Chunk.Kind.TABLE_OUTCOME, 0, outcome), 0);
        }
        advance(history.summary().txnCount());
        tellStages(stages.rows());
        tellCounters();
    }
}
