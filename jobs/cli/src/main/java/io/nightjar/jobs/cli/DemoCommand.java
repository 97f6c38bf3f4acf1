package io.nightjar.jobs.cli;

import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.StoredRun;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The tour: every step is a command that is shown before it runs, and that could be typed. */
@Command(
        name = "demo",
        description = "A tour: generate with faults, check, explain one anomaly, query the tables.",
        footer = {
            "  nightjar demo                the tour",
            "  nightjar demo --quiet        without remarks",
            "  nightjar demo | less         at leisure"
        })
final class DemoCommand implements Callable<Integer> {

    private static final String FAULTS = "stale-read=1,lost-update=1,session-break=1";
    private static final String QUERY = "SELECT level, type, key, transactions FROM v_anomalies_readable ORDER BY ALL";

    @Override
    public Integer call() throws IOException {
        Path stage = freshDirectory();
        String history = stage.resolve("orders.parquet").toString();
        String lake = stage.resolve("lake").toString();

        print("A history from a simulated store, with three faults planted in it:");
        run(ExitCode.HOLDS, "generate", history, "--store", "ser", "--transactions", "2000", "--fault", FAULTS);
        print("Does it satisfy snapshot isolation, and serializability?");
        run(ExitCode.VIOLATED, "check", history, "--lake", lake);
        print("One of the anomalies, with its evidence:");
        run(ExitCode.HOLDS, "explain", lake, firstAnomaly(Path.of(lake)));
        print("All of them are tables:");
        run(ExitCode.HOLDS, "sql", "--lake", lake, QUERY);
        print("The tables stay in " + lake + ", for any engine that reads Parquet. For a prompt:");
        System.out.println("  " + CommandHint.of("sql", "--lake", lake));
        return ExitCode.HOLDS;
    }

    /** Returns the name of a new directory, short enough to be typed. */
    private static Path freshDirectory() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        SecureRandom random = new SecureRandom();
        while (true) {
            Path directory = parent.resolve("nightjar-demo-" + Integer.toHexString(random.nextInt(0x10000)));
            try {
                return Files.createDirectory(directory);
            } catch (FileAlreadyExistsException taken) {
                continue;
            }
        }
    }

    private static String firstAnomaly(Path root) {
        Lake lake = Lake.openExisting(root);
        for (String runId : lake.completeRuns()) {
            StoredRun run = lake.completedRun(runId).orElseThrow();
            ListedAnomaly first = run.result().firstAnomaly();
            if (first != null) {
                return first.id();
            }
        }
        throw new AssertionError("bug: planted faults were not found: lake=" + root);
    }

    private static void run(int expectedCode, String... arguments) {
        System.out.println("$ " + CommandHint.of((Object[]) arguments));
        System.out.flush();
        List<String> given = new ArrayList<>(List.of(arguments));
        if (Terminal.isQuiet()) {
            given.add(1, "--quiet");
        }
        int code = Main.run(given.toArray(String[]::new));
        if (code != expectedCode) {
            throw new AssertionError("bug: command=" + arguments[0] + " code=" + code);
        }
        System.out.println();
    }

    private static void print(String sentence) {
        System.out.println(sentence);
    }
}
