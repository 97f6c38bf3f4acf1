package io.nightjar.jobs.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The real command line, for tests outside of its package. */
public final class CommandLines {

    private CommandLines() {}

    public static List<String> commands() {
        return Commands.names();
    }

    /** @throws CommandLine.ParameterException if it is wrong usage */
    public static ParseResult parse(List<String> arguments) {
        return Commands.commandLine(new Root(), Commands.names())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.toArray(new String[0]));
    }

    /** Runs a command in this process and returns its exit code; what it prints is dropped. */
    public static int run(String... arguments) {
        PrintStream stdout = System.out;
        PrintStream stderr = System.err;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        System.setErr(System.out);
        try {
            return Main.run(arguments);
        } finally {
            System.setOut(stdout);
            System.setErr(stderr);
        }
    }
}
