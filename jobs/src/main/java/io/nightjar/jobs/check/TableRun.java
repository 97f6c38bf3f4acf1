package io.nightjar.jobs.check;

import io.nightjar.formats.file.MemoryBound;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.Pass;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.Stages;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.predicate.TableCheck;
import io.nightjar.pipeline.predicate.TableOutcome;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** Stations 1 to 5 for tables: one pass gathers the whole history, then levels are decided, the rest of them from values. */
public final class TableRun {

    /** What is read of a history of tables at least. */
    public static final Set<Column> COLUMNS = EnumSet.complementOf(EnumSet.of(Column.EXTRA, Column.CLIENT_TIMES));

    /** What a check makes of a history takes about as much again. */
    private static final int SHARE_FOR_HISTORY = 2;

    private final SourceRows rows;
    private final String initialValue;
    private final CheckOptions options;
    private final Stages stages;
    private TableCheck check; // null if the history does not fit
    private long txnsGathered;
    private long bytesGathered;

    /** @param initialValue what reads return for the initial state beside null; null if nothing does */
    public TableRun(SourceRows rows, String initialValue, CheckOptions options, Stages stages) {
        this.rows = rows;
        this.initialValue = initialValue;
        this.options = options;
        this.stages = stages;
        this.check = new TableCheck(options.findingLimit());
    }

    /** Whether a history is to be judged as a whole: it has predicate reads or deletions, or an order is given. */
    public static boolean isFor(long relationalCount, CheckOptions options) {
        return relationalCount > 0 || options.order() != null;
    }

    /** Reads everything once; if it is the first time, the history is validated on the way. */
    public void read(Set<Column> columns, BadRows badRows) throws IOException {
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
                txnsGathered += seen.slice().txnCount;
                bytesGathered = check.byteSize();
                check = bytesGathered <= options.memoryBytes() / SHARE_FOR_HISTORY ? check : null;
            }
            stage.advance(seen.slice().txnCount);
        }
    }

    /**
     * What was decided.
     *
     * @param tables what the history says as one of tables; null if it does not fit
     * @param values what is left to items; null if nothing is
     * @param unfit what did not fit into memory, and how much would do; null if all did
     */
    public record Decided(TableOutcome tables, ValueOutcome values, String unfit, long keyCount) {}

    /**
     * Decides all levels asked for.
     *
     * @param isAll whether no row was set aside
     */
    public Decided decide(boolean isAll) throws IOException {
        TableOutcome tables = decideTables();
        if (tables == null) {
            return new Decided(null, null, unfit("operations"), 0);
        }
        Set<IsolationLevel> rest = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            if (Conclusion.isLeftToItems(level, tables, rows.summary(), options)) {
                rest.add(level);
            }
        }
        return rest.isEmpty() ? new Decided(tables, null, null, tables.keyCount()) : decideItems(tables, rest, isAll);
    }

    private TableOutcome decideTables() throws IOException {
        if (check == null) {
            return null;
        }
        TableCheck held = check;
        check = null; // what it holds is garbage once it has answered
        try (Stages.Stage stage = stages.begin("check", rows.source())) {
            boolean isOfTables = rows.summary().relationalCount() > 0;
            TableOutcome outcome = WithinMemory.orNull(() -> held.check(options.questionOfTables(isOfTables)));
            stage.advance(rows.summary().txnCount());
            stage.found(outcome == null ? 0 : outcome.findings().total());
            return outcome;
        }
    }

    private Decided decideItems(TableOutcome tables, Set<IsolationLevel> rest, boolean isAll) throws IOException {
        ValueRun run = new ValueRun(rows, initialValue, options, options.findingLimit(), stages);
        if (!run.read(BadRows.PASS_OVER)) {
            return new Decided(tables, null, unfit("operations"), tables.keyCount());
        }
        ValueOutcome values = run.check(rest, isAll);
        String unfit = values == null ? unfit("dependencies") : null;
        return new Decided(tables, values, unfit, Math.max(tables.keyCount(), run.keyCount()));
    }

    private String unfit(String what) {
        long all = Math.max(1, rows.summary().txnCount());
        long bytes = (long) (SHARE_FOR_HISTORY * (double) bytesGathered * all / Math.max(1, txnsGathered));
        long atLeast = Math.max(bytes, 2 * options.memoryBytes());
        return what + " do not fit into memory: operations=" + rows.summary().opCount() + " memoryBytes="
                + options.memoryBytes() + "; " + MemoryBound.thatWouldDo(atLeast);
    }
}
