package io.nightjar.jobs.local;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.lake.RunFacts;
import io.nightjar.jobs.lake.RunWriter;
import io.nightjar.jobs.lake.StoredRun;
import io.nightjar.jobs.local.CheckOptions.Evidence;
import io.nightjar.pipeline.check.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/** Checks one history on this machine, from the source to the lake. */
public final class LocalEngine {

    private static final String NAME = "local";
    private static final int BYTES_PER_FINDING = 1_500;
    private static final int MOST_FINDINGS = 1_000_000;

    private final CheckOptions options;
    private final String checkerVersion;
    private final Watcher watcher;

    public LocalEngine(CheckOptions options, String checkerVersion, Watcher watcher) {
        this.options = options;
        this.checkerVersion = checkerVersion;
        this.watcher = watcher;
    }

    /**
     * Decides every level asked for and writes the tables.
     *
     * @param source what to check; the caller closes it
     * @param address where it lies
     * @throws io.nightjar.formats.history.MalformedHistoryException if it is not a history; nothing is written then
     */
    public RunResult check(HistorySource source, Path address) throws IOException {
        if (options.lake() == null) {
            return run(source, null);
        }
        Lake lake = Lake.open(options.lake());
        String fingerprint = InputFingerprint.of(address);
        Optional<StoredRun> stored = completedRun(lake);
        if (stored.isPresent()) {
            return storedResult(stored.get(), fingerprint);
        }
        RunWriter begun;
        try {
            begun = lake.begin(options.runId(), LakeNames.historyId(source.uri()));
        } catch (UsageException taken) {
            // another process may have completed the run since it was looked for
            return storedResult(completedRun(lake).orElseThrow(() -> taken), fingerprint);
        }
        Instant startedAt = Instant.now();
        try (RunWriter writer = begun) {
            RunResult result = run(source, writer);
            writer.commit(
                    result,
                    new RunFacts(source.uri(), startedAt, Instant.now(), checkerVersion, optionsJson(), fingerprint));
            return result;
        }
    }

    private Optional<StoredRun> completedRun(Lake lake) {
        return options.runId() == null ? Optional.empty() : lake.completedRun(LakeNames.checkRunId(options.runId()));
    }

    private RunResult storedResult(StoredRun stored, String fingerprint) {
        if (!stored.facts().inputFingerprint().equals(fingerprint)) {
            throw new UsageException("run id is taken by a run over other input: run-id=" + options.runId()
                    + " history=" + stored.facts().historyUri() + "; choose another --run-id");
        }
        if (!stored.matches(optionsJson(), fingerprint)) {
            throw new UsageException("run id is taken by a run with other options: run-id=" + options.runId()
                    + " options=" + stored.facts().optionsJson() + "; choose another --run-id");
        }
        return stored.result();
    }

    private RunResult run(HistorySource source, RunWriter writer) throws IOException {
        long startNs = System.nanoTime();
        Stages stages = new Stages(watcher);
        DeadLetters deadLetters = new DeadLetters(options.maxDeadLetters());
        String initialValue = options.initialValue() != null ? options.initialValue() : source.impliedInitialValue();
        HistoryRows rows = new HistoryRows(source, options.threadCount(), options.memoryBytes());
        try (TimestampRun run =
                new TimestampRun(rows, axioms(), initialValue, options, keptFindings(), stages, watcher)) {
            run.read(deadLetters);
            checkInitialValue(rows);
            Findings findings = checkIfPossible(rows, run);
            Reporter reporter = new Reporter(rows, run, initialValue, options, stages, writer);
            Map<IsolationLevel, LevelResult> levels = levels(rows, run, findings, deadLetters, stages);
            List<RunResult.ListedAnomaly> listed = reporter.report(findings, deadLetters);
            return new RunResult(
                    source.uri(),
                    worst(levels),
                    rows.validation().facts().txnCount(),
                    rows.validation().facts().opCount(),
                    rows.validation().sessionCount(),
                    run.keyCount(),
                    evidence(levels),
                    NAME,
                    writer == null ? null : writer.runId(),
                    (System.nanoTime() - startNs) / 1e9,
                    levels,
                    listed);
        }
    }

    private Findings checkIfPossible(HistoryRows rows, TimestampRun run) throws IOException {
        if (usesTimestamps(rows) && !axioms().isEmpty()) {
            return run.check();
        }
        run.countKeys();
        return new Findings(0);
    }

    private void checkInitialValue(HistoryRows rows) {
        String value = options.initialValue();
        if (value != null && rows.validation().valueType() == ValueType.LONG && !value.matches("-?\\d{1,19}")) {
            throw new UsageException("--initial-value is not of the values' type: initial-value=" + value + " type="
                    + ValueType.LONG.typeName());
        }
    }

    // ---------------------------------------------------------------- what is decided

    /** What the levels asked for that timestamps can decide demand. */
    private Map<IsolationLevel, Set<Axiom>> axioms() {
        Map<IsolationLevel, Set<Axiom>> axioms = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            if (!Axiom.of(level).isEmpty()) {
                axioms.put(level, Axiom.of(level));
            }
        }
        return axioms;
    }

    private boolean usesTimestamps(HistoryRows rows) {
        boolean mayUse = options.evidence() == Evidence.AUTO || options.evidence() == Evidence.TIMESTAMPS;
        return mayUse && rows.validation().facts().areTimestampsComplete();
    }

    private Map<IsolationLevel, LevelResult> levels(
            HistoryRows rows, TimestampRun run, Findings findings, DeadLetters deadLetters, Stages stages) {
        Map<IsolationLevel, LevelResult> levels = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            Map<String, Long> types = new LinkedHashMap<>();
            long count = 0;
            for (Map.Entry<Anomaly, Long> type : findings.counts(level).entrySet()) {
                types.put(type.getKey().spelling(), type.getValue());
                count += type.getValue();
            }
            String reason = count > 0 ? null : Doubts.of(rows, run, level, options.evidence(), deadLetters);
            Verdict verdict = count > 0 ? Verdict.VIOLATED : reason == null ? Verdict.HOLDS : Verdict.UNDECIDED;
            String evidence = evidenceOf(rows, level);
            levels.put(level, new LevelResult(verdict, evidence, reason, count, types, stages.seconds("check")));
        }
        return levels;
    }

    private String evidenceOf(HistoryRows rows, IsolationLevel level) {
        if (options.evidence() == Evidence.VALUES || options.evidence() == Evidence.VERSIONS) {
            return options.evidence().word();
        }
        boolean byTimestamps =
                !Axiom.of(level).isEmpty() && (options.evidence() == Evidence.TIMESTAMPS || usesTimestamps(rows));
        return (byTimestamps ? Evidence.TIMESTAMPS : Evidence.VALUES).word();
    }

    private static String evidence(Map<IsolationLevel, LevelResult> levels) {
        String evidence = null;
        for (LevelResult level : levels.values()) {
            evidence = evidence == null || evidence.equals(level.evidence()) ? level.evidence() : "mixed";
        }
        return evidence;
    }

    private static Verdict worst(Map<IsolationLevel, LevelResult> levels) {
        Verdict worst = Verdict.HOLDS;
        for (LevelResult level : levels.values()) {
            worst = worst.worse(level.verdict());
        }
        return worst;
    }

    /** How many findings may be held at once; without tables only those that are listed. */
    private int keptFindings() {
        if (options.lake() == null) {
            return options.maxAnomalies();
        }
        long fit = options.memoryBytes() / 5 / BYTES_PER_FINDING;
        return (int) Math.max(options.maxAnomalies(), Math.min(MOST_FINDINGS, fit));
    }

    /** The options that decide what comes out, for telling whether a run would be the same again. */
    private String optionsJson() {
        StringJoiner levels = new StringJoiner(",");
        options.levels().forEach(level -> levels.add(level.longName()));
        return OptionsJson.of(
                "levels", levels.toString(),
                "evidence", options.evidence().word(),
                "initial_value", options.initialValue(),
                "max_dead_letters", String.valueOf(options.maxDeadLetters()),
                "max_anomalies", String.valueOf(options.maxAnomalies()));
    }
}
