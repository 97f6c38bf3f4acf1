package io.nightjar.bench.micro;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.StatementOrder;
import io.nightjar.jobs.mock.replay.StatementRecorder;
import io.nightjar.jobs.mock.server.MockDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/**
 * A mock with its archive and four connections of pgjdbc in one process: SELECT and UPDATE by primary key, each a
 * transaction.
 */
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class MockStatementsBenchmark extends WholeRun {

    private static final int CONNECTIONS = 4;
    private static final int ROWS = 1_000;
    private static final String HOST = "127.0.0.1";

    @Param({"CAUSAL", "SNAPSHOT_ISOLATION", "SERIALIZABLE"})
    public IsolationLevel level;

    /** All connections together. */
    @Param("100000")
    public int transactions;

    /** Whether an UPDATE sets a column that refers to the key of another table's row, which must be found. */
    @Param("false")
    public boolean refers;

    @Benchmark
    public long answerStatements() throws Exception {
        Path folder = Files.createTempDirectory("nightjar-mock");
        Path archive = folder.resolve("mock.jsonl");
        Path order = folder.resolve("mock.jsonl.replay");
        StatementOrder recorder = new StatementRecorder(order, note -> {});
        MockOptions options = new MockOptions(
                level,
                1,
                new MockOptions.Reads(ChoiceMode.MIXED, true, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(false, 30_000),
                MockFaults.NONE);
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try (MockDatabase database = new MockDatabase(
                options, chooser, MockArchive.of(archive), HOST, 0, MockDatabase.NO_PORT, recorder, note -> {})) {
            String url = "jdbc:postgresql://" + HOST + ":" + database.port() + "/bench?user=bench&sslmode=disable";
            load(url);
            List<Future<Integer>> clients = new ArrayList<>();
            for (int client = 0; client < CONNECTIONS; client++) {
                int number = client;
                clients.add(threads.submit((Callable<Integer>) () -> statements(url, number)));
            }
            long done = 0;
            for (Future<Integer> client : clients) {
                done += client.get(10, TimeUnit.MINUTES);
            }
            database.finish();
            if (done != transactions / CONNECTIONS * (long) CONNECTIONS) {
                throw new IllegalStateException("statements failed: done=" + done);
            }
            return done;
        } finally {
            threads.shutdownNow();
            delete(archive, order, folder);
        }
    }

    private void load(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SET nightjar.phase = 'load'");
            statement.execute("CREATE TABLE kind(id INT PRIMARY KEY)");
            statement.execute("INSERT INTO kind SELECT i FROM generate_series(0, " + (ROWS - 1) + ") s(i)");
            statement.execute("CREATE TABLE t(id INT PRIMARY KEY, v INT" + (refers ? " REFERENCES kind(id))" : ")"));
            statement.execute("INSERT INTO t SELECT i, 0 FROM generate_series(0, " + (ROWS - 1) + ") s(i)");
            statement.execute("SET nightjar.phase = 'run'");
        }
    }

    private int statements(String url, int client) throws SQLException {
        int done = 0;
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement select = connection.prepareStatement("SELECT v FROM t WHERE id = ?");
                PreparedStatement update = connection.prepareStatement("UPDATE t SET v = ? WHERE id = ?")) {
            for (int i = 0; i < transactions / CONNECTIONS; i++) {
                int row = (int) (((long) i * CONNECTIONS + client) * 7_919 % ROWS);
                if (i % 2 == 0) {
                    select.setInt(1, row);
                    try (ResultSet rows = select.executeQuery()) {
                        done += rows.next() ? 1 : 0;
                    }
                } else {
                    update.setInt(1, i % ROWS);
                    update.setInt(2, row);
                    done += update.executeUpdate();
                }
            }
        }
        return done;
    }

    private static void delete(Path... files) throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
