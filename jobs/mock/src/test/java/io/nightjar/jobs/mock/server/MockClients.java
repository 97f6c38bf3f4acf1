package io.nightjar.jobs.mock.server;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A mock without an archive, with one-line client operations over a real driver. */
final class MockClients implements AutoCloseable {

    private final MockDatabase database;
    private final List<Connection> connections = new ArrayList<>();

    MockClients(MockOptions options) throws IOException {
        this.database = new MockDatabase(
                options,
                new AnswerChooser(options.reads().choice(), options.seed(), true),
                null,
                "127.0.0.1",
                0,
                MockDatabase.NO_PORT,
                note -> {});
    }

    static MockOptions options(IsolationLevel level, long seed, boolean updatesReadNewest) {
        return new MockOptions(
                level,
                seed,
                new MockOptions.Reads(ChoiceMode.UNIFORM, updatesReadNewest, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(false, 500),
                MockFaults.NONE);
    }

    MockDatabase database() {
        return database;
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test";
    }

    /** Connects a client that begins transactions explicitly. */
    Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        connections.add(connection);
        return connection;
    }

    /** Connects a client whose statements form one transaction until it commits. */
    Connection connectForTransactions() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs statements that set the initial state. */
    void load(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute("SET nightjar.phase = 'load'");
            for (String sql : statements) {
                statement.execute(sql);
            }
            statement.execute("SET nightjar.phase = 'run'");
        }
    }

    static int update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** Returns the first column of the first row, -1 if the result is empty. */
    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : -1;
        }
    }

    /** Returns the last committed value. */
    long newest(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url())) {
            update(connection, "SET nightjar.reads = 'newest'");
            return number(connection, sql);
        }
    }

    @Override
    public void close() throws IOException, SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
        database.close();
    }
}
