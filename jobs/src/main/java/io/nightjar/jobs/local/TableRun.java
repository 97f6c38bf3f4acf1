package io.nightjar.jobs.local;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.check.WithinMemory;
import io.nightjar.jobs.read.Pass;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Stages;
import io.nightjar.pipeline.predicate.TableCheck;
import io.nightjar.pipeline.predicate.TableOutcome;
import io.nightjar.pipeline.predicate.TableQuestion;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.Set;

/** Stations 1 to 5 for tables: one pass gathers the whole history, then levels are decided. */
final class TableRun {

    /** What a check makes of a history takes about as much again. */
    private static final int SHARE_FOR_HISTORY = 2;

    private final SourceRows rows;
    private final CheckOptions options;
    private final Stages stages;
    private TableCheck check; // null if the history does not fit

    TableRun(SourceRows rows, CheckOptions options, Stages stages) {
        this.rows = rows;
        this.options = options;
        this.stages = stages;
        this.check = new TableCheck(options.findingLimit());
    }

    /** Reads everything once; if it is the first time, the history is validated on the way. */
    void read(Set<Column> columns, BadRows badRows) throws IOException {
        rows.beginFirstPass();
        try (Stages.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(columns, badRows, new Gathering(stage));
        }
        rows.endFirstPass(stages);
    }

    /** A slice and what is known of it alone. */
    private record Seen(HistorySlice slice, HistoryFacts facts) {}

    /** Readers look at slices by themselves; they are gathered behind them, in the order of the rows. */
    private final class Gathering implements Pass<Seen> {

        private final Stages.Stage stage;

        Gathering(Stages.Stage stage) {
            this.stage = stage;
        }

        @Override
        public Work<Seen> newWork() {
            return slice -> new Seen(slice, rows.factsOf(slice));
        }

        @Override
        public void take(Seen seen) {
            rows.validate(seen.slice(), seen.facts());
            if (check != null) {
                check.add(seen.slice().whole());
                check = check.byteSize() <= options.memoryBytes() / SHARE_FOR_HISTORY ? check : null;
            }
            stage.advance(seen.slice().txnCount);
        }
    }

    /** Decides levels; null if that does not fit into memory. */
    TableOutcome check(TableQuestion question) throws IOException {
        if (check == null) {
            return null;
        }
        TableCheck held = check;
        check = null; // what it holds is garbage once it has answered
        try (Stages.Stage stage = stages.begin("check", rows.source())) {
            TableOutcome outcome = WithinMemory.orNull(() -> held.check(question));
            stage.advance(rows.summary().txnCount());
            stage.found(outcome == null ? 0 : outcome.findings().total());
            return outcome;
        }
    }
}
