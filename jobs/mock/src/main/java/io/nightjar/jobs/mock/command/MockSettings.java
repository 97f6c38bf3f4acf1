package io.nightjar.jobs.mock.command;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.DurationConverter;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockRules;
import io.nightjar.jobs.mock.replay.RecordedRun;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command-line settings of {@code mock} and {@code explore} for the answers of a mock. */
final class MockSettings {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            defaultValue = "ser",
            description =
                    "rc ra cc pc si or ser: reads may return every answer that this level allows (default: ${DEFAULT-VALUE}).")
    private String isolation;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Same seed and same order of statements, same answers (default: random, printed at the start).")
    private @Nullable Long seed;

    @Option(
            names = "--choice",
            paramLabel = "MODE[,TABLE=MODE…]",
            description =
                    "Which of the allowed versions a read returns: uniform, newest, depth (seldom an old one) or"
                            + " mixed (in turn; default, except --paper: uniform); of one table another one: mixed,account=newest.")
    private @Nullable String choice;

    @Option(
            names = "--updates",
            paramLabel = "MODE",
            description = "Version that UPDATE, DELETE and FOR UPDATE read: newest (default) or any.")
    private @Nullable String updates;

    @Option(
            names = "--constraints",
            paramLabel = "MODE",
            description = "Version that unique and foreign keys are checked against: newest (default) or any.")
    private @Nullable String constraints;

    @Option(
            names = "--granularity",
            paramLabel = "UNIT",
            description = "Unit of reads and writes: row, or cell (each column of a row; default: row).")
    private @Nullable String granularity;

    @Option(
            names = "--staleness",
            paramLabel = "N",
            description = "A read returns at most the N-th version before the last (default: no bound).")
    private @Nullable Integer staleness;

    @Option(
            names = "--schedule",
            paramLabel = "MODE",
            description = "interleaved (default), or serial: transactions run one after the other.")
    private @Nullable String schedule;

    @Option(
            names = "--paper",
            description = "As MonkeyDB answers: --updates any --constraints any --granularity cell --schedule serial"
                    + " --choice uniform.")
    private boolean paper;

    @Option(
            names = "--faults",
            paramLabel = "NAME=P,…",
            description = "Faults to inject, with their probability: abort, unknown-commit, disconnect.")
    private @Nullable String faults;

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            defaultValue = "0ms",
            converter = DurationConverter.class,
            description =
                    "Maximum time that a statement waits before it runs, so that other clients' statements run in between"
                            + " (default: not at all).")
    private Duration delay;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "With --schedule serial: how long a transaction may keep others waiting before it is ended;"
                    + " with --replay of a mock: how long the next statement may take (default: ${DEFAULT-VALUE}).")
    private Duration patience;

    MockOptions options() {
        String unit = oneOf("--granularity", or(granularity, paper ? "cell" : "row"), "row", "cell");
        if (staleness != null && staleness < 0) {
            throw new UsageException("out of range: staleness=" + staleness + " min=0");
        }
        String updatesMode = oneOf("--updates", or(updates, paper ? "any" : "newest"), "newest", "any");
        String constraintsMode = oneOf("--constraints", or(constraints, paper ? "any" : "newest"), "newest", "any");
        String scheduleMode =
                oneOf("--schedule", or(schedule, paper ? "serial" : "interleaved"), "interleaved", "serial");
        Map<String, ChoiceMode> choices = choices();
        ChoiceMode mode = choices.remove("");
        return new MockOptions(
                level(),
                seed == null ? System.nanoTime() & Integer.MAX_VALUE : seed,
                new MockOptions.Reads(
                        mode,
                        updatesMode.equals("newest"),
                        constraintsMode.equals("newest"),
                        staleness == null ? Integer.MAX_VALUE : staleness),
                new MockOptions.Schedule(scheduleMode.equals("serial"), patience.toMillis()),
                faultsGiven(),
                new MockRules(unit.equals("cell"), choices, delay.toMillis()));
    }

    /**
     * Adopts the settings of a recorded run, except for the statement delay.
     *
     * @throws UsageException if the command line has a different value
     */
    void takeFrom(RecordedRun run) {
        for (String name : RecordedRun.optionNames()) {
            refuseOther(name, run.option(name));
        }
        isolation = requireNonNull(run.option("isolation"));
        seed = Long.valueOf(run.option("seed"));
        choice = run.option("choice");
        updates = run.option("updates");
        constraints = run.option("constraints");
        granularity = run.option("granularity");
        staleness = Integer.valueOf(run.option("staleness"));
        schedule = run.option("schedule");
        faults = run.option("faults");
        paper = false;
    }

    /** Rejects an option whose value differs from the recorded value. */
    void refuseOther(String name, @Nullable String recorded) {
        String option = "--" + name;
        String given =
                String.valueOf((Object) spec.commandLine().getParseResult().matchedOptionValue(option, recorded));
        boolean isOther = name.equals("isolation")
                ? recorded == null || level() != IsolationLevel.byName(recorded) && !given.equals(recorded)
                : !given.equalsIgnoreCase(recorded);
        if (isOther) {
            throw new UsageException("the replayed run was recorded with another setting: " + option + "=" + given
                    + " recorded=" + recorded + "; leave " + option + " out");
        }
    }

    /** Returns the mode of each table; the default mode has an empty name. */
    private Map<String, ChoiceMode> choices() {
        Map<String, ChoiceMode> choices = new HashMap<>();
        choices.put("", paper ? ChoiceMode.UNIFORM : ChoiceMode.MIXED);
        for (String item : choice == null ? new String[0] : choice.split(",", -1)) {
            int equals = item.indexOf('=');
            String table = item.substring(0, Math.max(equals, 0)).trim();
            String mode = oneOf("--choice", item.substring(equals + 1).trim(), "mixed", "uniform", "newest", "depth");
            choices.put(table, ChoiceMode.valueOf(mode.toUpperCase(Locale.ROOT)));
        }
        return choices;
    }

    private static String or(@Nullable String given, String otherwise) {
        return given == null ? otherwise : given;
    }

    private IsolationLevel level() {
        IsolationLevel level = IsolationLevel.byName(isolation.toLowerCase(Locale.ROOT));
        if (level == null || !IsolationLevel.all().contains(level)) {
            throw new UsageException(
                    "no mock keeps this level: isolation=" + isolation + "; give one of rc, ra, cc, pc, si and ser");
        }
        return level;
    }

    private MockFaults faultsGiven() {
        try {
            return faults == null ? MockFaults.NONE : MockFaults.parse(faults);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(wrong.getMessage(), wrong);
        }
    }

    private static String oneOf(String option, String given, String... allowed) {
        String value = given.toLowerCase(Locale.ROOT);
        for (String one : allowed) {
            if (one.equals(value)) {
                return value;
            }
        }
        throw new UsageException("unknown value: " + option + "=" + given + " expected=" + String.join("|", allowed));
    }
}
