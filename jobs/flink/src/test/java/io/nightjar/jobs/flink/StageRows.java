package io.nightjar.jobs.flink;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks the table of stages in a lake. */
final class StageRows {

    private StageRows() {}

    /** A column's sum over all rows; 0 where none has a number. */
    static long sum(Path lake, String column) {
        return sum(lake, column, "true");
    }

    /** A column's sum over the rows of one station. */
    static long sumOf(String stage, Path lake, String column) {
        return sum(lake, column, "stage = '" + stage + "'");
    }

    private static long sum(Path lake, String column, String condition) {
        String query = "SELECT coalesce(sum(" + column + "), 0) FROM read_parquet('" + lake
                + "/stages/*/*/*.parquet') WHERE " + condition;
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
