package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.artifact.WholeFile;
import io.nightjar.jobs.ci.BaselineComparison;
import io.nightjar.jobs.ci.CiAnomaly;
import io.nightjar.jobs.ci.CiHistory;
import io.nightjar.jobs.ci.CiSummaryJson;
import io.nightjar.jobs.ci.GitHubOutput;
import io.nightjar.jobs.ci.JUnitXml;
import io.nightjar.jobs.ci.SarifLog;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Failures;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.run.CheckOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports the outcome of a build's histories to it. All data of the report is read from the tables of the runs; if none
 * are requested, they are written to a scratch folder.
 */
final class CiReporter implements AutoCloseable {

    private static final String LATEST = "latest";
    private static final String STEP_SUMMARY = "GITHUB_STEP_SUMMARY";

    private final CiOptions ci;
    private final CheckOptions options;
    private final boolean isScratch;
    private final @Nullable ScratchFolder scratch;
    private final Map<String, String> environment;
    private final List<CiHistory> histories = new ArrayList<>();

    /**
     * @param asked the options as the user gave them
     * @param environment environment variables of the build, which select its outputs
     */
    CiReporter(CiOptions ci, CheckOptions asked, Map<String, String> environment) {
        this.ci = ci;
        this.environment = environment;
        this.isScratch = ci.isAsked() && asked.lake() == null;
        this.scratch = isScratch ? ScratchFolder.create(asked.spillParent(), "nightjar-ci-") : null;
        this.options = scratch == null ? asked : asked.withLake(scratch.path().resolve("lake"));
        String named = ci.baseline();
        if (named != null && !named.equals(LATEST)) {
            StoredRuns.named(lake(), named); // rejects runs that the lake does not contain
        }
    }

    /** Returns the options to check with. */
    CheckOptions options() {
        return options;
    }

    /** Returns the lake that runs are written to, if more than a verdict is requested. */
    private Lake lake() {
        return Lake.open(requireNonNull(options.lake()));
    }

    /** Returns the runs of the baseline for a history; none if it has no run before the current run. */
    private List<String> baselineRuns(String named, String history, String runId) {
        Lake lake = lake();
        if (!named.equals(LATEST) || lake.completeRuns().contains(named)) {
            return StoredRuns.named(lake, named);
        }
        String historyId = LakeNames.historyId(history);
        return lake.storedRuns().stream()
                .filter(run -> run.historyId().equals(historyId) && !run.runId().equals(runId))
                .max(StoredRuns.BY_AGE)
                .map(run -> List.of(run.runId()))
                .orElse(List.of());
    }

    /** Accepts a result; returns the report on it. */
    CiHistory add(RunResult result) throws IOException {
        RunResult reported = isScratch ? result.withoutRun() : result;
        if (!ci.isAsked()) {
            return new CiHistory(result.history(), ExitCode.of(result.verdict()), reported, null, List.of(), null);
        }
        CiHistory history;
        try (BaselineComparison anomalies = BaselineComparison.open(lake())) {
            history = compared(result, reported, anomalies);
        }
        histories.add(history);
        if (!isScratch && !ci.outputs().isEmpty()) {
            writeFiles(
                    lake().folderOf(requireNonNull(result.runId())),
                    List.of(history),
                    history.code(),
                    history.verdict());
        }
        return history;
    }

    private CiHistory compared(RunResult result, RunResult histories, BaselineComparison anomalies) {
        int code = ExitCode.of(result.verdict());
        CiHistory.Comparison comparison = null;
        String named = ci.baseline();
        String runId = requireNonNull(result.runId());
        if (named != null) {
            List<String> runs = baselineRuns(named, result.history(), runId);
            anomalies.compareWith(runs, StoredRuns.changedLevels(lake(), runs, List.of(runId)));
            BaselineComparison.Counts counts = anomalies.count(runId);
            boolean isWhole = counts.rows() >= result.report().anomalyCount();
            String baseline = named.equals(LATEST) && runs.size() == 1 ? runs.get(0) : named;
            boolean mustBeNew = ci.isOnlyNew() && isWhole;
            String newDoubt = newDoubt(result, runs);
            comparison = new CiHistory.Comparison(baseline, counts.newOnes(), mustBeNew, newDoubt);
            if (newDoubt != null) {
                Terminal.printNote(result.history() + ": " + newDoubt);
            }
            if (ci.isOnlyNew() && !isWhole) {
                Terminal.printNote("cannot compare with the baseline because some anomalies were not written: found="
                        + result.report().anomalyCount() + " written=" + counts.rows());
            }
            if (mustBeNew && code == ExitCode.VIOLATED && counts.newOnes() == 0) {
                boolean isUndecided =
                        result.levels().values().stream().anyMatch(level -> level.verdict() == Verdict.UNDECIDED);
                code = isUndecided ? ExitCode.UNDECIDED : ExitCode.HOLDS;
            }
        }
        List<CiAnomaly> first = ci.outputs().isEmpty() ? List.of() : anomalies.first(runId, SarifLog.MAX_RESULTS);
        return new CiHistory(result.history(), code, histories, null, first, comparison);
    }

    /**
     * Returns why a comparison is uncertain: this run or one of the baseline did not find all anomalies; null if all
     * did.
     */
    private @Nullable String newDoubt(RunResult result, List<String> baselineRuns) {
        StringJoiner phrases = new StringJoiner(" and ");
        List<IsolationLevel> here = result.partlyKnown();
        if (!here.isEmpty()) {
            phrases.add("this run at " + names(here));
        }
        for (String runId : baselineRuns) {
            List<IsolationLevel> there = lake().completedRun(runId)
                    .map(run -> run.result().partlyKnown())
                    .orElse(List.of());
            if (!there.isEmpty()) {
                phrases.add("the baseline " + runId + " at " + names(there));
            }
        }
        return phrases.length() == 0
                ? null
                : "cannot determine the new anomalies, since not all were found: " + phrases;
    }

    private static String names(List<IsolationLevel> levels) {
        return levels.stream().map(IsolationLevel::longName).collect(Collectors.joining(", "));
    }

    /** Adds a history that could not be checked. */
    void addFailure(String history, Throwable failure) {
        Failures.Reason reason = Failures.reasonOf(failure);
        histories.add(CiHistory.failed(
                history, reason.code(), new CiHistory.Failure(reason.word(), reason.line(), reason.location())));
    }

    /** Writes the reports on all histories together. */
    void finish(int code) throws IOException {
        if (ci.outputs().isEmpty()) {
            return;
        }
        if (options.artifacts() != null) {
            writeFiles(options.artifacts(), histories, code, wordOf(code));
        }
        if (ci.outputs().contains(CiOptions.Output.GITHUB)) {
            addSummary();
        }
    }

    /** Returns the lines to print for GitHub. */
    List<String> annotations() {
        return ci.outputs().contains(CiOptions.Output.GITHUB) ? GitHubOutput.annotations(histories) : List.of();
    }

    private void writeFiles(Path folder, List<CiHistory> histories, int code, String verdict) throws IOException {
        if (ci.outputs().contains(CiOptions.Output.JUNIT)) {
            write(folder.resolve("junit.xml"), JUnitXml.write(histories));
        }
        if (ci.outputs().contains(CiOptions.Output.SARIF)) {
            write(folder.resolve("results.sarif"), SarifLog.write(histories, Version.number(), Path.of("")));
        }
        double budgetSeconds = options.search().budgetNanos() / 1e9;
        write(folder.resolve("summary.json"), CiSummaryJson.write(histories, code, verdict, budgetSeconds));
    }

    private static void write(Path file, String text) throws IOException {
        WholeFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private void addSummary() throws IOException {
        String named = environment.getOrDefault(STEP_SUMMARY, "");
        if (named.isEmpty()) {
            return;
        }
        Path file = Path.of(named);
        long there = Files.exists(file) ? Files.size(file) : 0;
        String page = GitHubOutput.summary(histories, GitHubOutput.MAX_SUMMARY_BYTES - there);
        Files.writeString(file, page, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String wordOf(int code) {
        return switch (code) {
            case ExitCode.HOLDS -> Verdict.HOLDS.word();
            case ExitCode.VIOLATED -> Verdict.VIOLATED.word();
            case ExitCode.UNDECIDED -> Verdict.UNDECIDED.word();
            case ExitCode.REJECTED -> "rejected";
            default -> "failed";
        };
    }

    @Override
    public void close() {
        if (scratch != null) {
            scratch.close();
        }
    }
}
