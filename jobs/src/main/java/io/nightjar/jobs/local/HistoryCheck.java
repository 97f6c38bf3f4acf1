package io.nightjar.jobs.local;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.RuledOut;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.local.CheckOptions.Evidence;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.validate.HistoryFacts;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides the levels asked for of one history: which evidence answers for which level, and what it says. */
final class HistoryCheck implements AutoCloseable {

    /*
     * Timestamps answer for the levels whose axioms they know, if they may be trusted and every committed transaction has
     * them. Everything else is a question of what clients saw. The source is read once for each of the two.
     */

    private static final long BYTES_PER_INFERRED_OP = 110;
    private static final int LEAST_SHARE_LEFT = 8;

    private final HistoryRows rows;
    private final CheckOptions options;
    private final String initialValue;
    private final Stages stages;
    private final Watcher watcher;
    private final int limit;
    private final DeadLetters deadLetters;

    private final Findings findings;
    private TimestampRun byTimestamps;
    private ValueRun byValues;
    private String valuesUnfit;
    private boolean isWitnessChecked = true;
    private long keyCount;

    /** @param limit how many findings are kept */
    HistoryCheck(
            HistorySource source,
            CheckOptions options,
            String initialValue,
            int limit,
            DeadLetters deadLetters,
            Stages stages,
            Watcher watcher) {
        this.rows = new HistoryRows(source, options.threadCount(), options.memoryBytes());
        this.options = options;
        this.initialValue = initialValue;
        this.limit = limit;
        this.deadLetters = deadLetters;
        this.stages = stages;
        this.watcher = watcher;
        this.findings = new Findings(limit);
    }

    /** Reads and checks; afterwards everything below can be asked. */
    void run() throws IOException {
        if (mayUseTimestamps() && !timed().isEmpty() && rows.mayHaveTimestamps()) {
            checkTimestamps();
        }
        Set<IsolationLevel> wanted = byValuesWanted();
        if (!wanted.isEmpty()) {
            checkValues(wanted);
        }
        if (byTimestamps == null && byValues == null) {
            countKeys();
        }
        checkInitialValue();
    }

    private boolean mayUseTimestamps() {
        return options.evidence() == Evidence.AUTO || options.evidence() == Evidence.TIMESTAMPS;
    }

    /** Levels asked for that timestamps can decide. */
    private Set<IsolationLevel> timed() {
        Set<IsolationLevel> levels = EnumSet.noneOf(IsolationLevel.class);
        options.levels().stream().filter(level -> !Axiom.of(level).isEmpty()).forEach(levels::add);
        return levels;
    }

    private boolean isDecidedByTimestamps(IsolationLevel level) {
        if (!mayUseTimestamps() || Axiom.of(level).isEmpty()) {
            return false;
        }
        return options.evidence() == Evidence.TIMESTAMPS || areTimestampsComplete();
    }

    private boolean areTimestampsComplete() {
        return rows.isValidated() && byTimestamps != null && facts().areTimestampsComplete();
    }

    private Set<IsolationLevel> byValuesWanted() {
        Set<IsolationLevel> wanted = EnumSet.copyOf(options.levels());
        wanted.removeIf(this::isDecidedByTimestamps);
        return wanted;
    }

    // ---------------------------------------------------------------- the two theories

    private void checkTimestamps() throws IOException {
        byTimestamps = timestampRun(rows, axioms(), limit, stages);
        byTimestamps.read(deadLetters);
        checkInitialValue();
        if (facts().areTimestampsComplete()) {
            findings.merge(byTimestamps.check());
        } else {
            byTimestamps.countKeys();
        }
        keyCount = byTimestamps.keyCount();
        byTimestamps.close();
    }

    private TimestampRun timestampRun(
            HistoryRows of, Map<IsolationLevel, Set<Axiom>> axioms, int findingLimit, Stages told) {
        return timestampRun(of, axioms, findingLimit, told, options);
    }

    private TimestampRun timestampRun(
            HistoryRows of,
            Map<IsolationLevel, Set<Axiom>> axioms,
            int findingLimit,
            Stages told,
            CheckOptions bounded) {
        return new TimestampRun(of, axioms, initialValue, bounded, findingLimit, told, watcher);
    }

    private Map<IsolationLevel, Set<Axiom>> axioms() {
        Map<IsolationLevel, Set<Axiom>> axioms = new EnumMap<>(IsolationLevel.class);
        timed().forEach(level -> axioms.put(level, Axiom.of(level)));
        return axioms;
    }

    private void checkValues(Set<IsolationLevel> wanted) throws IOException {
        ValueRun run = new ValueRun(rows, initialValue, options, limit, stages);
        BadRows badRows = rows.isValidated() ? BadRows.PASS_OVER : deadLetters;
        if (!run.read(badRows)) {
            valuesUnfit = "operations do not fit into memory: operations=" + facts().opCount() + " memoryBytes="
                    + options.memoryBytes() + "; give more --memory";
            return;
        }
        checkInitialValue();
        keyCount = run.log().keyCount;
        try {
            Findings found = run.check(wanted);
            byValues = run;
            findings.merge(found);
        } catch (OutOfMemoryError tooLarge) { // all that took the memory is garbage from here on
            valuesUnfit = "dependencies do not fit into memory: operations=" + facts().opCount() + " memoryBytes="
                    + options.memoryBytes() + "; give more --memory";
            return;
        }
        checkWitness();
    }

    private void checkWitness() throws IOException {
        if (isProvedByWitness()) {
            try {
                replayWitness();
            } catch (OutOfMemoryError tooLarge) {
                isWitnessChecked = false;
            }
        }
    }

    /** Whoever found an order, the checks by timestamps say whether it is one. */
    private void replayWitness() throws IOException {
        IsolationLevel level = byValues.decided().witnessLevel();
        Set<Axiom> demanded =
                EnumSet.copyOf(Axiom.of(level == IsolationLevel.PREFIX ? IsolationLevel.SNAPSHOT_ISOLATION : level));
        if (level == IsolationLevel.PREFIX) {
            demanded.remove(Axiom.NOCONFLICT);
        }
        IsolationLevel judged = level == IsolationLevel.SERIALIZABLE ? level : IsolationLevel.SNAPSHOT_ISOLATION;
        HistorySource witnessed = new WitnessedSource(
                rows.source(),
                byValues.inference().history(),
                byValues.decided().witness());
        CheckOptions bounded = options.withMemoryBytes(memoryLeft());
        HistoryRows positions = new HistoryRows(witnessed, bounded.threadCount(), bounded.memoryBytes());
        try (Stages.Stage stage = stages.begin("verify", rows.source());
                TimestampRun replay =
                        timestampRun(positions, Map.of(judged, demanded), 1, new Stages(Watcher.NOBODY), bounded)) {
            replay.read(BadRows.PASS_OVER);
            stage.advance(facts().txnCount());
            Findings wrong = replay.check();
            if (wrong.total() > 0) {
                throw new AssertionError("witness not confirmed by the history: level=" + level.longName() + " finding="
                        + wrong.inTime().get(0));
            }
            isWitnessChecked = replay.unfitKeys() == 0;
        }
    }

    /** What is left beside the operations and what is known of their reads. */
    private long memoryLeft() {
        long taken = facts().opCount() * BYTES_PER_INFERRED_OP;
        return Math.max(options.memoryBytes() / LEAST_SHARE_LEFT, options.memoryBytes() - taken);
    }

    /** Whether an order of commits is the proof that a level holds. */
    boolean isProvedByWitness() {
        return byValues != null && byValues.hasWitness() && deadLetters.count() == 0 && isWitnessChecked;
    }

    private void countKeys() throws IOException {
        try (TimestampRun run = timestampRun(rows, Map.of(), 0, stages)) {
            run.read(rows.isValidated() ? BadRows.PASS_OVER : deadLetters);
            run.countKeys();
            keyCount = run.keyCount();
        }
    }

    private void checkInitialValue() {
        String value = options.initialValue();
        if (value != null && rows.validation().valueType() == ValueType.LONG && !value.matches("-?\\d{1,19}")) {
            throw new UsageException("--initial-value is not of the values' type: initial-value=" + value + " type="
                    + ValueType.LONG.typeName());
        }
    }

    // ---------------------------------------------------------------- what came out

    HistoryRows rows() {
        return rows;
    }

    Findings findings() {
        return findings;
    }

    long keyCount() {
        return keyCount;
    }

    /** Null if nothing was decided from values. */
    ValueRun byValues() {
        return byValues;
    }

    List<ComponentAnswer> components() {
        return byValues == null ? List.of() : byValues.components();
    }

    /** Unknown transactions that count as committed. */
    LongSet promoted() {
        LongSet ids = new LongOpenHashSet();
        if (byTimestamps != null) {
            ids.addAll(byTimestamps.promoted());
        }
        if (byValues != null) {
            ids.addAll(byValues.promoted());
        }
        return ids;
    }

    /** What anomalies say about Elle's levels; null if they were not looked for. */
    RuledOut ruledOut() {
        return byValues == null ? null : byValues.ruledOut();
    }

    Map<IsolationLevel, LevelResult> levels() {
        Map<IsolationLevel, LevelResult> levels = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            Map<String, Long> types = new LinkedHashMap<>();
            long count = 0;
            for (Map.Entry<Anomaly, Long> type : findings.counts(level).entrySet()) {
                types.put(type.getKey().spelling(), type.getValue());
                count += type.getValue();
            }
            String reason = count > 0 ? null : doubt(level);
            Verdict verdict = count > 0 ? Verdict.VIOLATED : reason == null ? Verdict.HOLDS : Verdict.UNDECIDED;
            levels.put(
                    level,
                    new LevelResult(verdict, evidenceOf(level).word(), reason, count, types, stages.seconds("check")));
        }
        return levels;
    }

    private Evidence evidenceOf(IsolationLevel level) {
        if (isDecidedByTimestamps(level)) {
            return Evidence.TIMESTAMPS;
        }
        boolean byVersions = byValues != null && byValues.trustsVersions();
        boolean lacksVersions = options.evidence() == Evidence.VERSIONS
                && findings.counts(level).isEmpty();
        return byVersions || lacksVersions ? Evidence.VERSIONS : Evidence.VALUES;
    }

    /** Why a level that nothing rules out cannot be said to hold either; null if there is no doubt. */
    private String doubt(IsolationLevel level) {
        if (deadLetters.count() > 0) {
            return "bad rows were set aside: rows=" + deadLetters.count();
        }
        if (facts().committedCount() == 0) {
            return null;
        }
        if (isDecidedByTimestamps(level)) {
            return timestampDoubt();
        }
        if (valuesUnfit != null) {
            return valuesUnfit;
        }
        if (options.evidence() == Evidence.VERSIONS && !byValues.trustsVersions()) {
            return "no operation carries a version; --evidence values needs none";
        }
        if (!isWitnessChecked && level.compareTo(IsolationLevel.CAUSAL) > 0) {
            return "the order that was found could not be checked: operations on a key do not fit into memory:"
                    + " memoryBytes=" + options.memoryBytes() + "; give more --memory";
        }
        return byValues.doubt(level);
    }

    private String timestampDoubt() {
        if (!facts().areTimestampsComplete()) {
            long missing = facts().committedCount() - facts().timestampedCount();
            return "committed transactions without start or commit timestamp: transactions=" + missing + " of="
                    + facts().committedCount();
        }
        if (byTimestamps.unfitKeys() > 0) {
            return "operations on a key do not fit into memory: keysLeftOut=" + byTimestamps.unfitKeys()
                    + " memoryBytes=" + byTimestamps.memoryBytes() + "; give more --memory";
        }
        if (byTimestamps.unplaceable() > 0) {
            return "unknown transactions that were read from lack timestamps: transactions="
                    + byTimestamps.unplaceable();
        }
        if (byTimestamps.unjudgedKeys() > 0) {
            return "timestamps cannot judge sets, counters and keys used in two ways: keys="
                    + byTimestamps.unjudgedKeys();
        }
        return null;
    }

    private HistoryFacts facts() {
        return rows.validation().facts();
    }

    @Override
    public void close() throws IOException {
        if (byTimestamps != null) {
            byTimestamps.close();
        }
    }
}
