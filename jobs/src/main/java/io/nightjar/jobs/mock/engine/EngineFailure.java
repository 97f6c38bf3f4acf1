package io.nightjar.jobs.mock.engine;

import io.nightjar.jobs.mock.MockException;
import java.sql.SQLException;
import java.util.Map;
import org.h2.message.DbException;

/** What H2 says in the words of SQL that clients know. */
final class EngineFailure {

    private static final Map<String, String> STATES = Map.ofEntries(
            Map.entry("42000", "42601"),
            Map.entry("42001", "42601"),
            Map.entry("21S02", "42601"),
            Map.entry("21S01", "42601"),
            Map.entry("42S01", "42P07"),
            Map.entry("42S02", "42P01"),
            Map.entry("42S03", "42P01"),
            Map.entry("42S04", "42P01"),
            Map.entry("42S11", "42P07"),
            Map.entry("42S12", "42704"),
            Map.entry("42S21", "42701"),
            Map.entry("42S22", "42703"),
            Map.entry("23506", "23503"),
            Map.entry("23507", "23502"),
            Map.entry("23513", "23514"),
            Map.entry("22018", "22P02"),
            Map.entry("22007", "22007"),
            Map.entry("HYC00", "0A000"),
            Map.entry("HY000", "XX000"),
            Map.entry("90079", "3F000"),
            Map.entry("90022", "42883"),
            Map.entry("90078", "42P06"),
            Map.entry("90036", "42P01"),
            Map.entry("90037", "42P01"),
            Map.entry("90038", "42P07"),
            Map.entry("90035", "42P07"),
            Map.entry("90016", "42803"),
            Map.entry("90107", "2BP01"),
            Map.entry("90106", "0A000"));

    private EngineFailure() {}

    static MockException of(RuntimeException thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MockException ours) {
                return ours;
            }
        }
        if (!(thrown instanceof DbException)) {
            throw thrown;
        }
        SQLException failure = DbException.toSQLException(thrown);
        String state = String.valueOf(failure.getSQLState());
        String message = String.valueOf(failure.getMessage());
        int sql = message.indexOf("; SQL statement:");
        return new MockException(
                STATES.getOrDefault(state, known(state)), sql < 0 ? message : message.substring(0, sql));
    }

    /** Codes of H2's own begin with 9, which no client knows. */
    private static String known(String state) {
        return state.startsWith("9") ? "XX000" : state;
    }
}
