package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockException;
import java.sql.SQLException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.engine.Constants;
import org.h2.engine.SessionLocal;
import org.h2.message.DbException;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** Translator of H2 failures into the error codes and messages of the client's database. */
final class ErrorTranslator {

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
            Map.entry("22004", "22003"),
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
            Map.entry("90059", "42702"),
            Map.entry("90045", "42710"),
            Map.entry("90110", "42883"),
            Map.entry("90057", "42704"),
            Map.entry("90107", "2BP01"),
            Map.entry("90148", "55000"),
            Map.entry("90106", "0A000"));

    /** The word that follows H2's marker; empty at the end of the statement, which is quoted. */
    private static final Pattern MARKED_WORD = Pattern.compile("\\[\\*](\\w+|\"\\w+\"|'[^']*'|[^\\s\\w\"]|)");

    private static final Pattern NUMERIC_COLUMN = Pattern.compile("column \".* (NUMERIC|DECFLOAT)");

    /** Session variable that holds the client's name of the database. */
    private static final String DATABASE = "nightjar_database";

    private ErrorTranslator() {}

    /**
     * Returns the exception for a failed statement.
     *
     * @param kind effects of the statement, null if it could not be parsed
     */
    static MockException of(
            RuntimeException thrown, @Nullable StatementEffects kind, SessionLocal session, EngineDialect dialect) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MockException ours) {
                return ours;
            }
        }
        if (!(thrown instanceof DbException failed)) {
            throw thrown;
        }
        SQLException failure = DbException.toSQLException(thrown);
        String state = String.valueOf(failure.getSQLState());
        String message = String.valueOf(failure.getMessage());
        int sql = message.indexOf("; SQL statement:");
        String engineMessage = sql < 0 ? message : message.substring(0, sql);
        if (engineMessage.startsWith("Syntax error")) {
            return MockException.syntaxError(syntaxError(engineMessage));
        }
        if (state.equals("22001") && NUMERIC_COLUMN.matcher(engineMessage).find()) {
            return new MockException("22003", "numeric field overflow: " + engineMessage);
        }
        return new ErrorMessages(failed, engineMessage, dialect, kind == null ? null : kind.target(), database(session))
                .translated(STATES.getOrDefault(state, known(state)));
    }

    /**
     * Returns the client's name of its current database: one that it created, or the default database under any name.
     */
    private static String database(SessionLocal session) {
        Value named = session.getVariable(DATABASE);
        String schema = session.getCurrentSchemaName();
        boolean isMade = !schema.equalsIgnoreCase(Constants.SCHEMA_MAIN);
        return isMade ? schema : named == ValueNull.INSTANCE ? "" : named.getString();
    }

    /** Returns the syntax error at the marked position; H2 quotes the rewritten statement, not the client's. */
    private static String syntaxError(String engineMessage) {
        Matcher marked = MARKED_WORD.matcher(engineMessage);
        if (!marked.find()) {
            return engineMessage;
        }
        return marked.group(1).isEmpty()
                ? "syntax error at end of input"
                : "syntax error at or near \"" + marked.group(1) + "\"";
    }

    /** Returns a SQLSTATE known to clients; H2's internal codes start with 9. */
    private static String known(String state) {
        return state.startsWith("9") ? "XX000" : state;
    }
}
