package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.ColumnLabels;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement as the connection runs it.
 *
 * @param text as the client wrote it
 * @param action what is to be done
 * @param sql for H2, null if the connection does it by itself
 * @param kind how it reads
 * @param tag what its completion is called, without a count; empty for a text without a statement
 * @param name of a savepoint, setting or cursor; else empty
 * @param value of a setting, or how many rows of a cursor; else empty
 * @param columnNames of a query's columns, none for those that H2 names as PostgreSQL does
 */
record PostgresStatement(
        String text,
        Action action,
        @Nullable String sql,
        StatementEffects kind,
        String tag,
        String name,
        String value,
        List<String> columnNames) {

    /** What the connection does with the statement. */
    enum Action {
        NOTHING,
        SQL,
        BEGIN,
        COMMIT,
        ROLLBACK,
        SAVEPOINT,
        RELEASE,
        ROLLBACK_TO,
        SET,
        SET_LOCAL,
        RESET,
        SHOW,
        DEALLOCATE,
        DISCARD,
        DECLARE,
        FETCH,
        MOVE,
        CLOSE
    }

    private static final Set<String> TAGS_WITH_COUNTS =
            Set.of("SELECT", "INSERT 0", "UPDATE", "DELETE", "MERGE", "FETCH", "MOVE");

    static PostgresStatement of(String text, Action action, String tag) {
        return new PostgresStatement(text, action, null, StatementEffects.OTHER, tag, "", "", List.of());
    }

    static PostgresStatement named(String text, Action action, String tag, String name, String value) {
        return new PostgresStatement(text, action, null, StatementEffects.OTHER, tag, name, value, List.of());
    }

    static PostgresStatement sql(String text, String sql, StatementEffects kind, String tag) {
        return new PostgresStatement(text, Action.SQL, sql, kind, tag, "", "", List.of());
    }

    static PostgresStatement cursor(String text, String sql, String name, String value) {
        return new PostgresStatement(
                text, Action.DECLARE, sql, StatementEffects.OTHER, "DECLARE CURSOR", name, value, List.of());
    }

    /** Returns the statement as the client wrote it. */
    PostgresStatement written(String asWritten) {
        return new PostgresStatement(asWritten, action, sql, kind, tag, name, value, columnNames);
    }

    /** Returns the SQL of a statement that is for H2. */
    String forH2() {
        return Objects.requireNonNull(sql);
    }

    PostgresStatement withNames(List<String> names) {
        return new PostgresStatement(text, action, sql, kind, tag, name, value, names);
    }

    /** Returns what the column at a place is called, which H2 calls by this name. */
    String columnName(int column, int count, String name) {
        return ColumnLabels.of(columnNames, column, count, name);
    }

    /** Whether its completion says how many rows it returned or changed. */
    boolean hasCount() {
        return TAGS_WITH_COUNTS.contains(tag);
    }

    /** Whether it may be run in a transaction that has failed. */
    boolean endsFailure() {
        return action == Action.COMMIT || action == Action.ROLLBACK || action == Action.ROLLBACK_TO;
    }

    boolean isEmpty() {
        return action == Action.NOTHING && tag.isEmpty();
    }
}
