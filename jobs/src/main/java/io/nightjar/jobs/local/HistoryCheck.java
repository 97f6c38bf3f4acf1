package io.nightjar.jobs.local;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.SuggestedOrders;
import io.nightjar.jobs.check.TableRun;
import io.nightjar.jobs.check.TimestampCheck;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.jobs.check.ValueRun;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.MemoryAdvice;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.Stages;
import io.nightjar.jobs.run.Watcher;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.predicate.TableOutcome;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out on this machine what the levels asked for need: reads the source once for each kind of evidence. */
final class HistoryCheck {

    private final SourceRows rows;
    private final CheckOptions options;
    private final EvidenceChoice choice;
    private final @Nullable String initialValue;
    private final DeadLetters deadLetters;
    private final Stages stages;
    private final Watcher watcher;

    private @Nullable TimestampOutcome timestamps;
    private @Nullable ValueOutcome values;
    private @Nullable String valuesUnfit;
    private @Nullable TableRun tableRun; // null unless the history was read as one of tables
    private @Nullable TableOutcome tables;
    private long keyCount;

    HistoryCheck(SourceRows rows, CheckOptions options, DeadLetters deadLetters, Stages stages, Watcher watcher) {
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

    /** @param known what a watch found out; null if unknown */
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
                    check.readInOrder(choice.columnsOfFirstPass(), badRows());
                } else {
                    check.read(choice.columnsOfFirstPass(), badRows());
                }
                checkInitialValue();
                boolean isDecided = rows.summary().areTimestampsComplete() && !isOfTables();
                timestamps = isDecided ? check.check() : check.countKeys();
                keyCount = timestamps.keyCount();
            }
        }
        Set<IsolationLevel> wanted = choice.byValues(areTimestampsComplete());
        SerialProof serialProof = serialProof();
        if (serialProof == SerialProof.VALUES) {
            wanted.add(IsolationLevel.SERIALIZABLE);
        }
        if (!wanted.isEmpty() && !(rows.isValidated() && isOfTables())) {
            checkValues(wanted);
        }
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

    /** Looks for a serial order where that of commits does not prove serializability. */
    private SerialProof serialProof() throws IOException {
        TimestampOutcome timestamps = this.timestamps;
        if (timestamps == null || !areTimestampsComplete() || isOfTables()) {
            return SerialProof.NONE;
        }
        return SuggestedOrders.serialProof(rows, timestamps, deadLetters.count() == 0, options, stages, watcher);
    }

    // ---------------------------------------------------------------- tables

    private boolean isOfTables() {
        return TableRun.isFor(rows.summary().relationalCount(), options);
    }

    /** Reads what looks as if it were of tables as such, whatever it then turns out to be. */
    private void readTables() throws IOException {
        Set<Column> columns = EnumSet.copyOf(TableRun.COLUMNS);
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
            tableRun.read(TableRun.COLUMNS, BadRows.PASS_OVER);
        }
        TableRun.Decided decided = tableRun.decide(deadLetters.count() == 0);
        tables = decided.tables();
        values = decided.values();
        valuesUnfit = decided.unfit();
        keyCount = decided.keyCount();
    }

    private BadRows badRows() {
        return rows.isValidated() ? BadRows.PASS_OVER : deadLetters;
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

    private void checkValues(Set<IsolationLevel> wanted) throws IOException {
        ValueRun run = new ValueRun(rows, initialValue, options, options.findingLimit(), stages);
        if (!run.read(badRows())) {
            checkInitialValue();
            checkSuggestedOrders(run, wanted, "operations");
            return;
        }
        checkInitialValue();
        if (isOfTables()) {
            return; // of which values judge no more than tables leave to them
        }
        keyCount = Math.max(keyCount, run.keyCount());
        values = run.check(wanted, deadLetters.count() == 0);
        if (values == null) {
            run.forget();
            checkSuggestedOrders(run, wanted, "dependencies");
        }
    }

    private void checkSuggestedOrders(ValueRun run, Set<IsolationLevel> wanted, String what) throws IOException {
        SuggestedOrders orders = new SuggestedOrders(rows, options, stages, watcher);
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
