package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The outputs of a check for a build, and the conditions under which the check fails it. */
final class CiOptions {

    /** The formats in which results are reported to a build. */
    enum Output {
        /** Annotations on stdout, and the page of the step. */
        GITHUB,
        JUNIT,
        SARIF;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--ci",
            paramLabel = "LIST",
            completionCandidates = OutputNames.class,
            description = "Also write junit.xml, results.sarif and summary.json to the run's folder in the lake and to"
                    + " --artifacts, or github: annotations on stdout and the step summary. Any of github,junit,sarif.")
    private @Nullable String outputs;

    @Option(
            names = "--baseline",
            paramLabel = "RUN",
            description =
                    "A run or batch of the lake to compare with, or latest: the previous run of the same history.")
    private @Nullable String baseline;

    @Option(
            names = "--fail-on",
            paramLabel = "SCOPE",
            defaultValue = "any",
            completionCandidates = FailOnNames.class,
            description =
                    "any anomaly, or new: only anomalies absent from the baseline count as violated for the exit code."
                            + " Default: ${DEFAULT-VALUE}.")
    private String failOn;

    @Option(
            names = "--exit-zero",
            description = "Exit 0 for violated and undecided too; failures to check keep their codes.")
    private boolean exitZero;

    /**
     * Validates the combination of options.
     *
     * @param hasLake whether tables are written
     * @param hasArtifacts whether another folder for files is given
     */
    void check(boolean hasLake, boolean hasArtifacts) {
        Set<Output> wanted = outputs();
        if (!List.of("any", "new").contains(failOn)) {
            throw new UsageException("unknown reason to fail: fail-on=" + failOn + " expected=any|new");
        }
        if (isOnlyNew() && baseline == null) {
            throw new UsageException("--fail-on new compares with a run: baseline is missing; add --baseline RUN");
        }
        if (baseline != null && !hasLake) {
            throw new UsageException("--baseline names a run of the lake: lake=none baseline=" + baseline
                    + "; give the --lake that holds it");
        }
        boolean hasFiles = wanted.contains(Output.JUNIT) || wanted.contains(Output.SARIF);
        if (hasFiles && !hasLake && !hasArtifacts) {
            throw new UsageException("--ci has nowhere to write: ci=" + outputs + " lake=none; add --artifacts DIR");
        }
    }

    /** Returns whether any output besides the exit code is requested. */
    boolean isAsked() {
        return outputs != null || baseline != null;
    }

    Set<Output> outputs() {
        EnumSet<Output> wanted = EnumSet.noneOf(Output.class);
        for (String name : outputs == null ? new String[0] : outputs.split(",", -1)) {
            wanted.add(Arrays.stream(Output.values())
                    .filter(output -> output.word().equalsIgnoreCase(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("unknown output for a build: ci=" + name.strip()
                            + " expected="
                            + Arrays.stream(Output.values()).map(Output::word).collect(Collectors.joining("|")))));
        }
        return wanted;
    }

    /** Returns the run to compare with; null for none. */
    @Nullable
    String baseline() {
        return baseline;
    }

    boolean isOnlyNew() {
        return failOn.equals("new");
    }

    /** Returns the exit code of the process for a verdict of the check. */
    int codeOf(int answer) {
        boolean isVerdict = answer == ExitCode.VIOLATED || answer == ExitCode.UNDECIDED;
        return exitZero && isVerdict ? ExitCode.HOLDS : answer;
    }

    /** Values of the option, for shells that complete them. */
    private static final class OutputNames implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Output.values()).map(Output::word).iterator();
        }
    }

    /** Values of the option, for shells that complete them. */
    private static final class FailOnNames implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return List.of("any", "new").iterator();
        }
    }
}
