package io.nightjar.jobs.local;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Finds out on this machine what the levels asked for need: reads the source once for each kind of evidence. */
final class HistoryCheck {

    private static final long BYTES_PER_INFERRED_OP = 110;
    private static final int LEAST_SHARE_LEFT = 8;

    private final HistoryRows rows;
    private final CheckOptions options;
    private final EvidenceChoice choice;
    private final String initialValue;
    private final DeadLetters deadLetters;
    private final Stages stages;
    private final Watcher watcher;

    private TimestampOutcome timestamps;
    private ValueOutcome values;
    private String valuesUnfit;
    private long keyCount;

    HistoryCheck(HistoryRows rows, CheckOptions options, DeadLetters deadLetters, Stages stages, Watcher watcher) {
        this.rows = rows;
        this.options = options;
        this.choice = new EvidenceChoice(options);
        this.initialValue = options.initialValueOf(rows.source());
        this.deadLetters = deadLetters;
        this.stages = stages;
        this.watcher = watcher;
    }

    Conclusion run() throws IOException {
        if (choice.mayUseTimestamps() && rows.mayHaveTimestamps()) {
            checkTimestamps();
        }
        Set<IsolationLevel> wanted = choice.byValues(areTimestampsComplete());
        if (!wanted.isEmpty()) {
            checkValues(wanted);
        }
        if (timestamps == null && values == null) {
            countKeys();
        }
        checkInitialValue();
        return new Conclusion(
                options,
                rows.summary(),
                timestamps,
                values,
                valuesUnfit,
                keyCount,
                deadLetters.count(),
                stages.seconds("check"));
    }

    private boolean areTimestampsComplete() {
        return timestamps != null && rows.summary().areTimestampsComplete();
    }

    private void checkInitialValue() {
        options.checkInitialValue(rows.summary().valueType());
    }

    private void checkTimestamps() throws IOException {
        try (TimestampRun run = timestampRun(rows, choice.axioms(), options.findingLimit(), stages, options)) {
            run.read(deadLetters);
            checkInitialValue();
            timestamps = rows.summary().areTimestampsComplete() ? run.check() : run.countKeys();
        }
        keyCount = timestamps.keyCount();
    }

    private TimestampRun timestampRun(
            HistoryRows of,
            Map<IsolationLevel, Set<Axiom>> axioms,
            int findingLimit,
            Stages told,
            CheckOptions bounded) {
        return new TimestampRun(of, axioms, initialValue, bounded, findingLimit, told, watcher);
    }

    private void countKeys() throws IOException {
        try (TimestampRun run = timestampRun(rows, Map.of(), 0, stages, options)) {
            run.read(rows.isValidated() ? BadRows.PASS_OVER : deadLetters);
            keyCount = run.countKeys().keyCount();
        }
    }

    // ---------------------------------------------------------------- values

    private void checkValues(Set<IsolationLevel> wanted) throws IOException {
        ValueRun run = new ValueRun(rows, initialValue, options, options.findingLimit(), stages);
        BadRows badRows = rows.isValidated() ? BadRows.PASS_OVER : deadLetters;
        if (!run.read(badRows)) {
            valuesUnfit = unfit("operations");
            return;
        }
        checkInitialValue();
        keyCount = run.keyCount();
        values = WithinMemory.orNull(() -> run.check(wanted));
        if (values == null) {
            valuesUnfit = unfit("dependencies");
        } else if (deadLetters.count() == 0) {
            checkWitnesses(values.witnessesToReplay(wanted));
        }
    }

    private String unfit(String what) {
        return what + " do not fit into memory: operations=" + rows.summary().opCount() + " memoryBytes="
                + options.memoryBytes() + "; give more --memory";
    }

    private void checkWitnesses(Iterable<Witness> witnesses) throws IOException {
        boolean isChecked = true;
        for (Witness witness : witnesses) {
            Boolean fits = WithinMemory.orNull(() -> fitsWhenReplayed(witness));
            isChecked &= fits != null && fits;
        }
        values = values.withWitnessChecked(isChecked);
    }

    /** Whoever found an order, the checks by timestamps say whether it is one. */
    private boolean fitsWhenReplayed(Witness witness) throws IOException {
        IsolationLevel level = witness.level();
        Set<Axiom> demanded =
                EnumSet.copyOf(Axiom.of(level == IsolationLevel.PREFIX ? IsolationLevel.SNAPSHOT_ISOLATION : level));
        if (level == IsolationLevel.PREFIX) {
            demanded.remove(Axiom.NOCONFLICT);
        }
        IsolationLevel judged = level == IsolationLevel.SERIALIZABLE ? level : IsolationLevel.SNAPSHOT_ISOLATION;
        CheckOptions bounded = options.withMemoryBytes(memoryLeft());
        HistoryRows positions = new HistoryRows(
                new WitnessedSource(rows.source(), witness), bounded.threadCount(), bounded.memoryBytes());
        try (Stages.Stage stage = stages.begin("verify", rows.source());
                TimestampRun replay =
                        timestampRun(positions, Map.of(judged, demanded), 1, new Stages(Watcher.NOBODY), bounded)) {
            replay.read(BadRows.PASS_OVER);
            stage.advance(rows.summary().txnCount());
            TimestampOutcome outcome = replay.check();
            if (outcome.findings().total() > 0) {
                throw new AssertionError("witness not confirmed by the history: level=" + level.longName() + " finding="
                        + outcome.findings().inTime().get(0));
            }
            return outcome.unfitKeys() == 0;
        }
    }

    /** What is left beside the operations and what is known of their reads. */
    private long memoryLeft() {
        long taken = rows.summary().opCount() * BYTES_PER_INFERRED_OP;
        return Math.max(options.memoryBytes() / LEAST_SHARE_LEFT, options.memoryBytes() - taken);
    }
}
