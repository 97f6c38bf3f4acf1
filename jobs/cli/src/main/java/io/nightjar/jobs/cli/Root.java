package io.nightjar.jobs.cli;

import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command understands. */
@Command(
        name = "nightjar",
        footer = {
            "  nightjar demo                               a tour: generate, check, explain, query",
            "  nightjar check history.parquet              decide isolation levels, write anomaly tables",
            "  nightjar sql 'from v_anomalies_readable'    anomalies found"
        },
        description = "Checks archived transaction histories for isolation anomalies. COMMAND --help shows details.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every level asked for holds",
            "1:at least one is violated",
            "2:none is violated, at least one is undecided",
            "3:an input was rejected",
            "64:wrong usage",
            "70:a fault of ours",
            "75:storage or cluster failed; worth a retry"
        },
        versionProvider = Version.class)
final class Root {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    boolean version;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Print only results and errors.")
    boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Print more; show the stack of an error.")
    boolean verbose;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            scope = ScopeType.INHERIT,
            defaultValue = "auto",
            description = "Colour results: auto (on a terminal, unless NO_COLOR is set), always or never.")
    Terminal.Colours colours;
}
