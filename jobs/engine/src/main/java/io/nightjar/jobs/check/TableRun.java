package io.nightjar.jobs.check;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.HeapSizing;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SearchedKeys;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.predicate.SearchConditions;
import io.nightjar.pipeline.predicate.SearchReplay;
import io.nightjar.pipeline.predicate.TableCheck;
import io.nightjar.pipeline.predicate.TableCheckRequest;
import io.nightjar.pipeline.predicate.TableLane;
import io.nightjar.pipeline.predicate.TableLanes;
import io.nightjar.pipeline.predicate.TableOutcome;
import io.nightjar.pipeline.validate.CountFormat;
import io.nightjar.pipeline.validate.HistoryFacts;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stages 1 to 5 for tables: one pass gathers the whole history, then levels are decided, the rest of them from values.
 * If a history does not fit, lanes are replayed one after the other, with a pass for each.
 */
public final class TableRun {

    /** Minimum columns that are read of a history of tables. */
    public static final Set<ColumnGroup> COLUMNS =
            EnumSet.complementOf(EnumSet.of(ColumnGroup.EXTRA, ColumnGroup.CLIENT_TIMES));

    /** Levels that values decide with predicate reads as guards of keys. */
    private static final Set<IsolationLevel> SEARCHED = EnumSet.copyOf(IsolationLevel.all());

    /** Levels that allow cycles over predicate reads, so that guards of keys rule out none of them. */
    private static final Set<IsolationLevel> ITEMS_ONLY =
            EnumSet.of(IsolationLevel.CURSOR_STABILITY, IsolationLevel.PL_2_99);

    static {
        SEARCHED.add(IsolationLevel.STRICT_SERIALIZABLE);
    }

    /** A check needs about as much memory again as the history. */
    static final int SHARE_FOR_HISTORY = 2;

    /** Every lane has all transactions and predicate reads, so that more of them would hardly be smaller. */
    private static final int MAX_LANES = 16;

    private static final int PIECES = 4;

    /** Maximum number of orders that are tried with guards of some keys, before all keys are guarded. */
    private static final int MAX_ROUNDS = 40;

    private final ValidatingScanner rows;
    private final @Nullable String initialValue;
    private final CheckOptions options;
    private final StageMetrics stages;
    private @Nullable TableCheck check; // null if the gathered history does not fit
    private @Nullable TableOutcome byLanes; // outcome of the lanes; null if they decided nothing
    private boolean isUnfit; // whether a piece does not fit
    private long txnsGathered;
    private long bytesGathered;
    private double bytesPerTxn; // average of the whole history

    /** @param initialValue the value that, besides null, reads return for the initial state; null if only null does */
    public TableRun(ValidatingScanner rows, @Nullable String initialValue, CheckOptions options, StageMetrics stages) {
        this.rows = rows;
        this.initialValue = initialValue;
        this.options = options;
        this.stages = stages;
    }

    /**
     * Returns whether a history must be checked as a whole: it has predicate reads or deletions, or an order is given.
     */
    public static boolean isFor(long relationalCount, CheckOptions options) {
        return relationalCount > 0 || options.order() != null;
    }

    /** Reads all rows once; the first time, validates the history as well. */
    public void read(Set<ColumnGroup> columns, BadRowHandler badRows) throws IOException {
        rows.beginFirstPass();
        gather(null, columns, badRows);
        bytesPerTxn = bytesGathered / (double) Math.max(1, txnsGathered);
        rows.endFirstPass(stages);
    }

    /** @param lane whose rows are gathered; null for all */
    private void gather(@Nullable TableLane lane, Set<ColumnGroup> columns, BadRowHandler badRows) throws IOException {
        check = new TableCheck(options.findingLimit(), lane);
        check.initialValue(initialValue);
        txnsGathered = 0;
        try (StageMetrics.Stage stage = stages.begin("read", rows.source())) {
            rows.pass(columns, badRows, new Gathering(stage));
        }
    }

    /** A slice and the facts derived from it alone. */
    private record Seen(HistorySlice slice, @Nullable HistoryFacts facts) {}

    /** Readers inspect slices independently; a single thread gathers them in the order of the rows. */
    private final class Gathering implements ScanPass<Seen> {

        private final StageMetrics.Stage stage;

        Gathering(StageMetrics.Stage stage) {
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
                check = OutOfMemoryGuard.runOrNull(
                        () -> with(held, seen.slice().whole().withoutConditions()));
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
     * Result of the check.
     *
     * @param tables outcome of the history as one of tables, or of as much of it as fits; null if nothing fits
     * @param values outcome of the part that is left to items; null if none is
     * @param unfit the part that did not fit into memory, and the memory that it needs; null if all did fit
     */
    public record Decided(
            @Nullable TableOutcome tables, @Nullable ValueOutcome values, @Nullable String unfit, long keyCount) {}

    /**
     * Decides all requested levels.
     *
     * @param isAll whether no row was skipped
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
        Decided decided = rest.isEmpty() && doubtful.isEmpty()
                ? new Decided(tables, null, null, tables.keyCount())
                : decideItems(tables, rest, doubtful, isAll);
        return withSearches(decided, isAll);
    }

    private @Nullable TableOutcome decideTables() throws IOException {
        TableCheckRequest rest = rest();
        TableOutcome whole = rest == null ? null : checked(rest);
        if (whole == null && byLanes == null) {
            byLanes = lanes(0, 1);
        }
        isUnfit = whole == null && !isAnswered();
        return byLanes == null ? whole : whole == null ? byLanes : TableLanes.joined(byLanes, whole);
    }

    /** Returns the request that lanes leave open; null if none. */
    private @Nullable TableCheckRequest rest() {
        return byLanes == null ? question() : TableLanes.rest(question(), byLanes);
    }

    private TableCheckRequest question() {
        return options.questionOfTables(rows.summary().relationalCount() > 0);
    }

    /** Checks the gathered history; returns null if it does not fit. */
    private @Nullable TableOutcome checked(TableCheckRequest question) throws IOException {
        TableCheck held = check;
        check = null; // its memory is garbage after the check
        if (held == null) {
            return null;
        }
        try (StageMetrics.Stage stage = stages.begin("check", rows.source())) {
            TableOutcome outcome = OutOfMemoryGuard.runOrNull(() -> held.check(question));
            stage.advance(rows.summary().txnCount());
            stage.found(outcome == null ? 0 : outcome.findings().total());
            return outcome;
        }
    }

    // ---------------------------------------------------------------- lanes

    /** Returns whether lanes may decide a part of the request. */
    private boolean hasLanes() {
        return TableLanes.fit(
                question(),
                rows.summary().areTimestampsComplete(),
                rows.summary().unknownCount());
    }

    /** Accepts an outcome of lanes that other tasks computed, so that it is not computed again. */
    public void wasAnswered(@Nullable TableOutcome answered) {
        byLanes = answered;
    }

    /** Returns whether all levels are decided. */
    public boolean isAnswered() {
        return rest() == null;
    }

    /** Reads and replays the lanes of one of several tasks, one after the other; null if they decide nothing. */
    public @Nullable TableOutcome lanes(int task, int tasks) throws IOException {
        int pieces = tasks == 1 ? PIECES : 1;
        for (; hasLanes() && pieces * tasks <= Math.max(tasks, MAX_LANES); pieces *= PIECES) {
            List<TableOutcome> outcomes = new ArrayList<>();
            boolean doFit = mayFit(tasks * pieces);
            for (int piece = 0; doFit && piece < pieces; piece++) {
                gather(new TableLane(task + tasks * piece, tasks * pieces), COLUMNS, BadRowHandler.PASS_OVER);
                outcomes.add(checked(question()));
                doFit = outcomes.get(piece) != null;
            }
            if (doFit) {
                return TableLanes.merged(outcomes);
            }
        }
        return null;
    }

    /**
     * Returns whether the given number of lanes may fit: each contains some of the history. Its size is unknown if the
     * whole was not read.
     */
    private boolean mayFit(int lanes) {
        HistorySummary summary = rows.summary();
        double inAll = TableCheck.minBytes(summary.txnCount(), summary.predicateCount());
        double partitionedBytes = Math.max(0, bytesPerTxn * summary.txnCount() - inAll);
        return inAll + partitionedBytes / lanes <= options.memoryBytes() / (double) SHARE_FOR_HISTORY;
    }

    /**
     * Checks the items.
     *
     * @param rest levels that they decide
     * @param doubtful levels that they may rule out, or of which they may find an order that explains predicate reads
     * as well
     */
    private Decided decideItems(
            TableOutcome tables, Set<IsolationLevel> rest, Set<IsolationLevel> doubtful, boolean isAll)
            throws IOException {
        ValueRun run = new ValueRun(rows, initialValue, options, options.findingLimit(), stages);
        if (!run.read(BadRowHandler.PASS_OVER)) {
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
                ? new TableWitnessCheck(rows, initialValue, options, stages, witness).with(tables, doubtful)
                : tables;
        return new Decided(settled, values, unfit, keyCount);
    }

    // ---------------------------------------------------------------- predicate reads as guards

    /** Decides from values the levels that are still open, with predicate reads as guards of keys. */
    private Decided withSearches(Decided decided, boolean isAll) throws IOException {
        TableOutcome tables = requireNonNull(decided.tables());
        Set<IsolationLevel> open = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            if (SEARCHED.contains(level) && isOpen(level, tables, decided.values())) {
                open.add(level);
            }
        }
        if (open.isEmpty() || tables.malformed() != null) {
            return decided;
        }
        SearchConditions searches = new SearchConditions();
        SearchReplay replay = new SearchReplay();
        rows.pass(COLUMNS, slice -> {
            HistorySlice whole = slice.whole().withoutConditions();
            searches.add(whole);
            replay.add(whole);
        });
        Set<IsolationLevel> ofItems = EnumSet.copyOf(open);
        ofItems.removeIf(level -> level.compareTo(IsolationLevel.PREFIX) > 0 || !isHeldBy(decided.values(), level));
        boolean haveResults = searches.keys().haveResults();
        Decided byItems = haveResults ? withoutItemsAlone(decided, tables, ofItems) : decided;
        if (options.evidence() == Evidence.AUTO && rows.summary().areTimestampsComplete()) {
            boolean areOutcomesKnown = rows.summary().unknownCount() == 0; // timestamps may contradict those inferred
            open.retainAll(haveResults && areOutcomesKnown ? ofItems : Set.of()); // timestamps decide the others
        }
        if (open.isEmpty()
                || options.evidence() == Evidence.TIMESTAMPS
                || options.order() != null
                || options.evidence() == Evidence.VERSIONS
                || !searches.areUnderstood()) {
            return byItems;
        }
        Decided found = withFewGuards(byItems, searches, replay, open, isAll);
        open.removeIf(level -> !isOpen(level, requireNonNull(found.tables()), found.values()));
        if (open.isEmpty() || !searches.areComplete()) {
            return found;
        }
        ValueRun run = guarded(searches, searches.keys());
        ValueOutcome values = run == null ? null : run.check(questionAbout(open), isAll);
        return values == null || !hasPromotedOf(decided.values(), values)
                ? found
                : withValues(found, values, open, values.orders().areChecked() && values.hasWitness(), true);
    }

    /** Returns the history with guards of some keys, to be decided from values; null if it does not fit into memory. */
    private @Nullable ValueRun guarded(SearchConditions searches, SearchedKeys keys) throws IOException {
        rows.expandSearches(keys);
        ValueRun run = new ValueRun(rows, initialValue, options, options.findingLimit(), stages).conditions(searches);
        return run.read(BadRowHandler.PASS_OVER) ? run : null;
    }

    /** Returns the open levels, and others that values may rule out because those imply an open one. */
    private Set<IsolationLevel> askedWith(Set<IsolationLevel> open) {
        Set<IsolationLevel> asked = EnumSet.copyOf(options.levels());
        asked.removeIf(level -> ITEMS_ONLY.contains(level) || SEARCHED.contains(level) && !open.contains(level));
        return asked;
    }

    /** Returns the levels to decide from values: with one of which an order is found that may keep real time. */
    private Set<IsolationLevel> questionAbout(Set<IsolationLevel> open) {
        Set<IsolationLevel> asked = askedWith(open);
        if (open.equals(EnumSet.of(IsolationLevel.STRICT_SERIALIZABLE))) {
            asked.add(IsolationLevel.SERIALIZABLE);
        }
        return asked;
    }

    /**
     * Decides the open levels with guards of the keys that the orders found so far contradict. Few guards rule out no
     * more than all do, and an order that all predicate reads agree with is a proof.
     */
    private Decided withFewGuards(
            Decided byItems, SearchConditions searches, SearchReplay replay, Set<IsolationLevel> open, boolean isAll)
            throws IOException {
        Map<Long, Set<String>> needed = new HashMap<>();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            ValueRun run = guarded(searches, searches.keys().only(needed));
            ValueOutcome found = run == null ? null : run.found(questionAbout(open));
            if (run == null || found == null || !hasPromotedOf(byItems.values(), found)) {
                break;
            }
            Witness order = found.witness();
            Boolean isAdded = order == null
                    ? null
                    : OutOfMemoryGuard.runOrNull(
                            () -> replay.addOmitted(order.txnIds(), order.snapshotOf(), order.commitOf(), needed));
            if (isAdded == null || !isAdded) {
                ValueOutcome values = run.checked(found, questionAbout(open), isAll);
                boolean isProof = isAdded != null && values.orders().areChecked();
                Set<IsolationLevel> decided = EnumSet.copyOf(open);
                boolean keepsRealTime = isProof && values.orders().keepRealTime();
                decided.removeIf(level -> values.findings().counts(level).isEmpty()
                        && !(isProof
                                && LevelLattice.implies(requireNonNull(order).level(), level))
                        && !(keepsRealTime && level == IsolationLevel.STRICT_SERIALIZABLE));
                return withValues(byItems, values, decided, isProof, false);
            }
        }
        return byItems;
    }

    /** Adds that levels which items satisfy are undecided because of predicate reads. */
    private Decided withoutItemsAlone(Decided decided, TableOutcome tables, Set<IsolationLevel> ofItems) {
        Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
        answers.putAll(tables.answers());
        String doubt = CountFormat.of(rows.summary().predicateCount(), "predicate read")
                + " not checked; only their rows were, as reads of items";
        ofItems.forEach(level -> answers.put(level, new TableOutcome.Answer(false, doubt, false, true)));
        return new Decided(
                tables.with(answers, tables.serialOrder()), decided.values(), decided.unfit(), decided.keyCount());
    }

    /** Returns whether the same unknown transactions count as committed for items and with predicate reads, or none. */
    private static boolean hasPromotedOf(@Nullable ValueOutcome items, ValueOutcome values) {
        LongSet promoted = values.basis().promoted();
        return promoted.isEmpty()
                || items != null && promoted.equals(items.basis().promoted());
    }

    /**
     * Adds the verdicts of values to the answers of tables.
     *
     * @param open the levels that values decide; they may rule out others that imply an open one
     * @param hasProof whether an order that was replayed proves each level without findings
     * @param isOfAllGuards whether guards state everything that predicate reads returned
     */
    private Decided withValues(
            Decided decided, ValueOutcome values, Set<IsolationLevel> open, boolean hasProof, boolean isOfAllGuards) {
        TableOutcome tables = requireNonNull(decided.tables());
        Set<IsolationLevel> ruledOut = EnumSet.noneOf(IsolationLevel.class);
        Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
        answers.putAll(tables.answers());
        for (IsolationLevel level : open) {
            String doubt = values.doubt(level);
            // the choice of writers proves a weak level; no order of transactions is replayed
            boolean isProved = hasProof || isOfAllGuards && isWeak(level) && isHeldBy(decided.values(), level);
            if (isProved || doubt != null || !values.findings().counts(level).isEmpty()) {
                answers.put(level, new TableOutcome.Answer(false, doubt, false, true));
            }
        }
        for (IsolationLevel level : askedWith(open)) {
            boolean isRuledOut = decided.values() != null
                    && !decided.values().findings().counts(level).isEmpty();
            if (!open.contains(level)
                    && !isRuledOut
                    && tables.findings().counts(level).isEmpty()
                    && !values.findings().counts(level).isEmpty()) {
                ruledOut.add(level);
                answers.put(level, new TableOutcome.Answer(false, values.doubt(level), false, true));
            }
        }
        ruledOut.addAll(open);
        tables.findings().mergeOnly(ruledOut, values.findings());
        return new Decided(
                tables.with(answers, tables.serialOrder()), decided.values(), decided.unfit(), decided.keyCount());
    }

    private static boolean isHeldBy(@Nullable ValueOutcome items, IsolationLevel level) {
        return items != null && items.doubt(level) == null;
    }

    private static boolean isWeak(IsolationLevel level) {
        return level.compareTo(IsolationLevel.CAUSAL) <= 0;
    }

    /** Returns whether predicate reads may still decide a level; with versions, weak levels are decided by items. */
    private boolean isOpen(IsolationLevel level, TableOutcome tables, @Nullable ValueOutcome items) {
        TableOutcome.Answer answer = tables.answers().get(level);
        boolean isRuledOut = items != null && !items.findings().counts(level).isEmpty();
        boolean areItemsEnough =
                rows.summary().areVersionsComplete() || rows.summary().predicateCount() == 0;
        boolean isLeft = answer == null || answer.doubt() != null && !answer.isByTimestamps();
        return isLeft
                && !isRuledOut
                && !(isWeak(level) && areItemsEnough && isHeldBy(items, level))
                && tables.findings().counts(level).isEmpty();
    }

    private String unfit(String what) {
        long all = Math.max(1, rows.summary().txnCount());
        long bytes = (long) (SHARE_FOR_HISTORY * bytesPerTxn * all);
        long minBytes = Math.max(bytes, 2 * options.memoryBytes());
        return what + " do not fit into memory: " + rows.summary().opCount() + " operations have "
                + options.memoryBytes() + " bytes; " + HeapSizing.thatWouldDo(minBytes);
    }
}
