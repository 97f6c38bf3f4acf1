package io.nightjar.jobs.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** What is typed before a command, and the options that every command understands. */
@Command(
        name = "nightjar",
        header = {
            "  nightjar demo                                 a tour in a minute",
            "  nightjar check history.parquet                decide isolation levels, write anomaly tables",
            "  nightjar sql \"from v_anomalies_readable\"      what was found, in SQL"
        },
        description = {"", "Checks archived transaction histories for isolation anomalies."},
        footer = {
            "",
            "nightjar COMMAND --help tells more. Exit codes: 0 holds, 1 violated, 2 undecided, 3 input rejected,",
            "64 wrong usage, 70 a fault of ours, 75 storage failed."
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
            description = "Say nothing but results and errors.")
    boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Say more; show the stack of an error.")
    boolean verbose;
}
