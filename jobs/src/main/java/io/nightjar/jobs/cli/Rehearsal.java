package io.nightjar.jobs.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the commands once for nobody, so that the launcher can keep the classes they load; start-up of later calls is
 * faster by that.
 */
public final class Rehearsal {

    private Rehearsal() {}

    /** Takes a directory to work in. What fails here fails for a user as well, and is said there. */
    public static void main(String[] args) throws IOException {
        Path stage = Files.createDirectories(Path.of(args[0]));
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));

        Main.run("--version");
        Main.run("--help");
        for (String command : Commands.names()) {
            Main.run(command, "--help");
        }
        for (String extension : new String[] {"parquet", "jsonl", "arrow"}) {
            rehearse(stage, stage.resolve("history." + extension).toString());
        }
        System.exit(ExitCode.HOLDS);
    }

    private static void rehearse(Path stage, String history) {
        String lake = stage.resolve("lake").toString();
        Main.run("generate", history, "--transactions", "300", "--fault", "stale-read=1,lost-update=1");
        Main.run("inspect", history);
        Main.run("check", history, "--lake", lake);
        Main.run("check", history, "--lake", "none", "--json");
        Main.run("convert", history, stage.resolve("copy.txt").toString());
        Main.run("explain", lake);
        Main.run("sql", "--lake", lake, "FROM v_anomalies_readable");
    }
}
