package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches in separate processes, killed at any moment or stopped on request. */
@Tag("slow")
class WatchKillsITCase {

    private static final int KILLS = Seeds.rounds(3);
    private static final int KILLS_OF_RUN = 6;
    private static final int FLINK_KILLS = Seeds.rounds(2);
    private static final int TXNS = 6_000;
    private static final long PATIENCE_SECONDS = 180;

    @TempDir
    private Path folder;

    @Test
    void repeatedlyKilledWatchLosesAndRepeatsNoChange() throws Exception {
        Path history = folder.resolve("h.jsonl");
        Files.writeString(history, rows(0, TXNS));
        Path lake = folder.resolve("lake");
        String[] whole = {"--json", "--evidence", "timestamps", "--lake", lake.toString(), "--run-id", "whole"};
        assertThat(code(start("check", with(history.toString(), whole)))).isEqualTo(1);
        Random random = new Random(Long.getLong("nightjar.seed", 1));
        int kills = 0;
        for (int round = 0; kills < KILLS; round++) {
            String run = "killed-" + round;
            kills += killAndFinish(history, lake, run, random);

            assertThat(sql(lake, levels(run))).as(run).isEqualTo(sql(lake, levels("whole")));
            assertThat(sql(lake, "select transaction_count from runs where run_id='" + run + "'")
                            .get(0))
                    .as(run)
                    .containsEntry("transaction_count", (long) TXNS);
            assertThat(sql(
                                    lake,
                                    "select count(*) c, count(distinct anomaly_id) d from verdict_changes where stands"
                                            + " and run_id='" + run + "'")
                            .get(0))
                    .as("every finding final once: %s", run)
                    .isEqualTo(sql(lake, "select count(*) c, count(*) d from anomalies where run_id='whole'")
                            .get(0));
        }
    }

    /** Rows arrive while it is killed; each call has another number of tasks. */
    @Test
    void tasksOfFlinkGoOnAfterKillsToo() throws Exception {
        Path history = Files.writeString(folder.resolve("h.jsonl"), "");
        Path whole = Files.writeString(folder.resolve("whole.jsonl"), rows(0, TXNS));
        Path lake = folder.resolve("lake");
        Path checkpoint = folder.resolve("checkpoint");
        String[] check = {"--json", "--evidence", "timestamps", "--lake", lake.toString(), "--run-id", "whole"};
        assertThat(code(start("check", with(whole.toString(), check)))).isEqualTo(1);
        Random random = new Random(Long.getLong("nightjar.seed", 1));
        int written = 0;
        for (int kill = 0; kill < FLINK_KILLS; kill++) {
            Process process = startOnFlink(history, lake, checkpoint, 1 + kill % 3);
            long before = logged(checkpoint);
            while (logged(checkpoint) < before + 2) {
                assertThat(process.isAlive()).isTrue();
                int next = Math.min(TXNS, written + 50);
                Files.writeString(history, rows(written, next), StandardOpenOption.APPEND);
                written = next;
                Thread.sleep(50);
            }
            Thread.sleep(random.nextInt(300));
            process.destroyForcibly().waitFor();
        }
        Files.writeString(history, rows(written, TXNS), StandardOpenOption.APPEND);
        assertThat(code(startOnFlink(history, lake, checkpoint, 2, "--until-end")))
                .isEqualTo(1);

        assertThat(sql(lake, levels("killed"))).isEqualTo(sql(lake, levels("whole")));
        assertThat(sql(lake, "select transaction_count from runs where run_id='killed'")
                        .get(0))
                .containsEntry("transaction_count", (long) TXNS);
        assertThat(sql(
                                lake,
                                "select count(*) c, count(distinct anomaly_id) d from verdict_changes where stands"
                                        + " and run_id='killed'")
                        .get(0))
                .isEqualTo(sql(lake, "select count(*) c, count(*) d from anomalies where run_id='whole'")
                        .get(0));
    }

    private Process startOnFlink(Path history, Path lake, Path checkpoint, int tasks, String... more)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(history.toString(), "--json", "--engine", "flink"));
        arguments.addAll(List.of("--parallelism", Integer.toString(tasks), "--lake", lake.toString()));
        arguments.addAll(List.of("--run-id", "killed", "--lateness", "50ts"));
        arguments.addAll(List.of("--checkpoint", checkpoint.toString(), "--checkpoint-every", "100ms"));
        arguments.addAll(List.of(more));
        return start("watch", arguments.toArray(new String[0]));
    }

    private static long logged(Path checkpoint) throws IOException {
        Path log = checkpoint.resolve("log");
        if (!Files.exists(log)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log-"))
                    .count();
        }
    }

    /** Returns the number of times it was killed before it ended. */
    private int killAndFinish(Path history, Path lake, String run, Random random) throws Exception {
        String[] arguments = {
            "--until-end",
            "--json",
            "--lake",
            lake.toString(),
            "--run-id",
            run,
            "--lateness",
            "50ts",
            "--checkpoint",
            folder.resolve("checkpoint-" + run).toString(),
            "--checkpoint-every",
            "50ms"
        };
        Path success = lake.resolve("_runs/" + run + "/_SUCCESS");
        int kills = 0;
        while (kills < KILLS_OF_RUN && !Files.exists(success)) {
            Process process = start("watch", with(history.toString(), arguments));
            process.waitFor(300 + random.nextInt(1_500), TimeUnit.MILLISECONDS);
            kills += process.isAlive() ? 1 : 0;
            process.destroyForcibly().waitFor();
        }
        if (!Files.exists(success)) {
            assertThat(code(start("watch", with(history.toString(), arguments))))
                    .isEqualTo(1);
        }
        return kills;
    }

    private static String[] with(String first, String... others) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(others));
        return all.toArray(new String[0]);
    }

    private static String levels(String run) {
        return "select level, anomaly_count, verdict from level_verdicts where run_id='" + run + "' order by 1";
    }

    @Test
    void nextCallContinuesWithRowsUnsealedAtSignal() throws Exception {
        Path history = folder.resolve("h.jsonl");
        Files.writeString(history, rows(0, 1_000));
        String[] arguments = {
            history.toString(),
            "--json",
            "--lake",
            "none",
            "--checkpoint",
            folder.resolve("checkpoint").toString()
        };
        Process first = start("watch", arguments);
        awaitCheckpoint();
        first.destroy(); // SIGTERM
        assertThat(code(first)).isIn(1, 2);

        Files.writeString(history, rows(1_000, 1_500), StandardOpenOption.APPEND);
        List<String> more = new ArrayList<>(List.of(arguments));
        more.add("--until-end");
        Process second = start("watch", more.toArray(new String[0]));
        assertThat(code(second)).isEqualTo(1);
        List<Map<String, Object>> lines = JsonTree.lines(Files.readString(out(second)));

        assertThat(lines.get(lines.size() - 1)).containsEntry("transactions", 1_500L);
    }

    private void awaitCheckpoint() throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.exists(folder.resolve("checkpoint/rows/part-00000.parquet"))) {
            assertThat(System.nanoTime()).as("a checkpoint in time").isLessThan(until);
            Thread.sleep(20);
        }
    }

    /** Returns the rows of one session that writes and reads a key in turns; every hundredth read is wrong. */
    private static String rows(int from, int to) {
        StringBuilder rows = new StringBuilder();
        for (int i = from; i < to; i++) {
            int start = 2 * i + 1;
            String op = i % 2 == 0
                    ? "[\"w\",%d,%d]".formatted(i % 7, i)
                    : "[\"r\",%d,%d]".formatted((i - 1) % 7, i % 100 == 99 ? -i : i - 1);
            rows.append("{\"txn\":%d,\"session\":0,\"seq\":%d,\"start\":%d,\"commit\":%d,\"ops\":[%s]}%n"
                    .formatted(i, i, start, start + 1, op));
        }
        return rows.toString();
    }

    private int started;
    private final Map<Process, Path> outs = new HashMap<>();

    private Path out(Process process) {
        return outs.get(process);
    }

    private Process start(String command, String... arguments) throws IOException {
        Path out = folder.resolve("out-" + ++started);
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of(
                command.equals("watch") ? "-Xmx512m" : "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.nightjar.jobs.cli.Main", command));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line)
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err-" + started).toFile())
                .start();
        outs.put(process, out);
        return process;
    }

    private int code(Process process) throws InterruptedException, IOException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        if (process.exitValue() > 2) {
            throw new AssertionError(Files.readString(folder.resolve("err-" + started)));
        }
        return process.exitValue();
    }

    private List<Map<String, Object>> sql(Path lake, String query) throws Exception {
        Process process = start("sql", query, "--lake", lake.toString(), "--json");
        assertThat(code(process)).isZero();
        return JsonTree.lines(Files.readString(out(process)));
    }
}
