package io.nightjar.jobs.local;

import io.nightjar.formats.history.HistorySource;
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
import io.nightjar.pipeline.validate.Validation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        try (HistoryCheck check =
                new HistoryCheck(source, options, initialValue, keptFindings(), deadLetters, stages, watcher)) {
            check.run();
            Map<IsolationLevel, LevelResult> levels = check.levels();
            WitnessFile.write(check, options);
            Reporter reporter = new Reporter(check, initialValue, options, stages, writer);
            List<RunResult.ListedAnomaly> listed = reporter.report(deadLetters);
            Validation validation = check.rows().validation();
            return new RunResult(
                    source.uri(),
                    worst(levels),
                    validation.facts().txnCount(),
                    validation.facts().opCount(),
                    validation.sessionCount(),
                    check.keyCount(),
                    evidence(levels),
                    NAME,
                    writer == null ? null : writer.runId(),
                    (System.nanoTime() - startNs) / 1e9,
                    levels,
                    listed,
                    check.ruledOut());
        }
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

    private String versionOrders() {
        StringJoiner names = new StringJoiner(",");
        options.versionOrders().forEach(source -> names.add(source.spelling()));
        return names.toString();
    }

    /** The options that decide what comes out, for telling whether a run would be the same again. */
    private String optionsJson() {
        StringJoiner levels = new StringJoiner(",");
        options.levels().forEach(level -> levels.add(level.longName()));
        return OptionsJson.of(
                "levels", levels.toString(),
                "evidence", options.evidence().word(),
                "version_order", versionOrders(),
                "initial_value", options.initialValue(),
                "max_dead_letters", String.valueOf(options.maxDeadLetters()),
                "max_anomalies", String.valueOf(options.maxAnomalies()),
                "budget_ms", String.valueOf(options.search().budgetNanos() / 1_000_000),
                "component_budget_ms", String.valueOf(options.search().componentBudgetNanos() / 1_000_000),
                "cross_check", String.valueOf(options.search().crossChecks()));
    }
}
