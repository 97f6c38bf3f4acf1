package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mock in a separate process, which is stopped on request, or killed. */
@Tag("slow")
class StoppedMockITCase {

    private static final int PATIENCE_SECONDS = 60;
    private static final String LISTENING = "listening on 127.0.0.1:";

    @TempDir
    private Path directory;

    private Process process;
    private BufferedReader out;
    private int port;

    private void start(String... arguments) throws IOException {
        startAfter(List.of(), arguments);
    }

    private void startAfter(List<String> before, String... arguments) throws IOException {
        List<String> mock = new ArrayList<>(List.of("mock", "--port", "0", "--seed", "5"));
        mock.addAll(List.of(arguments));
        run(before, mock);
        String first = out.readLine();
        assertThat(first).as("%s", Files.readString(directory.resolve("err"))).startsWith(LISTENING);
        port = Integer.parseInt(first.substring(LISTENING.length()));
    }

    private void run(List<String> arguments) throws IOException {
        run(List.of(), arguments);
    }

    private void run(List<String> before, List<String> arguments) throws IOException {
        List<String> line = new ArrayList<>(before);
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.nightjar.jobs.cli.Main"));
        line.addAll(arguments);
        process = new ProcessBuilder(line)
                .redirectError(directory.resolve("err").toFile())
                .start();
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private void work() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/test?user=test");
                Statement statement = connection.createStatement()) {
            statement.execute("SET nightjar.phase = 'load'");
            statement.execute("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
            statement.execute("INSERT INTO t VALUES (1, 0), (2, 0)");
            statement.execute("SET nightjar.phase = 'run'");
            for (int i = 0; i < 20; i++) {
                statement.execute("UPDATE t SET v = " + i + " WHERE id = " + (1 + i % 2));
                statement.executeQuery("SELECT sum(v) FROM t").close();
            }
        }
    }

    private int code() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void aMockThatIsToldToStopLeavesACompleteArchiveAndTheSameEachTime() throws Exception {
        Path first = directory.resolve("first.jsonl");
        Path second = directory.resolve("second.jsonl");
        for (Path archive : List.of(first, second)) {
            start("--isolation", "si", "--json", "--history", archive.toString());
            work();
            process.toHandle().destroy(); // Process.destroy would close the pipe too

            assertThat(code()).isZero();
            assertThat(out.readLine())
                    .isEqualTo("{\"schema\":1,\"out\":\"" + archive + "\",\"isolation\":\"snapshot-isolation\","
                            + "\"transactions\":40,\"committed\":40,\"aborted\":0,\"seed\":5}");
        }
        assertThat(first).hasSameBinaryContentAs(second);
        assertThat(first).content().contains("\"start\":1,\"commit\":2");
        assertThat(CommandRun.check(first, directory.resolve("lake"), "--level", "si")
                        .code())
                .isZero();
    }

    @Test
    void aMockThatIsKilledLeavesWhatWasDoneUpToThen() throws Exception {
        Path archive = directory.resolve("killed.parquet");
        start("--isolation", "cc", "--history", archive.toString());
        work();
        process.destroyForcibly();
        code();

        CommandRun run = CommandRun.check(archive, directory.resolve("lake"), "--level", "cc");
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.out()).contains("\"transactions\":40,");

        start("--isolation", "cc", "--history", archive.toString());
        process.toHandle().destroy();
        assertThat(code()).isZero();
        assertThat(archive).isRegularFile();
    }

    /** A limit on the size of files simulates a full disk. */
    @Test
    void anArchiveThatIsFullIsNamedAndKeepsWhatWasDoneBefore() throws Exception {
        Path archive = directory.resolve("full.jsonl");
        startAfter(
                List.of("bash", "-c", "ulimit -f 4; exec \"$@\"", "limited"),
                "--isolation",
                "si",
                "--json",
                "--history",
                archive.toString());

        int committed = 0;
        try (Connection connection =
                        DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/test?user=test");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
            while (statement.executeUpdate("INSERT INTO t VALUES (" + committed + ", 0)") == 1) {
                committed++;
            }
        } catch (SQLException full) {
            assertThat(full.getMessage()).contains("the archive cannot be written: file=" + archive + " reason=");
        }
        assertThat(code()).isEqualTo(75);
        assertThat(directory.resolve("err"))
                .content()
                .contains(
                        "the archive cannot be written: file=" + archive,
                        "it contains earlier transactions: transactions=");
        CommandRun run = CommandRun.check(archive, directory.resolve("lake"), "--level", "si");
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.out()).contains("\"rule_id\":\"L30\"", "\"transactions\":" + committed + ",");
    }

    /** Runs each with a separate connection, at the same time. */
    private void workInThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<Void>> clients = new ArrayList<>();
            for (int client = 0; client < 3; client++) {
                String url = "jdbc:postgresql://127.0.0.1:" + port + "/test?user=test&ApplicationName=c" + client;
                clients.add(threads.submit((Callable<Void>) () -> {
                    try (Connection connection = DriverManager.getConnection(url);
                            Statement statement = connection.createStatement()) {
                        for (int i = 0; i < 20; i++) {
                            statement.execute("UPDATE t SET v = " + i + " WHERE id = " + (1 + i % 2));
                            statement.executeQuery("SELECT sum(v) FROM t").close();
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> client : clients) {
                client.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whatClientsDidAtTheSameTimeIsRepeatedFromWhatLiesBesideTheArchive() throws Exception {
        Path first = directory.resolve("first.jsonl");
        Path second = directory.resolve("second.jsonl");
        start("--isolation", "cc", "--history", first.toString());
        work();
        workInThreads();
        process.toHandle().destroy();
        assertThat(code()).isZero();

        start("--replay", first + ".replay", "--json", "--history", second.toString());
        work();
        workInThreads();
        process.toHandle().destroy();
        assertThat(code()).isZero();
        assertThat(out.readLine()).contains("\"isolation\":\"causal\"").endsWith("\"seed\":5,\"replay\":\"fits\"}");
        assertThat(first).hasSameBinaryContentAs(second);

        start("--replay", first + ".replay", "--patience", "1s", "--json", "--history", second.toString());
        assertThatThrownBy(this::workInThreads).hasMessageContaining("relation \"t\" does not exist");
        process.toHandle().destroy();
        assertThat(code()).isZero();
        assertThat(out.readLine()).endsWith("\"replay\":\"differs\"}");
        assertThat(directory.resolve("err"))
                .content()
                .contains("the replay does not match the clients", "not of what was recorded, which it does not fit");
    }

    /** A command, and the processes that it has started, does not outlive the search that runs it. */
    @Test
    void aSearchThatIsToldToStopEndsItsCommandAndTellsWhatWasTried() throws Exception {
        Path child = directory.resolve("child");
        String script = "sleep 300 & echo $! > " + child + ".tmp; mv " + child + ".tmp " + child + "; wait";
        run(List.of(
                "explore",
                "--isolation",
                "cc",
                "--history",
                directory.resolve("e.jsonl").toString(),
                "--",
                "sh",
                "-c",
                script));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.exists(child) && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        ProcessHandle sleeping = ProcessHandle.of(
                        Long.parseLong(Files.readString(child).strip()))
                .orElseThrow();
        process.toHandle().destroy();

        assertThat(code()).isEqualTo(2);
        assertThat(out.readLine()).isEqualTo("undecided: stopped, not broken in 0 runs at causal");
        sleeping.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
