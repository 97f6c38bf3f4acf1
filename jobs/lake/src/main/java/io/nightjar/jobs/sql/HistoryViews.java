package io.nightjar.jobs.sql;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.input.HistoryArgument;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Histories as views with the columns of the archive format, one for each file that queries name. */
final class HistoryViews {

    /** Prefix of the schemas of histories, separate from the user's tables, so that each view can be called history. */
    private static final String SCHEMA = "nightjar_history_";

    private final Connection connection;
    private final HistoryFiles files;
    private final Map<List<String>, String> viewOf = new HashMap<>();

    HistoryViews(Connection connection, HistoryFiles files) {
        this.connection = connection;
        this.files = files;
    }

    /** Returns the query with views instead of its calls of {@code history}. */
    String prepare(String sql) {
        return HistoryCalls.replace(sql, this::view);
    }

    /** Returns a message about a prepared query, in the words of the query. */
    String inWordsOfQuery(String message) {
        String text = message;
        for (Map.Entry<List<String>, String> entry : viewOf.entrySet()) {
            text = text.replace(entry.getValue(), "history('" + entry.getKey().get(0) + "')");
        }
        return text;
    }

    private String view(String file, @Nullable String format) {
        Path path = Addresses.path(file);
        if (!HistoryArgument.isStandardInput(path) && !Files.exists(path)) {
            throw new UsageException("[" + file + "] no such history: called-as=history('" + file + "')");
        }
        List<String> call = List.of(file, format == null ? "" : format);
        String view = viewOf.get(call);
        if (view == null) {
            view = SCHEMA + viewOf.size() + ".history";
            create(view, files.parquetOf(path, format));
            viewOf.put(call, view);
        }
        return view;
    }

    private void create(String view, List<Path> parquet) {
        String rows = LakeViews.readParquet(parquet);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS " + view.substring(0, view.indexOf('.')));
            statement.execute("CREATE VIEW " + view + " AS " + emptyHistory(statement, rows)
                    + " UNION ALL BY NAME SELECT * FROM " + rows);
        } catch (SQLException e) {
            throw SqlSession.failure(SqlSession.text(e), e);
        }
    }

    /**
     * Returns a query without rows, but with all columns of a history, including columns that the files omit because
     * they contain only nulls.
     */
    private static String emptyHistory(Statement statement, String rows) throws SQLException {
        Map<String, String> fields = opFields(statement, rows);
        String key = type(fields.get("key"));
        String value = type(fields.get("value"));
        return HistoryColumn.OF_TXNS.stream()
                .map(column -> "NULL::" + type(column, key, value) + " AS " + column.columnName())
                .collect(Collectors.joining(", ", "SELECT ", " WHERE false"));
    }

    private static String type(HistoryColumn column, String key, String value) {
        return switch (column.type()) {
            case INT64 -> "BIGINT";
            case INT32 -> "INTEGER";
            case BOOLEAN -> "BOOLEAN";
            case STRING -> "VARCHAR";
            case KEY -> key;
            case VALUE -> value;
            case VALUES -> value + "[]";
            case OPERATIONS ->
                HistoryColumn.OF_OPS.stream()
                        .map(field -> '"' + field.columnName() + "\" " + type(field, key, value))
                        .collect(Collectors.joining(", ", "STRUCT(", ")[]"));
        };
    }

    private static Map<String, String> opFields(Statement statement, String rows) throws SQLException {
        Map<String, String> types = new HashMap<>();
        try (ResultSet fields = statement.executeQuery(
                "SELECT column_name, column_type FROM (DESCRIBE SELECT unnest(ops, max_depth := 2) FROM " + rows
                        + ")")) {
            while (fields.next()) {
                types.put(fields.getString(1), fields.getString(2));
            }
        }
        return types;
    }

    /** Returns the type of keys or values: small integers become int64, as do columns that the files omit. */
    private static String type(@Nullable String found) {
        return found == null || found.endsWith("INT") || found.endsWith("INTEGER") ? "BIGINT" : found;
    }
}
