package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.ci.CiHistory;
import io.nightjar.jobs.command.AnsiStyle;
import io.nightjar.jobs.command.DurationConverter;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Failures;
import io.nightjar.jobs.command.FormatNames;
import io.nightjar.jobs.command.HistoryAddressConverter;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.command.ResultStream;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.TextWrap;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.input.HistoryArgument;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.options.CheckSummary;
import io.nightjar.jobs.options.EngineOptions;
import io.nightjar.jobs.options.LevelNames;
import io.nightjar.jobs.options.RunOptions;
import io.nightjar.jobs.options.TerminalWatcher;
import io.nightjar.jobs.run.CheckEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.EngineProvider;
import io.nightjar.jobs.run.JobSubmittedException;
import io.nightjar.jobs.run.SerialOrder;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nightjar check}: decides isolation levels and writes anomaly tables. */
@Command(
        name = "check",
        description = "Decide which isolation levels a history satisfies, and write every anomaly to tables.",
        footer = {
            "  nightjar check history.parquet",
            "  nightjar check --level si --lake none --json night/*.jsonl",
            "  nightjar check --memory 4g --lake /data/lake --run-id r20261120 /data/history-parts"
        })
public final class CheckCommand implements Callable<Integer> {

    private static final int DEFAULT_LISTED = 100;

    @Spec
    private CommandSpec spec;

    @Parameters(
            converter = HistoryAddressConverter.class,
            arity = "1..*",
            paramLabel = "HISTORY",
            description = "A file, a pipe, - for standard input, or a directory that is one history.")
    private List<Path> histories;

    @Option(
            names = "--level",
            paramLabel = "LEVELS",
            defaultValue = "si,ser",
            description = {
                "rc, ra, cc, pc, si, ser: the levels of Biswas and Enea, session order included; all for the six. sser"
                        + " adds real time. Or a level of Elle's: PL-1, PL-2, PL-2.99, PL-SI, PL-3 without session"
                        + " order, strong-session-…, strong-… and others. Long names are accepted, several are"
                        + " separated by commas. Default: ${DEFAULT-VALUE}."
            })
    private String levels;

    @Option(
            names = "--evidence",
            paramLabel = "KIND",
            defaultValue = "auto",
            completionCandidates = EvidenceNames.class,
            description = "Evidence to trust: auto, timestamps, values or versions. Default: ${DEFAULT-VALUE}.")
    private String evidence;

    @Mixin
    private EngineOptions engine;

    @Mixin
    private CiOptions ci;

    @Mixin
    private RunOptions runOptions;

    @Option(names = "--json", description = "Print one JSON object for each history.")
    private boolean json;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "20m",
            description =
                    "How long searches may take for each history; then levels are undecided. Default: ${DEFAULT-VALUE}.")
    private Duration budget;

    @Option(
            names = "--component-budget",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "The same for each component of a history. Default: 60s, longer for more than 200,000 transactions.")
    private @Nullable Duration componentBudget;

    @Option(
            names = "--witness",
            paramLabel = "FILE",
            description = "Where the order goes that proves a level, as JSON Lines.")
    private @Nullable Path witness;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = "Check serializable against this serial order: commit_ts, or a file with one txn_id a line.")
    private @Nullable String order;

    @Option(names = "--artifacts", paramLabel = "DIR", description = "Where text and drawings of each anomaly go.")
    private @Nullable Path artifacts;

    @Option(
            names = "--version-order",
            paramLabel = "SOURCES",
            description =
                    "Rules that order the versions of registers at Elle's levels: wfr (a transaction that read a version"
                            + " and wrote the key replaced it), session (each key follows its sessions), realtime (each key follows"
                            + " real time).")
    private @Nullable String versionOrder;

    @Option(
            names = "--conflicts",
            paramLabel = "element|set",
            defaultValue = "element",
            description = "At si, changes of one element of a set conflict, or all changes of one set (default:"
                    + " ${DEFAULT-VALUE}).")
    private String conflicts;

    @Option(names = "--cross-check", description = "Search every component in two ways, which must agree.")
    private boolean crossCheck;

    @Option(
            names = "--max-anomalies",
            paramLabel = "N",
            description = {
                "How many anomalies to list, at least one of each type first. Default: 100 in JSON and for --artifacts,"
                        + " a few of each type in text. Counts are never cut, tables at 1,000,000 rows."
            })
    private @Nullable Integer maxAnomalies;

    @Option(
            names = "--from",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = {"The input format; otherwise it is recognised.", "One of ${COMPLETION-CANDIDATES}."})
    private @Nullable String from;

    @Mixin
    private ColumnOptions columns;

    @Option(
            names = "--max-dead-letters",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Maximum number of malformed rows to skip. If any row is skipped, no level can hold. Default: ${DEFAULT-VALUE}.")
    private long maxDeadLetters;

    @Option(
            names = "--plan",
            description = "Estimate memory, time, disk, lanes and components of a check, without checking.")
    private boolean isOnlyPlanned;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Options by their names, a line each, such as level: si,ser; the command line wins.")
    private @Nullable Path config;

    @Override
    public Integer call() throws IOException {
        if (isOnlyPlanned) {
            return plan(options());
        }
        try (CiReporter reporter = new CiReporter(ci, options(), System.getenv())) {
            return ci.codeOf(checkAll(reporter));
        }
    }

    private int plan(CheckOptions options) {
        int code = ExitCode.HOLDS;
        for (Path history : histories) {
            try (HistoryArgument given = Inputs.find(history);
                    HistorySource source = given.open(from)) {
                CheckPlan plan = CheckPlan.of(source, options);
                print(json ? plan.json() : plan.text());
            } catch (ResultStream.BrokenException broken) {
                throw broken; // the reader of the output has closed it
            } catch (IOException | RuntimeException | Error failed) {
                if (json) {
                    print(Failures.json(HistoryArgument.nameOf(history), failed));
                }
                code = ExitCode.worse(code, Failures.report(failed));
            }
        }
        return code;
    }

    private int checkAll(CiReporter reporter) throws IOException {
        CheckOptions options = reporter.options();
        if (!engine.isFlink()) {
            boolean isInTurn = ci.isAsked() || options.artifacts() != null || options.witness() != null;
            int threads = isInTurn ? 1 : options.threadCount();
            try (ReadAheadChecker ahead = new ReadAheadChecker(
                    histories, threads, (history, isTaken) -> checkHere(history, options, isTaken))) {
                return checkAll(options, reporter, ahead::check);
            }
        }
        try (CheckEngine flink = EngineProvider.named(engine.name())
                .create(options, engine.parallelism(), engine.cluster(), Version.number(), new TerminalWatcher())) {
            return checkAll(options, reporter, (number, history) -> flink.check(history, from));
        }
    }

    /** Checks one history, numbered as the arguments are, with the selected engine. */
    @FunctionalInterface
    private interface Engine {
        RunResult check(int number, HistoryArgument history) throws IOException;
    }

    private int checkAll(CheckOptions options, CiReporter reporter, Engine by) throws IOException {
        int code = ExitCode.HOLDS;
        BatchSummary summary = new BatchSummary();
        for (int number = 0; number < histories.size(); number++) {
            code = ExitCode.worse(code, check(number, options, reporter, summary, by));
        }
        if (histories.size() > 1 && !json) {
            print("");
            print(summary.line());
        }
        reporter.finish(code);
        reporter.annotations().forEach(json ? System.err::println : System.out::println);
        return code;
    }

    private void checkShared(Path history) {
        boolean hasQuery = spec.commandLine().getParseResult().originalArgs().stream()
                .anyMatch(argument -> argument.matches("(?is)https?://.*\\?.*"));
        if (hasQuery && Addresses.isWeb(history)) {
            throw new UsageException(
                    "--cluster reads web addresses without query only, since a query may be a secret signature: address="
                            + history + "; use --engine local, or name a bucket");
        }
    }

    private CheckOptions options() throws IOException {
        String runId = runOptions.runId();
        if (runId != null && histories.size() > 1) {
            throw new UsageException(
                    "--run-id names one run: histories=" + histories.size() + "; call check once for each history");
        }
        if (witness != null && histories.size() > 1) {
            throw new UsageException(
                    "--witness names one file: histories=" + histories.size() + "; call check once for each history");
        }
        HistoryArgument.checkTogether(histories);
        if (witness != null) {
            Outputs.checkApart(witness, histories.get(0));
            OutputPaths.checkFile(witness);
        }
        from = columns.formatName(from);
        engine.check();
        notNegative("--max-anomalies", maxListed());
        notNegative("--max-dead-letters", maxDeadLetters);
        Path lakeRoot = runOptions.lake();
        ci.check(lakeRoot != null, artifacts != null);
        if (ci.isAsked() && lakeRoot == null && engine.isElsewhere()) {
            throw new UsageException("--ci needs tables that the cluster can write: lake=none; give a --lake");
        }
        if (engine.isElsewhere()) {
            histories.forEach(this::checkShared);
        }
        for (Path history : histories) {
            if (lakeRoot != null) {
                Outputs.checkDirectoryApart("--lake", lakeRoot, history, from);
            }
            if (artifacts != null) {
                OutputPaths.localPath("--artifacts", artifacts.toString());
                Outputs.checkDirectoryApart("--artifacts", artifacts, history, from);
            }
        }
        List<IsolationLevel> asked = LevelNames.parse(levels);
        if (order != null && !asked.contains(IsolationLevel.SERIALIZABLE)) {
            throw new UsageException("--order applies to serializable only: level=" + levels + "; ask for ser");
        }
        return CheckOptions.of(asked)
                .evidence(parseEvidence(evidence))
                .initialValue(runOptions.initialValue())
                .maxDeadLetters(maxDeadLetters)
                .maxAnomalies(maxListed())
                .lake(lakeRoot)
                .runId(runId)
                .search(new CheckOptions.Search(
                        budget.toNanos(),
                        componentBudget == null ? 0 : componentBudget.toNanos(),
                        crossCheck,
                        conflictsBySet()))
                .versionOrders(parseVersionOrders(versionOrder))
                .artifacts(artifacts)
                .witness(witness)
                .threadCount(engine.threadCount(runOptions.memoryBytes()))
                .memoryBytes(runOptions.memoryBytes())
                .batchId(LakeNames.newBatchId())
                .order(SerialOrder.parse(order))
                .build();
    }

    private boolean conflictsBySet() {
        if (!conflicts.equals("element") && !conflicts.equals("set")) {
            throw new UsageException("unknown conflicts: conflicts=" + conflicts + " expected=element|set");
        }
        return conflicts.equals("set");
    }

    private int maxListed() {
        return maxAnomalies == null ? DEFAULT_LISTED : maxAnomalies;
    }

    static Evidence parseEvidence(String word) {
        for (Evidence kind : Evidence.values()) {
            if (kind.word().equalsIgnoreCase(word.strip())) {
                return kind;
            }
        }
        throw new UsageException(
                "unknown evidence: evidence=" + word + " expected=" + String.join("|", new EvidenceNames()));
    }

    /** Reads names of the option, or as runs store them. */
    static Set<VersionSource> parseVersionOrders(@Nullable String text) {
        EnumSet<VersionSource> sources = EnumSet.noneOf(VersionSource.class);
        for (String name : text == null ? new String[0] : text.split(",", -1)) {
            sources.add(
                    switch (name.strip().toLowerCase(Locale.ROOT)) {
                        case "wfr", "wfr-keys" -> VersionSource.WRITES_FOLLOW_READS;
                        case "session", "sequential-keys" -> VersionSource.SESSION;
                        case "realtime", "linearizable-keys" -> VersionSource.REALTIME;
                        default ->
                            throw new UsageException(
                                    "unknown version order: version-order=" + name + " expected=wfr,session,realtime");
                    });
        }
        return sources;
    }

    private static void notNegative(String option, long number) {
        if (number < 0) {
            throw new UsageException("negative number: " + option + "=" + number);
        }
    }

    /**
     * Checks one of the histories; if it cannot be checked, the others are checked nevertheless, and it has a line as
     * they do.
     */
    private int check(int number, CheckOptions options, CiReporter reporter, BatchSummary summary, Engine by) {
        Path history = histories.get(number);
        try (HistoryArgument given = Inputs.find(history)) {
            CiHistory answer = reporter.add(by.check(number, given));
            print(json ? jsonOf(answer) : textOf(answer, options));
            RunResult result = requireNonNull(answer.result());
            summary.add(ExitCode.of(result.verdict()), result.report().faults());
            return answer.code();
        } catch (JobSubmittedException submitted) {
            Terminal.printNote(String.valueOf(submitted.getMessage()));
            // this process has no verdict, and its exit code must not mean that a level holds
            summary.add(ExitCode.UNDECIDED, RunResult.Faults.NONE);
            return ExitCode.UNDECIDED;
        } catch (ResultStream.BrokenException broken) {
            throw broken; // the reader of the output has closed it
        } catch (IOException | RuntimeException | Error failed) {
            int code = fail(history, failed, reporter);
            summary.add(code, RunResult.Faults.NONE);
            return code;
        }
    }

    private static String jsonOf(CiHistory answer) {
        RunResult result = requireNonNull(answer.result());
        return answer.baseline() == null
                ? RunResultJson.write(result)
                : RunResultJson.writeCompared(result, answer.baseline(), answer.newCount());
    }

    private String textOf(CiHistory answer, CheckOptions options) {
        String text = CheckSummary.of(requireNonNull(answer.result()), options, maxAnomalies);
        return answer.baseline() == null
                ? text
                : text + "\n\n  new since " + answer.baseline() + ": " + answer.newCount()
                        + (answer.newDoubt() == null ? "" : " (uncertain)");
    }

    private RunResult checkHere(HistoryArgument history, CheckOptions options, Predicate<RunResult> isTaken)
            throws IOException {
        try (HistorySource source = history.open(from)) {
            return new LocalEngine(options, Version.number(), new TerminalWatcher())
                    .committing(isTaken)
                    .check(source, history.path(), history.keptBytes());
        }
    }

    /**
     * Reports a failure: among several histories, a history without a verdict also has its line, before the reason is
     * printed.
     */
    private int fail(Path history, Throwable failure, CiReporter reporter) {
        reporter.addFailure(HistoryArgument.nameOf(history), failure);
        if (json) {
            print(Failures.json(HistoryArgument.nameOf(history), failure));
        } else if (histories.size() > 1) {
            String what = failure instanceof MalformedHistoryException ? "REJECTED" : "NOT CHECKED";
            print(HistoryArgument.nameOf(history) + ": " + AnsiStyle.RED.on(what));
            System.out.flush();
        }
        return Failures.report(failure);
    }

    private void print(String text) {
        System.out.println(json ? text : TextWrap.fit(text, Terminal.resultWidth()));
    }

    /** The names of evidence for messages, and for shells that complete them. */
    private static final class EvidenceNames implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Evidence.values()).map(Evidence::word).iterator();
        }
    }
}
