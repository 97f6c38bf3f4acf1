package io.nightjar.jobs.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.history.PlainText;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.RunLog;
import io.nightjar.jobs.mock.explore.Answers;
import io.nightjar.jobs.mock.explore.CommandTrial;
import io.nightjar.jobs.mock.explore.Exploration;
import io.nightjar.jobs.mock.explore.ReplayFile;
import io.nightjar.jobs.mock.explore.Trial;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a test again and again against mocks, and tells how it breaks. */
@Command(
        name = "explore",
        description = "Run a test again and again against a database that answers with anything an isolation level"
                + " allows. The test finds it by NIGHTJAR_URL (JDBC), DATABASE_URL or PGHOST and PGPORT, and breaks if it"
                + " does not end with 0. Exit codes: 0 it did not break, 1 it breaks, 2 not all could be tried.",
        footer = {
            "  nightjar explore --isolation cc -- ./run-test.sh",
            "  nightjar explore --isolation si --exhaustive -- psql -f test.sql",
            "  nightjar explore --isolation rc --runs 1000 --seed 7 --json -- mvn -q test -Dtest=TransferTest"
        })
final class ExploreCommand implements Callable<Integer> {

    private static final int LONGEST_STATEMENT = 160;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "What to run, behind --.")
    private List<String> command;

    @Option(names = "--runs", paramLabel = "N", description = "How many runs at most (default: 100).")
    private Long runs;

    @Option(
            names = "--exhaustive",
            description = "Try all answers there are; valid where the test is the same each time that answers are.")
    private boolean exhaustive;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "How long to try (default: ${DEFAULT-VALUE}).")
    private Duration budget;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            converter = DurationConverter.class,
            description = "How long one run may take; one that takes longer is broken (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Mixin
    private MockSettings settings;

    @Option(
            names = "--history",
            paramLabel = "OUT",
            defaultValue = "nightjar-explore.jsonl",
            description = "The archive of the last run; OUT.replay has its answers (default: ${DEFAULT-VALUE}).")
    private Path history;

    @Option(names = "--json", description = "Print what was found as a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (runs != null && exhaustive) {
            throw new UsageException("--runs and --exhaustive exclude each other; --budget bounds both");
        }
        if (runs != null && runs < 1) {
            throw new UsageException("out of range: runs=" + runs + " min=1");
        }
        MockOptions options = settings.options();
        MockCommand.checkArchive(history);
        long end = System.nanoTime() + budget.toNanos();
        CommandTrial trial = new CommandTrial(command, options, history, timeout.toMillis(), Terminal::note);
        Exploration exploration = new Exploration(answers -> run(trial, answers), () -> System.nanoTime() > end);
        Exploration.Found found = exhaustive
                ? exploration.all()
                : exploration.random(runs == null ? 100 : runs, options.choice(), options.seed());
        if (found.broken() != null) {
            new ReplayFile(
                            options.level(),
                            found.broken().behind(),
                            found.broken().bounds())
                    .write(replayFile());
        } else {
            Files.deleteIfExists(replayFile());
        }
        if (json) {
            System.out.println(json(options, found));
        } else {
            tell(options, found);
        }
        return switch (found.verdict()) {
            case BROKEN -> ExitCode.VIOLATED;
            case NOT_FOUND, CANNOT -> ExitCode.HOLDS;
            case UNDECIDED -> ExitCode.UNDECIDED;
        };
    }

    private Path replayFile() {
        return history.resolveSibling(history.getFileName() + ".replay");
    }

    private Trial.Result run(CommandTrial trial, Answers answers) throws IOException, InterruptedException {
        try {
            return trial.run(answers);
        } catch (IOException failed) {
            if (String.valueOf(failed.getMessage()).startsWith("Cannot run program")) {
                throw new UsageException("cannot run the command: " + failed.getMessage(), failed);
            }
            throw failed;
        }
    }

    // ---------------------------------------------------------------- telling

    private void tell(MockOptions options, Exploration.Found found) {
        String level = options.level().longName();
        switch (found.verdict()) {
            case NOT_FOUND ->
                System.out.println("not broken in " + found.runs() + " runs at " + level + "  (seed " + options.seed()
                        + "; more runs may find more)");
            case CANNOT ->
                System.out.println("cannot break at " + level + ": all " + found.runs() + " histories tried");
            case UNDECIDED ->
                System.out.println(
                        found.isDiverged()
                                ? "undecided: the command does not do the same when it gets the same answers, run "
                                        + found.runs() + " was another one; try --runs"
                                : "undecided: no time left after " + found.runs() + " runs at " + level
                                        + "; raise --budget");
            case BROKEN -> tellBroken(level, options, found);
        }
    }

    private void tellBroken(String level, MockOptions options, Exploration.Found found) {
        Trial.Result broken = found.broken();
        int stale = staleReads(broken);
        System.out.println("breaks at " + level + ": run " + found.runs() + ", exit code " + broken.exitCode()
                + ", seed " + options.seed());
        if (!found.repeats()) {
            System.out.println("The run does not repeat: the command did something else when it got the same answers.");
        } else if (stale == 0) {
            System.out.println("It breaks without any stale read: every read returned what was committed last.");
        } else {
            System.out.println("What is left after " + found.replays() + " replays: " + stale + " stale "
                    + (stale == 1 ? "read" : "reads") + ", marked with >");
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
            System.out.println("The command said:");
            broken.output().lines().forEach(line -> System.out.println("  " + line));
        }
        System.out.println();
        System.out.println("archive " + history + ", answers " + replayFile());
    }

    private static String flat(String statement) {
        String line = PlainText.flat(statement.strip().replaceAll("\\s+", " "));
        return line.length() <= LONGEST_STATEMENT ? line : line.substring(0, LONGEST_STATEMENT) + "…";
    }

    private static int staleReads(Trial.Result result) {
        int count = 0;
        for (int behind : result.behind()) {
            count += behind > 0 ? 1 : 0;
        }
        return count;
    }

    private String json(MockOptions options, Exploration.Found found) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator object = new JsonFactory().createGenerator(text)) {
            object.writeStartObject();
            object.writeNumberField("schema", 1);
            object.writeStringField("isolation", options.level().longName());
            object.writeStringField(
                    "verdict",
                    switch (found.verdict()) {
                        case BROKEN -> "broken";
                        case NOT_FOUND -> "not-found";
                        case CANNOT -> "cannot-break";
                        case UNDECIDED -> "undecided";
                    });
            object.writeNumberField("runs", found.runs());
            object.writeNumberField("replays", found.replays());
            object.writeNumberField("seed", options.seed());
            object.writeBooleanField("diverged", found.isDiverged());
            if (found.broken() != null) {
                writeBroken(object, found);
            }
            object.writeStringField("out", history.toString());
            object.writeEndObject();
        }
        return text.toString();
    }

    private void writeBroken(JsonGenerator object, Exploration.Found found) throws IOException {
        Trial.Result broken = found.broken();
        object.writeNumberField("exit_code", broken.exitCode());
        object.writeNumberField("stale_reads", staleReads(broken));
        object.writeBooleanField("repeats", found.repeats());
        object.writeStringField("replay", replayFile().toString());
        object.writeArrayFieldStart("steps");
        for (RunLog.Step step : broken.steps()) {
            object.writeStartObject();
            object.writeNumberField("session", step.session());
            object.writeStringField("statement", step.statement());
            object.writeArrayFieldStart("stale");
            for (RunLog.StaleRead read : step.staleReads()) {
                object.writeStartObject();
                object.writeStringField("key", read.object());
                object.writeStringField("read", read.read());
                object.writeStringField("newest", read.newest());
                object.writeNumberField("newest_writer", read.writer());
                object.writeEndObject();
            }
            object.writeEndArray();
            object.writeEndObject();
        }
        object.writeEndArray();
    }
}
