package io.nightjar.jobs.mock.command;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.DurationConverter;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.StopSignals;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.UnmatchedHint;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.RunLog;
import io.nightjar.jobs.mock.explore.CommandTrial;
import io.nightjar.jobs.mock.explore.Exploration;
import io.nightjar.jobs.mock.explore.ReplayFile;
import io.nightjar.jobs.mock.explore.Trial;
import io.nightjar.jobs.mock.explore.WorkloadTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command that runs a test repeatedly against mocks, and reports the answers that break it. */
@Command(
        name = "explore",
        description = "Run a test again and again against a database that answers with anything an isolation level"
                + " allows. The test finds it by NIGHTJAR_URL (JDBC), DATABASE_URL or PGHOST and PGPORT, and breaks if it"
                + " does not end with 0. Exit codes: 0 it did not break, 1 it breaks, 2 not all could be tried.",
        footer = {
            "  nightjar explore --isolation cc -- ./run-test.sh",
            "  nightjar explore --isolation si --exhaustive -- psql -f test.sql",
            "  nightjar explore --isolation cc --workload courseware",
            "  nightjar explore --isolation rc --runs 1000 --seed 7 --json -- mvn -q test -Dtest=TransferTest"
        })
final class ExploreCommand implements Callable<Integer>, UnmatchedHint {

    /** Hint for a command line without the dashes. */
    private static final String COMMAND_AFTER_DASHES =
            "the command follows --, which separates its options: nightjar explore … -- COMMAND…";

    private static final int MAX_STATEMENT_LENGTH = 160;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command to run, after --.")
    private List<String> command = List.of();

    @ArgGroup(exclusive = false, heading = "%nInstead of a command:%n")
    private @Nullable ExploredWorkload workload;

    @Option(names = "--runs", paramLabel = "N", description = "Maximum number of runs (default: 100).")
    private @Nullable Long runs;

    @Option(
            names = "--exhaustive",
            description =
                    "Try all possible answers, with --schedule serial in all orders of transactions; valid if the test does"
                            + " the same each time that its answers are the same.")
    private boolean exhaustive;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "Maximum duration of the search (default: ${DEFAULT-VALUE}).")
    private Duration budget;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            converter = DurationConverter.class,
            description = "Maximum duration of a run; a longer run counts as broken (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Option(
            names = "--settle",
            paramLabel = "TIME",
            defaultValue = "50ms",
            converter = DurationConverter.class,
            description =
                    "With --schedule serial: how long all clients are silent before one of the waiting transactions"
                            + " is chosen to run next (default: ${DEFAULT-VALUE}).")
    private Duration settle;

    @Mixin
    private MockSettings settings;

    @Option(
            names = "--history",
            paramLabel = "OUT",
            defaultValue = "nightjar-explore.jsonl",
            description = "The archive of the last run; OUT.replay has its answers (default: ${DEFAULT-VALUE}).")
    private Path history;

    @Option(names = "--json", description = "Print the result as a JSON object.")
    private boolean json;

    private volatile boolean isInterrupted;

    @Override
    public String unmatchedHint() {
        return COMMAND_AFTER_DASHES;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (runs != null && exhaustive) {
            throw new UsageException("--runs and --exhaustive exclude each other; --budget bounds both");
        }
        if (runs != null && runs < 1) {
            throw new UsageException("out of range: runs=" + runs + " min=1");
        }
        if (!command.isEmpty() && !command.equals(argumentsAfterDashes())) {
            throw new UsageException(COMMAND_AFTER_DASHES);
        }
        if (command.isEmpty() == (workload == null)) {
            throw new UsageException("expected either a command after -- or --workload");
        }
        MockOptions options = settings.options();
        MockCommand.checkArchive(history);
        long end = System.nanoTime() + budget.toNanos();
        WorkloadTrial application = workload == null ? null : workload.trial(options);
        CommandTrial started = new CommandTrial(
                command, options, history, timeout.toMillis(), settle.toMillis(), exhaustive, Terminal::printNote);
        Exploration exploration =
                new Exploration(application == null ? checked(started) : application, () -> System.nanoTime() > end);
        StopSignals.onFirst(isInterrupt -> {
            isInterrupted = isInterrupt;
            exploration.stop();
            started.stop();
        });
        Exploration.Found found = exhaustive
                ? exploration.all(options.seed())
                : exploration.random(runs == null ? 100 : runs, options.reads().choice(), options.seed());
        if (application != null && found.last() != null) {
            application.archive(history);
            application.run(found.last());
        }
        if (found.broken() != null) {
            new ReplayFile(options.level(), found.broken().choices()).write(replayFile());
        } else {
            Files.deleteIfExists(replayFile());
        }
        if (json) {
            System.out.println(json(options, found));
        } else {
            report(options, found);
        }
        if (isInterrupted) {
            return StopSignals.INTERRUPTED;
        }
        return switch (found.verdict()) {
            case BROKEN -> ExitCode.VIOLATED;
            case NOT_FOUND, CANNOT -> ExitCode.HOLDS;
            case UNDECIDED -> ExitCode.UNDECIDED;
        };
    }

    private List<String> argumentsAfterDashes() {
        List<String> given = spec.commandLine().getParseResult().originalArgs();
        return given.subList(given.indexOf("--") + 1, given.size());
    }

    private Path replayFile() {
        return history.resolveSibling(history.getFileName() + ".replay");
    }

    private static Trial checked(CommandTrial trial) {
        return answers -> {
            try {
                return trial.run(answers);
            } catch (IOException failed) {
                if (String.valueOf(failed.getMessage()).startsWith("Cannot run program")) {
                    throw new UsageException("cannot run the command: " + failed.getMessage(), failed);
                }
                throw failed;
            }
        };
    }

    // ---------------------------------------------------------------- output

    private void report(MockOptions options, Exploration.Found found) {
        String level = options.level().longName();
        switch (found.verdict()) {
            case NOT_FOUND ->
                System.out.println("not broken in " + found.runs() + " runs at " + level + "  (seed " + options.seed()
                        + "; more runs may find more)");
            case CANNOT ->
                System.out.println("cannot break at " + level + ": all " + found.histories() + " histories tried"
                        + (found.runs() > found.histories() ? "  (" + found.runs() + " runs)" : ""));
            case UNDECIDED ->
                System.out.println("undecided: "
                        + switch (found.end()) {
                            case DIVERGED ->
                                "the command does not do the same when it gets the same answers, run "
                                        + found.runs() + " was another one; try --runs"
                                        + (options.schedule().isSerial()
                                                ? ", or a longer --settle"
                                                : ", or --schedule serial");
                            case STOPPED -> "stopped, not broken in " + found.runs() + " runs at " + level;
                            case DONE, TIME ->
                                "no time left after " + found.runs() + " runs at " + level + "; raise --budget";
                        });
            case BROKEN -> reportBroken(level, options, found);
        }
    }

    private void reportBroken(String level, MockOptions options, Exploration.Found found) {
        Trial.Result broken = requireNonNull(found.broken());
        int stale = broken.choices().staleCount();
        System.out.println("breaks at " + level + ": run " + found.runs() + ", exit code " + broken.exitCode()
                + ", seed " + options.seed());
        if (!found.repeats()) {
            System.out.println("The run does not repeat: the command did something else when it got the same answers"
                    + (options.schedule().isSerial() ? ", or is slower than --settle." : "."));
        } else if (stale == 0) {
            System.out.println("It breaks without any stale read: every read returned the last committed version.");
        } else {
            long marked = broken.steps().stream()
                    .mapToLong(step -> step.staleReads().size())
                    .sum();
            System.out.println("Smallest run after " + found.replays()
                    + (found.end() == Exploration.End.STOPPED ? " replays, when it was stopped: " : " replays: ")
                    + stale + " stale "
                    + (stale == 1 ? "read" : "reads") + ", marked with >"
                    + (marked > stale
                            ? " (as " + (marked - stale == 1 ? "is " : "are ") + (marked - stale)
                                    + " that could not be newer then)"
                            : ""));
        }
        System.out.println();
        for (RunLog.Step step : broken.steps()) {
            String mark = step.staleReads().isEmpty() ? "  " : "> ";
            System.out.println(mark + "s" + step.session() + "  " + flat(step.statement()));
            for (RunLog.StaleRead read : step.staleReads()) {
                System.out.println("        " + read.object() + " was "
                        + (read.read() == null ? "in its initial state" : read.read()) + ", though T" + read.writer()
                        + " had committed " + read.newest());
            }
        }
        if (!broken.output().isBlank()) {
            System.out.println();
            System.out.println(workload == null ? "Output of the command:" : "Violated assertions:");
            broken.output().lines().forEach(line -> System.out.println("  " + line));
        }
        System.out.println();
        System.out.println("archive " + history + (workload == null ? ", answers " + replayFile() : ""));
    }

    private static String flat(String statement) {
        String line = SanitizedText.flat(statement.strip().replaceAll("\\s+", " "));
        return line.length() <= MAX_STATEMENT_LENGTH ? line : line.substring(0, MAX_STATEMENT_LENGTH) + "…";
    }

    private String json(MockOptions options, Exploration.Found found) {
        JsonObject object = new JsonObject()
                .put("schema", 1)
                .put("isolation", options.level().longName())
                .put(
                        "verdict",
                        switch (found.verdict()) {
                            case BROKEN -> "broken";
                            case NOT_FOUND -> "not-found";
                            case CANNOT -> "cannot-break";
                            case UNDECIDED -> "undecided";
                        })
                .put("runs", found.runs())
                .put("histories", found.histories())
                .put("replays", found.replays())
                .put("seed", options.seed())
                .put("diverged", found.end() == Exploration.End.DIVERGED)
                .putPresent("stopped", found.end() == Exploration.End.STOPPED ? true : null);
        if (found.broken() != null) {
            object.put("exit_code", found.broken().exitCode())
                    .put("stale_reads", found.broken().choices().staleCount())
                    .put("repeats", found.repeats())
                    .put("replay", replayFile())
                    .putEach("steps", found.broken().steps(), ExploreCommand::object);
        }
        return object.put("out", history).text();
    }

    private static JsonObject object(RunLog.Step step) {
        return new JsonObject()
                .put("session", step.session())
                .put("statement", step.statement())
                .putEach("stale", step.staleReads(), read -> new JsonObject()
                        .put("key", read.object())
                        .put("read", read.read())
                        .put("newest", read.newest())
                        .put("newest_writer", read.writer()));
    }
}
