package io.nightjar.jobs.check;

import io.nightjar.formats.file.MemoryBound;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.Pass;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.Stages;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.predicate.TableCheck;
import io.nightjar.pipeline.predicate.TableLane;
import io.nightjar.pipeline.predicate.TableLanes;
import io.nightjar.pipeline.predicate.TableOutcome;
import io.nightjar.pipeline.predicate.TableQuestion;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stations 1 to 5 for tables: one pass gathers the whole history, then levels are decided, the rest of them from values. Of a
 * history that does not fit, lanes are replayed one after the other, with a pass for each.
 */
public final class TableRun {

    /** What is read of a history of tables at least. */
    public static final Set<Column> COLUMNS = EnumSet.complementOf(EnumSet.of(Column.EXTRA, Column.CLIENT_TIMES));

    /** What a check makes of a history takes about as much again. */
    static final int SHARE_FOR_HISTORY = 2;

    /** Every lane has all transactions and predicate reads, so that more of them would hardly be smaller. */
    private static final int MOST_LANES = 16;

    private static final int PARTS = 4;

    private final SourceRows rows;
    private final @Nullable String initialValue;
    private final CheckOptions options;
    private final Stages stages;
    private @Nullable TableCheck check; // null if what is gathered does not fit
    private @Nullable TableOutcome byLanes; // what lanes answered already; null if nothing
    private boolean isUnfit; // whether something is left that does not fit
    private long txnsGathered;
    private long bytesGathered;
    private double bytesPerTxn; // of the whole

    /** @param initialValue what reads return for the initial state beside null; null if nothing does */
    public TableRun(SourceRows rows, @Nullable String initialValue, CheckOptions options, Stages stages) {
        this.rows = rows;
        this.initialValue = initialValue;
        this.options = options;
        this.stages = stages;
    }

    /** Whether a history is to be judged as a whole: it has predicate reads or deletions, or an order is given. */
    public static boolean isFor(long relationalCount, CheckOptions options) {
        return relationalCount > 0 || options.order() != null;
    }

    /** Reads everything once; if it is the first time, the history is validated on the way. */
    public void read(Set<Column> columns, BadRows badRows) throws IOException {
        rows.beginFirstPass();
        gather(null, columns, badRows);
        bytesPerTxn = bytesGathered / (double) Math.max(1, txnsGathered);
        rows.endFirstPass(stages);
    }

    /** @param lane whose rows are gathered; null for all */
    private void gather(@Nullable TableLane lane, Set<Column> columns, BadRows badRows) throws IOException {
        check = new TableCheck(options.findingLimit(), lane);
        check.initialValue(initialValue);
        txnsGathered = 0;
        try (Stages.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(columns, badRows, new Gathering(stage));
        }
    }

    /** A slice and what is known of it alone. */
    private record Seen(HistorySlice slice, @Nullable HistoryFacts facts) {}

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
        public void take(Seen seen) throws IOException {
            rows.validate(seen.slice(), seen.facts());
            TableCheck held = check;
            if (held != null) {
                check = WithinMemory.orNull(() -> with(held, seen.slice().whole()));
            }
            stage.advance(seen.slice().txnCount);
        }

        /** Adds a slice; returns null if that is too much. */
        private @Nullable TableCheck with(TableCheck check, HistorySlice slice) {
            check.add(slice);
            txnsGathered += slice.txnCount;
            bytesGathered = check.byteSize();
            return bytesGathered <= options.memoryBytes() / SHARE_FOR_HISTORY ? check : null;
        }
    }

    /**
     * What was decided.
     *
     * @param tables what the history says as one of tables, or as much of it as fits; null if nothing does
     * @param values what is left to items; null if nothing is
     * @param unfit what did not fit into memory, and how much would do; null if all did
     */
    public record Decided(
            @Nullable TableOutcome tables, @Nullable ValueOutcome values, @Nullable String unfit, long keyCount) {}

    /**
     * Decides all levels asked for.
     *
     * @param isAll whether no row was set aside
     */
    public Decided decide(boolean isAll) throws IOException {
        TableOutcome tables = decideTables();
        if (isUnfit || tables == null) {
            return new Decided(tables, null, unfit("operations"), tables == null ? 0 : tables.keyCount());
        }
        Set<IsolationLevel> rest = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            if (Conclusion.isLeftToItems(level, tables, rows.summary(), options)) {
                rest.add(level);
            }
        }
        Set<IsolationLevel> doubtful = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            if (!rest.contains(level) && Conclusion.mayBeSettledByItems(level, tables, rows.summary(), options)) {
                doubtful.add(level);
            }
        }
        return rest.isEmpty() && doubtful.isEmpty()
                ? new Decided(tables, null, null, tables.keyCount())
                : decideItems(tables, rest, doubtful, isAll);
    }

    private @Nullable TableOutcome decideTables() throws IOException {
        TableQuestion rest = rest();
        TableOutcome whole = rest == null ? null : checked(rest);
        if (whole == null && byLanes == null) {
            byLanes = lanes(0, 1);
        }
        isUnfit = whole == null && !isAnswered();
        return byLanes == null ? whole : whole == null ? byLanes : TableLanes.joined(byLanes, whole);
    }

    /** Returns what lanes leave to be asked; null if nothing. */
    private @Nullable TableQuestion rest() {
        return byLanes == null ? question() : TableLanes.rest(question(), byLanes);
    }

    private TableQuestion question() {
        return options.questionOfTables(rows.summary().relationalCount() > 0);
    }

    /** Judges what was gathered; returns null if it does not fit. */
    private @Nullable TableOutcome checked(TableQuestion question) throws IOException {
        TableCheck held = check;
        check = null; // what it holds is garbage once it has answered
        if (held == null) {
            return null;
        }
        try (Stages.Stage stage = stages.begin("check", rows.source())) {
            TableOutcome outcome = WithinMemory.orNull(() -> held.check(question));
            stage.advance(rows.summary().txnCount());
            stage.found(outcome == null ? 0 : outcome.findings().total());
            return outcome;
        }
    }

    // ---------------------------------------------------------------- lanes

    /** Whether lanes may answer some of what is asked. */
    private boolean hasLanes() {
        return TableLanes.fit(
                question(),
                rows.summary().areTimestampsComplete(),
                rows.summary().unknownCount());
    }

    /** Takes what lanes answered elsewhere, so that it is not asked again. */
    public void wasAnswered(@Nullable TableOutcome answered) {
        byLanes = answered;
    }

    /** Whether nothing is left to ask of the whole. */
    public boolean isAnswered() {
        return rest() == null;
    }

    /** Reads and replays the lanes that one of several tasks has, one after the other; null if they answer nothing. */
    public @Nullable TableOutcome lanes(int task, int tasks) throws IOException {
        int parts = tasks == 1 ? PARTS : 1;
        for (; hasLanes() && parts * tasks <= Math.max(tasks, MOST_LANES); parts *= PARTS) {
            List<TableOutcome> outcomes = new ArrayList<>();
            boolean doFit = mayFit(tasks * parts);
            for (int part = 0; doFit && part < parts; part++) {
                gather(new TableLane(task + tasks * part, tasks * parts), COLUMNS, BadRows.PASS_OVER);
                outcomes.add(checked(question()));
                doFit = outcomes.get(part) != null;
            }
            if (doFit) {
                return TableLanes.merged(outcomes);
            }
        }
        return null;
    }

    /** Whether the given number of lanes may fit: some of the history is in each. It is not known how much it is where the whole was not read. */
    private boolean mayFit(int lanes) {
        HistorySummary summary = rows.summary();
        double inAll = TableCheck.leastBytes(summary.txnCount(), summary.predicateCount());
        double dealt = Math.max(0, bytesPerTxn * summary.txnCount() - inAll);
        return inAll + dealt / lanes <= options.memoryBytes() / (double) SHARE_FOR_HISTORY;
    }

    /**
     * Asks the items.
     *
     * @param rest levels that they decide
     * @param doubtful levels that they may rule out, or of which they may find an order that explains predicate reads as well
     */
    private Decided decideItems(
            TableOutcome tables, Set<IsolationLevel> rest, Set<IsolationLevel> doubtful, boolean isAll)
            throws IOException {
        ValueRun run = new ValueRun(rows, initialValue, options, options.findingLimit(), stages);
        if (!run.read(BadRows.PASS_OVER)) {
            return new Decided(tables, null, unfit("operations"), tables.keyCount());
        }
        Set<IsolationLevel> asked = EnumSet.copyOf(rest);
        asked.addAll(doubtful);
        ValueOutcome values = run.check(asked, isAll);
        String unfit = values == null ? unfit("dependencies") : null;
        long keyCount = Math.max(tables.keyCount(), run.keyCount());
        run.forget();
        boolean hasProof = values != null && values.orders().areChecked() && values.hasWitness();
        doubtful.removeIf(
                level -> values != null && !values.findings().counts(level).isEmpty());
        boolean mayProve = hasProof && options.evidence() == Evidence.AUTO && !doubtful.isEmpty();
        Witness witness = values == null ? null : values.witness();
        TableOutcome settled = mayProve && witness != null
                ? new OrderedTables(rows, initialValue, options, stages, witness).with(tables, doubtful)
                : tables;
        return new Decided(settled, values, unfit, keyCount);
    }

    private String unfit(String what) {
        long all = Math.max(1, rows.summary().txnCount());
        long bytes = (long) (SHARE_FOR_HISTORY * bytesPerTxn * all);
        long atLeast = Math.max(bytes, 2 * options.memoryBytes());
        return what + " do not fit into memory: " + rows.summary().opCount() + " operations have "
                + options.memoryBytes() + " bytes; " + MemoryBound.thatWouldDo(atLeast);
    }
}
