package io.nightjar.jobs.local;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.HintedOrderCheck;
import io.nightjar.jobs.check.LanePositions;
import io.nightjar.jobs.check.SegmentCheck;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.check.TimestampCheck;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.jobs.check.ValueRun;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.MemoryAdvice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.predicate.TableOutcome;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The check of a history on this machine: reads the source once for each kind of evidence that the requested levels
 * need.
 */
final class HistoryCheck {

    private final ValidatingScanner rows;
    private final CheckOptions options;
    private final EvidenceChoice choice;
    private final @Nullable String initialValue;
    private final DeadLetters deadLetters;
    private final StageMetrics stages;
    private final ProgressListener watcher;

    private @Nullable TimestampOutcome timestamps;
    private @Nullable Positions positions; // null unless positions are found instead of a check by the order of commits
    private @Nullable ValueOutcome values;
    private @Nullable String valuesUnfit;
    private @Nullable ValueRun gathered; // null until operations are read
    private boolean isGathered; // whether the operations fit into memory
    private @Nullable TableRun tableRun; // null unless the history was read as one of tables
    private @Nullable TableOutcome tables;
    private long keyCount;

    HistoryCheck(
            ValidatingScanner rows,
            CheckOptions options,
            DeadLetters deadLetters,
            StageMetrics stages,
            ProgressListener watcher) {
        this.rows = rows;
        this.options = options;
        this.choice = new EvidenceChoice(options);
        this.initialValue = options.initialValueOf(rows.source());
        this.deadLetters = deadLetters;
        this.stages = stages;
        this.watcher = watcher;
    }

    Conclusion run() throws IOException {
        return run(null);
    }

    /** @param known the summary that a watch has computed; null if unknown */
    Conclusion run(WatchedHistory.@Nullable Known known) throws IOException {
        if (known != null) {
            rows.wasValidated(known.summary());
        }
        if (known != null && known.isClean()) {
            timestamps = TimestampOutcome.unchecked(known.keyCount());
            keyCount = known.keyCount();
        }
        if (known == null && (options.order() != null || rows.source().hasPredicateColumns())) {
            readTables();
        }
        if (timestamps == null && tableRun == null && choice.mayUseTimestamps() && rows.mayHaveTimestamps()) {
            try (TimestampCheck check = timestampCheck(choice.axioms(), options.findingLimit())) {
                if (TimestampCheck.mayBeInOrder(rows, options)) {
                    check.readInOrder(choice.columnsOfFirstPass(), badRows(), choice.mayUsePositions());
                } else {
                    check.read(choice.columnsOfFirstPass(), badRows());
                }
                checkInitialValue();
                boolean isDecided = rows.summary().areTimestampsComplete() && !isOfTables();
                timestamps = isDecided ? check.check() : check.countKeys();
                keyCount = timestamps.keyCount();
                positions = check.positions();
            }
        }
        Set<IsolationLevel> wanted = choice.byValues(
                areTimestampsComplete(), rows.isValidated() && rows.summary().hasConditions());
        boolean isSerializableOnly = wanted.isEmpty();
        SerialProof serialProof = serialProof();
        if (serialProof.kind() == SerialProof.Kind.VALUES) {
            wanted.add(IsolationLevel.SERIALIZABLE);
        }
        if (!wanted.isEmpty() && !(rows.isValidated() && isOfTables())) {
            checkValues(wanted);
        }
        serialProof = serialProof.after(values, valuesUnfit != null, isSerializableOnly);
        if (rows.isValidated() && isOfTables()) {
            checkTables();
        }
        if (timestamps == null && values == null && tables == null) {
            try (TimestampCheck check = timestampCheck(Map.of(), 0)) {
                check.read(choice.columnsOfFirstPass(), badRows());
                keyCount = check.countKeys().keyCount();
            }
        }
        checkInitialValue();
        return new Conclusion(
                options,
                rows.summary(),
                timestamps,
                values,
                serialProof,
                valuesUnfit,
                keyCount,
                deadLetters.count(),
                stages.seconds("check"),
                advice(),
                tables);
    }

    /** Searches for a serial order if the order of commits does not prove serializability. */
    private SerialProof serialProof() throws IOException {
        TimestampOutcome timestamps = this.timestamps;
        boolean isAsked = options.levels().contains(IsolationLevel.SERIALIZABLE) || positions != null;
        if (!isAsked || timestamps == null || !areTimestampsComplete() || isOfTables()) {
            return positions == null ? SerialProof.NONE : SerialProof.OPEN;
        }
        boolean isAll = deadLetters.count() == 0;
        if (options.witness() != null && gather()) { // dependencies have an order to write
            ValueOutcome ordered = gathered().checkSerializability(isAll);
            if (SerialProof.isDecision(ordered)) {
                return SerialProof.of(ordered, options.evidence());
            }
        }
        if (positions == null && timestamps.isProved(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
            return SerialProof.COMMITS;
        }
        if (positions == null && isAll && timestamps.unjudgedKeys() == 0) {
            positions = LanePositions.find(rows, initialValue, options, stages, watcher);
        }
        SerialProof proof = positions == null
                ? HintedOrderCheck.serialProof(rows, timestamps, isAll, options, stages, watcher)
                : new SegmentCheck(rows, positions, initialValue, options, stages).check();
        if (proof.kind() != SerialProof.Kind.OPEN) {
            return proof;
        }
        return SerialProof.of(gather() ? gathered().checkSerializability(isAll) : null, options.evidence());
    }

    // ---------------------------------------------------------------- tables

    private boolean isOfTables() {
        return TableRun.isFor(rows.summary().relationalCount(), options);
    }

    /** Reads a history that seems to be of tables as one of tables; the outcome decides whether it is. */
    private void readTables() throws IOException {
        Set<ColumnGroup> columns = EnumSet.copyOf(TableRun.COLUMNS);
        columns.addAll(choice.columnsOfFirstPass());
        tableRun = new TableRun(rows, initialValue, options, stages);
        tableRun.read(columns, deadLetters);
        checkInitialValue();
        tableRun = isOfTables() ? tableRun : null;
    }

    private void checkTables() throws IOException {
        timestamps = null;
        if (tableRun == null) {
            tableRun = new TableRun(rows, initialValue, options, stages);
            tableRun.read(TableRun.COLUMNS, BadRowHandler.PASS_OVER);
        }
        TableRun.Decided decided = tableRun.decide(deadLetters.count() == 0);
        tables = decided.tables();
        values = decided.values();
        valuesUnfit = decided.unfit();
        keyCount = decided.keyCount();
    }

    private BadRowHandler badRows() {
        return rows.isValidated() ? BadRowHandler.PASS_OVER : deadLetters;
    }

    private MemoryAdvice advice() {
        long txns = rows.summary().txnCount();
        long ops = rows.summary().opCount();
        return MemoryAdvice.ofHeap(TimestampCheck.bytesToHold(txns, ops), ValueCheck.bytesToHold(txns, ops));
    }

    private boolean areTimestampsComplete() {
        return timestamps != null && rows.summary().areTimestampsComplete();
    }

    private void checkInitialValue() {
        options.checkInitialValue(rows.summary().valueType());
    }

    private TimestampCheck timestampCheck(Map<IsolationLevel, Set<Axiom>> axioms, int findingLimit) {
        return new TimestampCheck(rows, axioms, initialValue, options, findingLimit, stages, watcher);
    }

    // ---------------------------------------------------------------- values

    /** Reads the operations once, for all callers; returns false if they do not fit into memory. */
    private boolean gather() throws IOException {
        if (gathered == null) {
            gathered = new ValueRun(rows, initialValue, options, options.findingLimit(), stages);
            isGathered = gathered.read(badRows());
        }
        return isGathered;
    }

    private ValueRun gathered() {
        return requireNonNull(gathered);
    }

    private void checkValues(Set<IsolationLevel> wanted) throws IOException {
        boolean fits = gather();
        ValueRun run = gathered();
        if (!fits) {
            checkInitialValue();
            checkSuggestedOrders(run, wanted, "operations");
            return;
        }
        checkInitialValue();
        if (isOfTables()) {
            return; // values check no more of these than tables leave to them
        }
        keyCount = Math.max(keyCount, run.keyCount());
        values = run.check(wanted, deadLetters.count() == 0);
        if (values == null) {
            run.forget();
            checkSuggestedOrders(run, wanted, "dependencies");
        }
    }

    private void checkSuggestedOrders(ValueRun run, Set<IsolationLevel> wanted, String what) throws IOException {
        HintedOrderCheck orders = new HintedOrderCheck(rows, options, stages, watcher);
        if (deadLetters.count() == 0 && !isOfTables() && orders.canAnswer(run.hasVersions())) {
            values = orders.check(wanted, unfit(what));
        }
        if (values == null) {
            valuesUnfit = unfit(what);
        } else {
            keyCount = Math.max(keyCount, values.keyCount());
        }
    }

    private String unfit(String what) {
        return what + " do not fit into memory: " + rows.summary().opCount() + " operations have "
                + options.memoryBytes() + " bytes; " + advice().byValues();
    }
}
