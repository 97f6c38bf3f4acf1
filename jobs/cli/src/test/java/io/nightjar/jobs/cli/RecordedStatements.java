package io.nightjar.jobs.cli;

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
import java.util.stream.Stream;

/** Statements of one connection, and the recorded transactions. */
final class RecordedStatements implements AutoCloseable {

    private final Path archive;
    private final Connection connection;
    private int seen;

    RecordedStatements(String url, Path archive) throws SQLException {
        this.archive = archive;
        this.connection = DriverManager.getConnection(url);
    }

    Connection connection() {
        return connection;
    }

    int update(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, parameters);
            return statement.executeUpdate();
        }
    }

    /** Returns all that a query returns, a row after the other. */
    String query(String sql, Object... parameters) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int column = 1; column <= columns; column++) {
                        text.append(column == 1 ? "" : ",").append(rows.getString(column));
                    }
                    text.append(';');
                }
            }
        }
        return text.toString();
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }

    /**
     * Returns the transactions that were archived since: status and operations, without the writers of read versions.
     */
    List<String> since() throws IOException {
        return sinceWithWriters().stream()
                .map(line -> line.replaceAll(",\\{\"writer\":\\d+}", ""))
                .toList();
    }

    /** Returns the same with the writers of read versions, if the database provides them. */
    List<String> sinceWithWriters() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<String> all = Files.lines(archive.resolve("part-00000.jsonl"))) {
            all.filter(line -> !line.isBlank()).forEach(lines::add);
        }
        List<String> statements = new ArrayList<>();
        for (String line : lines.subList(seen, lines.size())) {
            statements.add(line.replaceAll(".*\"status\":\"(\\w+)\".*?\"ops\":(.*),\"extra\":.*", "$1 $2"));
        }
        seen = lines.size();
        return statements;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
