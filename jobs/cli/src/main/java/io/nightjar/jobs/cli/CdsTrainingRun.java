package io.nightjar.jobs.cli;

import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs each command once, so that the launcher can archive the classes they load, which makes the start-up of later
 * calls faster.
 */
public final class CdsTrainingRun {

    private static final List<String> EXTENSIONS = List.of("parquet", "jsonl", "arrow");

    private CdsTrainingRun() {}

    /**
     * Takes a working directory and the engine of the training run: Flink brings so many classes that checks without it
     * would pay for them in memory. Failures are ignored here: they also occur for users, and are reported then.
     */
    public static void main(String[] args) throws IOException {
        Path stage = Files.createDirectories(Path.of(args[0]));
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));

        if (args[1].equals("flink")) {
            rehearseFlink(stage);
        } else {
            rehearseCommands(stage);
        }
        System.exit(ExitCode.HOLDS);
    }

    private static void rehearseFlink(Path stage) {
        String lake = stage.resolve("lake").toString();
        for (String extension : EXTENSIONS) {
            String history = stage.resolve("history." + extension).toString();
            Main.run("generate", history, "--transactions", "300", "--fault", "stale-read=1");
            Main.run("check", history, "--engine", "flink", "--lake", lake, "--level", "all");
            Main.run("check", history, "--engine", "flink", "--lake", "none", "--evidence", "values", "--json");
        }
    }

    private static void rehearseCommands(Path stage) {
        Main.run("--version");
        Main.run("--help");
        for (String command : Commands.names()) {
            Main.run(command, "--help");
        }
        for (String extension : EXTENSIONS) {
            rehearse(stage, stage.resolve("history." + extension).toString());
        }
    }

    private static void rehearse(Path stage, String history) {
        String lake = stage.resolve("lake").toString();
        Main.run("generate", history, "--transactions", "300", "--fault", "stale-read=1,lost-update=1");
        Main.run("inspect", history);
        Main.run("check", history, "--lake", lake);
        Main.run("check", history, "--lake", "none", "--json");
        Main.run("check", history, "--lake", lake, "--evidence", "values", "--level", "all");
        Main.run("convert", history, stage.resolve("copy.txt").toString());
        Main.run("explain", lake);
        Main.run("sql", "--lake", lake, "FROM v_anomalies_readable");
    }
}
