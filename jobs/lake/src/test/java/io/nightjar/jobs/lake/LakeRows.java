package io.nightjar.jobs.lake;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Reads a lake's files without our classes. */
final class LakeRows {

    private LakeRows() {}

    static long count(Path lake, LakeTable table) {
        return Long.parseLong(
                query("SELECT count(*) FROM " + files(lake, table)).get(0).get(0));
    }

    /** Returns every row of a table, cells as text. */
    static List<List<String>> rows(Path lake, LakeTable table) {
        return query("SELECT * FROM " + files(lake, table));
    }

    /** Name and type of each column of a table's files. */
    static List<List<String>> schema(Path lake, LakeTable table) {
        return query("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + files(lake, table) + ")");
    }

    private static String files(Path lake, LakeTable table) {
        return "read_parquet('" + lake + "/" + table.tableName() + "/*/*/*.parquet', hive_partitioning=false)";
    }

    static List<List<String>> query(String sql) {
        List<List<String>> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET TimeZone='UTC'");
            try (ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                        row.add(result.getString(column));
                    }
                    rows.add(row);
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
        return rows;
    }
}
