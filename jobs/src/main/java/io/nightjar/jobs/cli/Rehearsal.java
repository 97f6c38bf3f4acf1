package io.nightjar.jobs.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs the commands once for nobody, so that the launcher can keep the classes they load; start-up of later calls is
 * faster by that.
 */
public final class Rehearsal {

    private Rehearsal() {}

    public static void main(String[] args) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        System.setOut(nowhere);
        Main.run("--version");
        Main.run("--help");
        for (String command : Commands.names()) {
            Main.run(command, "--help");
        }
        System.exit(0);
    }
}
