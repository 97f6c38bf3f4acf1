package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.predicate.TableLanes;
import io.nightjar.pipeline.predicate.TableOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stages 3 to 5 for tables, one task: merges the results of lanes. If they leave a question undecided, it reads the
 * whole history and decides the rest, because the graph of versions relates all rows.
 */
final class CheckTablesOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient @Nullable TablesMessage history; // null unless the history is one of tables
    private transient List<TableOutcome> lanes; // null in it for one that does not answer

    CheckTablesOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        lanes = new ArrayList<>();
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        Chunk chunk = element.getValue();
        if (chunk.kind == Chunk.Kind.TABLE_OUTCOME) {
            lanes.add(ResultCodec.decode(TableRun.Decided.class, chunk.feed()).tables());
        } else if (chunk.message() instanceof ReadingMessage first) {
            if (first.reading() != null) {
                source().expect(first.split(), first.reading());
            }
        } else {
            history = (TablesMessage) chunk.message();
        }
    }

    @Override
    public void endInput() throws IOException {
        try {
            if (history != null) {
                decide();
            }
        } catch (AssertionError | ChangedInputException fault) {
            throw new SuppressRestartsException(fault); // it would be the same again
        }
    }

    private void decide() throws IOException {
        CheckOptions options = spec.options(spec.plan.memory().taskHeapBytes());
        StageMetrics stages = new StageMetrics(ProgressListener.NONE);
        try (ValidatingScanner rows =
                new ValidatingScanner(source(), slots(), options.memoryBytes(), options.spillParent())) {
            TablesMessage history = requireNonNull(this.history);
            rows.wasValidated(history.summary());
            if (!history.isAll()) {
                rows.setAsideBadRows(spec.columns());
            }
            TableRun run = new TableRun(rows, initialValue(), options, stages);
            if (!lanes.isEmpty() && !lanes.contains(null)) {
                run.wasAnswered(TableLanes.merged(lanes));
            }
            if (!run.isAnswered()) {
                run.read(TableRun.COLUMNS, BadRowHandler.PASS_OVER);
            }
            TableRun.Decided decided = run.decide(history.isAll());
            emit(OUTCOMES, new Chunk(Chunk.Kind.TABLE_OUTCOME, 0, ResultCodec.bytes(decided)), 0);
        }
        advance(history.summary().txnCount());
        reportStages(stages.rows());
        reportCounters();
    }
}
