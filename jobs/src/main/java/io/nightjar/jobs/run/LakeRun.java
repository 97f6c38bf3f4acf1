package io.nightjar.jobs.run;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.lake.RunFacts;
import io.nightjar.jobs.lake.RunWriter;
import io.nightjar.jobs.lake.StoredRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.StringJoiner;

/** A run and its lake: found there already, or begun, worked and committed in one place, whichever engine does the work. */
public final class LakeRun {

    private final CheckOptions options;
    private final String checkerVersion;

    public LakeRun(CheckOptions options, String checkerVersion) {
        this.options = options;
        this.checkerVersion = checkerVersion;
    }

    /** What makes the result and adds its rows. */
    @FunctionalInterface
    public interface Work {

        /** @param writer null if no tables are wanted */
        RunResult run(RunWriter writer) throws IOException;
    }

    /**
     * The stored result if there is one, else what the work came to, committed.
     *
     * @param uri where the history lies, as the user gave it
     * @param address the same on this machine
     * @param startedAt when the run was asked for
     */
    public RunResult run(String uri, Path address, Instant startedAt, Work work) throws IOException {
        if (options.lake() == null) {
            return work.run(null);
        }
        String fingerprint = InputFingerprint.of(address);
        Optional<RunResult> stored = stored(fingerprint);
        return stored.isPresent() ? stored.get() : write(uri, fingerprint, startedAt, work);
    }

    /**
     * The result of a complete run of this id over the same input with the same options.
     *
     * @param fingerprint that of the input, see {@link InputFingerprint}
     * @throws UsageException if the id is taken by another run
     */
    public Optional<RunResult> stored(String fingerprint) {
        return completedRun(Lake.open(options.lake())).map(run -> storedResult(run, fingerprint));
    }

    /** Begins the run, has the work done and commits; what another process completed meanwhile is returned as stored. */
    private RunResult write(String uri, String fingerprint, Instant startedAt, Work work) throws IOException {
        Lake lake = Lake.open(options.lake());
        RunWriter begun;
        try {
            begun = lake.begin(options.runId(), LakeNames.historyId(uri));
        } catch (UsageException taken) {
            // another process may have completed the run since it was looked for
            return storedResult(completedRun(lake).orElseThrow(() -> taken), fingerprint);
        }
        try (RunWriter writer = begun) {
            RunResult result = work.run(writer);
            writer.commit(
                    result,
                    new RunFacts(
                            uri,
                            options.batchId() == null ? writer.runId() : options.batchId(),
                            startedAt,
                            Instant.now(),
                            checkerVersion,
                            optionsJson(),
                            fingerprint));
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

    /** The options that decide what comes out, for telling whether a run would be the same again. */
    private String optionsJson() {
        StringJoiner levels = new StringJoiner(",");
        options.levels().forEach(level -> levels.add(level.longName()));
        StringJoiner versionOrders = new StringJoiner(",");
        options.versionOrders().forEach(source -> versionOrders.add(source.spelling()));
        return OptionsJson.of(
                "levels", levels.toString(),
                "evidence", options.evidence().word(),
                "version_order", versionOrders.toString(),
                "initial_value", options.initialValue(),
                "max_dead_letters", String.valueOf(options.maxDeadLetters()),
                "max_anomalies", String.valueOf(options.maxAnomalies()),
                "budget_ms", String.valueOf(options.search().budgetNanos() / 1_000_000),
                "component_budget_ms", String.valueOf(options.search().componentBudgetNanos() / 1_000_000),
                "cross_check", String.valueOf(options.search().crossChecks()));
    }
}
