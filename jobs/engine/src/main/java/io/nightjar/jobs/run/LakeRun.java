package io.nightjar.jobs.run;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.lake.LevelDefinitions;
import io.nightjar.jobs.lake.OptionsJson;
import io.nightjar.jobs.lake.RunFacts;
import io.nightjar.jobs.lake.RunWriter;
import io.nightjar.jobs.lake.StoredRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A run and its lake, for every engine: stored there already, or begun by one process and committed as a whole.
 *
 * <pre>
 *   try (LakeRun run = LakeRun.begin(options, checkerVersion, uri, address, startedAt)) {
 *       return run.stored() != null ? run.stored() : run.commit(a result whose rows run.writer() was given);
 *   }
 * </pre>
 */
public final class LakeRun implements AutoCloseable {

    private final CheckOptions options;
    private final String checkerVersion;
    private final String uri;
    private final @Nullable String fingerprint; // null where no tables are wanted
    private final Instant startedAt;
    private @Nullable RunResult stored;
    private @Nullable RunWriter writer;

    private LakeRun(
            CheckOptions options, String checkerVersion, String uri, @Nullable String fingerprint, Instant startedAt) {
        this.options = options;
        this.checkerVersion = checkerVersion;
        this.uri = uri;
        this.fingerprint = fingerprint;
        this.startedAt = startedAt;
    }

    /**
     * Begins a run unless the lake contains it, possibly because another process has completed it.
     *
     * @param uri location of the history, as the user gave it
     * @param address the same on this machine
     * @param startedAt time of the request
     * @throws UsageException if another run has the id
     */
    public static LakeRun begin(
            CheckOptions options, String checkerVersion, String uri, Path address, Instant startedAt)
            throws IOException {
        if (options.lake() == null) {
            return new LakeRun(options, checkerVersion, uri, null, startedAt);
        }
        String fingerprint = InputFingerprint.of(address);
        LakeRun run = new LakeRun(options, checkerVersion, uri, fingerprint, startedAt);
        Lake lake = Lake.open(options.lake());
        run.stored = findStored(options, checkerVersion, lake, fingerprint).orElse(null);
        if (run.stored == null) {
            try {
                run.writer = lake.begin(options.runId(), LakeNames.historyId(uri));
            } catch (UsageException taken) {
                run.stored =
                        findStored(options, checkerVersion, lake, fingerprint).orElseThrow(() -> taken);
            }
        }
        return run;
    }

    /**
     * Begins a run over a history that is not there yet.
     *
     * @param uri name of the history
     * @throws UsageException if another run has the id
     */
    public static LakeRun beginLive(CheckOptions options, String checkerVersion, String uri, Instant startedAt) {
        LakeRun run = new LakeRun(options, checkerVersion, uri, "live:" + uri, startedAt);
        if (options.lake() != null) {
            run.writer = Lake.open(options.lake()).begin(options.runId(), LakeNames.historyId(uri));
        }
        return run;
    }

    /**
     * Returns the result of a complete run of this id by the same version over the same input with the same options, if
     * the lake has one.
     *
     * @param fingerprint of the input, see {@link InputFingerprint}
     * @throws UsageException if another run has the id
     */
    public static Optional<RunResult> stored(CheckOptions options, String checkerVersion, String fingerprint) {
        return findStored(options, checkerVersion, Lake.open(requireNonNull(options.lake())), fingerprint);
    }

    /** Returns the result of the run that these options name, if the lake has all of it. */
    public static Optional<RunResult> completed(CheckOptions options) {
        return options.lake() == null || options.runId() == null
                ? Optional.empty()
                : Lake.open(options.lake()).completedRun(options.runId()).map(StoredRun::result);
    }

    /** Returns the stored result; null if the check must be executed. */
    public @Nullable RunResult stored() {
        return stored;
    }

    /** Returns the writer of the rows; null if no tables are wanted. */
    public @Nullable RunWriter writer() {
        return writer;
    }

    /** Makes the run visible with this result, which is returned. */
    public RunResult commit(RunResult result) throws IOException {
        try {
            write(result);
            return result;
        } catch (UsageException taken) { // by another process
            return findStored(
                            options,
                            checkerVersion,
                            Lake.open(requireNonNull(options.lake())),
                            requireNonNull(fingerprint))
                    .orElseThrow(() -> taken);
        }
    }

    private void write(RunResult result) {
        if (writer != null) {
            writer.commit(
                    result,
                    new RunFacts(
                            uri,
                            options.batchId() == null ? writer.runId() : options.batchId(),
                            startedAt,
                            Instant.now(),
                            checkerVersion,
                            optionsJson(options),
                            requireNonNull(fingerprint)));
        }
    }

    @Override
    public void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }

    private static Optional<RunResult> findStored(
            CheckOptions options, String checkerVersion, Lake lake, String fingerprint) {
        return options.runId() == null
                ? Optional.empty()
                : lake.completedRun(LakeNames.checkRunId(options.runId()))
                        .map(run -> storedResult(run, options, checkerVersion, fingerprint));
    }

    private static RunResult storedResult(
            StoredRun run, CheckOptions options, String checkerVersion, String fingerprint) {
        if (!run.facts().inputFingerprint().equals(fingerprint)) {
            throw new UsageException("run id is taken by a run over other input: run-id=" + options.runId()
                    + " history=" + run.facts().historyUri() + "; choose another --run-id");
        }
        if (!run.facts().checkerVersion().equals(checkerVersion)) {
            throw new UsageException("run id is taken by a run of another version of nightjar: run-id="
                    + options.runId() + " version=" + run.facts().checkerVersion() + " this=" + checkerVersion
                    + "; choose another --run-id, or delete that run first");
        }
        if (!run.matches(optionsJson(options), fingerprint)) {
            throw new UsageException("run id is taken by a run with other options: run-id=" + options.runId()
                    + " options=" + run.facts().optionsJson() + "; choose another --run-id");
        }
        return run.result();
    }

    /** Returns the options that affect the result, to determine whether a run would be the same again. */
    private static String optionsJson(CheckOptions options) {
        StringJoiner levels = new StringJoiner(",");
        options.levels().forEach(level -> levels.add(level.longName()));
        StringJoiner versionOrders = new StringJoiner(",");
        options.versionOrders().forEach(source -> versionOrders.add(source.spelling()));
        return OptionsJson.of(
                "levels",
                levels.toString(),
                LevelDefinitions.OPTION,
                LevelDefinitions.of(options.levels()),
                "evidence",
                options.evidence().word(),
                "version_order",
                versionOrders.toString(),
                "initial_value",
                options.initialValue(),
                "max_dead_letters",
                String.valueOf(options.maxDeadLetters()),
                "max_anomalies",
                String.valueOf(options.maxAnomalies()),
                "budget_ms",
                String.valueOf(options.search().budgetNanos() / 1_000_000),
                "component_budget_ms",
                String.valueOf(options.search().componentBudgetNanos() / 1_000_000),
                "cross_check",
                String.valueOf(options.search().crossChecks()),
                "conflicts",
                options.search().conflictsBySet() ? "set" : null);
    }
}
