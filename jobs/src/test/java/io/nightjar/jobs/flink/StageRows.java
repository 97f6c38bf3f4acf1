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
        String query = "SELECT coalesce(sum(" + column + "), 0) FROM read_parquet('" + lake + "/stages/*/*/*.parquet')";
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
