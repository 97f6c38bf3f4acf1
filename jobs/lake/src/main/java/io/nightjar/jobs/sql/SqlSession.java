package io.nightjar.jobs.sql;

import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs SQL over the tables of a lake and over histories. One thread at a time, except for {@link #cancel}. */
public final class SqlSession implements AutoCloseable {

    private static final String DAMAGED = "cannot read anomaly tables: ";

    private final @Nullable Lake lake;
    private final ScratchFolder scratch;
    private final Connection connection;
    private final LakeViews lakeViews;
    private final ConvertedHistories histories;
    private final HistoryViews historyViews;
    private final boolean mayUseNetwork;
    private volatile @Nullable Statement running;

    private SqlSession(@Nullable Lake lake, ScratchFolder scratch, Connection connection, boolean mayUseNetwork) {
        this.mayUseNetwork = mayUseNetwork;
        this.lake = lake;
        this.scratch = scratch;
        this.connection = connection;
        RemoteCopies copies = new RemoteCopies(scratch.path());
        this.lakeViews = new LakeViews(connection, lake, copies);
        this.histories = new ConvertedHistories(scratch);
        this.historyViews =
                new HistoryViews(connection, (history, format) -> copies.of(histories.parquetOf(history, format)));
    }

    /** @param lake null for none: then every table is empty */
    public static SqlSession open(@Nullable Lake lake) {
        return open(lake, false);
    }

    /**
     * @param lake null for none: then every table is empty
     * @param mayUseNetwork whether statements may install extensions, and read remote files with them
     */
    public static SqlSession open(@Nullable Lake lake, boolean mayUseNetwork) {
        ScratchFolder scratch = ScratchFolder.create(Path.of(System.getProperty("java.io.tmpdir")), "nightjar-sql-");
        try {
            Connection connection = DuckDb.connect(scratch.path().resolve("spill"), mayUseNetwork);
            return new SqlSession(lake, scratch, connection, mayUseNetwork);
        } catch (SQLException e) {
            scratch.close();
            throw new LakeException("cannot start the database: reason=" + e.getMessage(), e);
        }
    }

    /** Restricts all views to the rows of one run, which in a lake of many runs is much faster. */
    public void restrictTo(String runId) {
        lakeViews.restrictTo(Set.of(runId));
    }

    /** Restricts all views to the rows of several runs; null for all runs. */
    public void restrictTo(@Nullable Set<String> runIds) {
        lakeViews.restrictTo(runIds);
    }

    /** Runs statements separated by semicolons; each that has a result passes it to the sink. */
    public void run(String sql, ResultSink sink) {
        for (String statement : SqlScanner.statements(sql)) {
            runOne(statement, sink);
        }
    }

    /** Rejects extensions: they are fetched from the network, and installed ones access it. */
    private void checkKeepsToItself(String sql) {
        List<SqlWords.Word> words = SqlScanner.scan(sql);
        String first = words.isEmpty() ? null : SqlScanner.name(words.get(0));
        String second = words.size() < 2 ? null : SqlScanner.name(words.get(1));
        boolean isExtension = "install".equals(first)
                || "load".equals(first)
                || "force".equals(first) && "install".equals(second)
                || "update".equals(first) && "extensions".equals(second);
        if (isExtension && !mayUseNetwork) {
            throw new UsageException("nothing is loaded from the network: statement=" + oneLine(sql) + "; "
                    + CommandHint.of("sql", "--network") + " allows it");
        }
    }

    private void runOne(String sql, ResultSink sink) {
        checkKeepsToItself(sql);
        String prepared = historyViews.prepare(sql);
        try {
            lakeViews.prepare(prepared);
        } catch (SQLException e) {
            throw new LakeException(DAMAGED + oneLine(text(e)), e);
        }
        try (Statement statement = connection.createStatement()) {
            running = statement;
            if (statement.execute(prepared)) {
                try (ResultSet result = statement.getResultSet()) {
                    pass(result, sink);
                }
            }
        } catch (SQLException e) {
            String message = historyViews.inWordsOfQuery(text(e));
            if (lake != null && message.contains(lake.root().toAbsolutePath() + "/")) {
                throw new LakeException(DAMAGED + oneLine(message), e);
            }
            throw failure(message, e);
        } finally {
            running = null;
        }
    }

    private static void pass(ResultSet result, ResultSink sink) throws SQLException {
        ResultSetMetaData shape = result.getMetaData();
        List<String> columns = new ArrayList<>();
        for (int column = 1; column <= shape.getColumnCount(); column++) {
            columns.add(shape.getColumnLabel(column));
        }
        sink.begin(columns);
        while (result.next()) {
            List<Object> cells = new ArrayList<>(columns.size());
            for (int column = 1; column <= columns.size(); column++) {
                cells.add(CellValue.of(result, column));
            }
            sink.row(cells);
        }
        sink.end();
    }

    /**
     * Returns the error of a failed statement for the user: most are mistakes in it, some are failures of the machine.
     */
    /** Returns the database's message of a failure. */
    static String text(SQLException failed) {
        return String.valueOf(failed.getMessage());
    }

    static RuntimeException failure(String message, SQLException cause) {
        String text = message.strip();
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith("interrupt")) {
            return new UsageException("statement was stopped", cause);
        }
        boolean isOfMachine = lower.startsWith("out of memory") || lower.contains("no space left on device");
        return isOfMachine
                ? new LakeException(oneLine(text), cause)
                : new UsageException(text.replace("\n\n", "\n"), cause);
    }

    private static String oneLine(String message) {
        return message.strip().lines().findFirst().orElse("");
    }

    /** Stops the statement that runs, if one does; called from any thread. */
    public void cancel() {
        Statement statement = running;
        if (statement == null) {
            return;
        }
        try {
            statement.cancel();
        } catch (SQLException e) {
            throw new LakeException("cannot stop a statement: reason=" + e.getMessage(), e);
        }
    }

    /** Tables and views that a query may name. */
    public List<String> tableNames() {
        return strings("SELECT DISTINCT table_name FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main'"
                + " ORDER BY table_name");
    }

    /** Returns the column names of all views and tables. */
    public List<String> columnNames() {
        return strings("SELECT DISTINCT column_name FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main'"
                + " ORDER BY column_name");
    }

    public List<String> keywords() {
        return strings("SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved' ORDER BY ALL");
    }

    /** Returns the texts of a query with one column. */
    public List<String> strings(String sql) {
        List<String> strings = new ArrayList<>();
        rows(sql).forEach(row -> strings.add((String) row.values().iterator().next()));
        return strings;
    }

    /** Returns the rows of a query that has few, each by the names of its columns, in their order. */
    public List<Map<String, Object>> rows(String sql) {
        RowCollector collector = new RowCollector();
        run(sql, collector);
        return collector.rows;
    }

    private static final class RowCollector implements ResultSink {

        final List<Map<String, Object>> rows = new ArrayList<>();
        private List<String> columns = List.of();

        @Override
        public void begin(List<String> columns) {
            this.columns = columns;
        }

        @Override
        public void row(List<Object> cells) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int column = 0; column < columns.size(); column++) {
                row.put(columns.get(column), cells.get(column));
            }
            rows.add(row);
        }

        @Override
        public void end() {}
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new LakeException("cannot close the database: reason=" + e.getMessage(), e);
        } finally {
            histories.close();
            scratch.close();
        }
    }
}
