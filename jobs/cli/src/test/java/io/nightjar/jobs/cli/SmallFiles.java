package io.nightjar.jobs.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Histories of a row or two, as others would write them. */
final class SmallFiles {

    /** A line of JSON Lines. */
    static final String GOOD_ROW =
            "{\"txn\":1,\"session\":0,\"seq\":0,\"start\":1,\"commit\":2,\"ops\":[[\"w\",\"x\",1]]}\n";

    private SmallFiles() {}

    /** Returns a query for a valid row, with a column or two replaced by columns of a test. */
    static String parquetRow(String replaced) {
        return "SELECT * REPLACE (" + replaced + ") FROM (SELECT 1::BIGINT txn_id, 0::BIGINT session_id,"
                + " 0::BIGINT session_seq, 'committed' status, 1::BIGINT start_ts, 2::BIGINT commit_ts,"
                + " [{'kind': 'w', 'key': 'x', 'value': 1::BIGINT}] ops)";
    }

    /** Writes the result of a query, as DuckDB does. */
    static void parquet(Path file, String query) {
        String statement = "COPY (" + query + ") TO '" + file + "' (FORMAT parquet)";
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement call = connection.createStatement()) {
            call.execute(statement);
        } catch (SQLException e) {
            throw new AssertionError(statement, e);
        }
    }
}
