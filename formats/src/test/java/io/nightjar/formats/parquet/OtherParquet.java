package io.nightjar.formats.parquet;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Another reader and writer of Parquet files, in memory. */
final class OtherParquet {

    private OtherParquet() {}

    /** Runs statements. */
    static void run(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("set threads = 1");
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the rows of a query, columns joined by bars. */
    static List<String> rows(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(query)) {
            List<String> rows = new ArrayList<>();
            int columns = results.getMetaData().getColumnCount();
            while (results.next()) {
                StringBuilder row = new StringBuilder();
                for (int column = 1; column <= columns; column++) {
                    row.append(column == 1 ? "" : "|").append(text(results.getObject(column)));
                }
                rows.add(row.toString());
            }
            return rows;
        }
    }

    private static String text(Object cell) {
        return cell instanceof OffsetDateTime
                ? ((OffsetDateTime) cell).withOffsetSameInstant(ZoneOffset.UTC).toString()
                : String.valueOf(cell);
    }
}
