package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.ColumnLabels;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement with the action that the connection performs for it.
 *
 * @param text the client's text, empty until it is given
 * @param action the action to perform
 * @param sql text for H2, null if the connection runs it without H2
 * @param kind its effects
 * @param tag completion tag without a count; empty for a text without a statement
 * @param name a savepoint, setting or cursor; else empty
 * @param value the value of a setting, or the row count of a cursor fetch; else empty
 * @param columnNames names of a query's columns, none where H2 agrees with PostgreSQL
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

    /** Action of the connection for a statement. */
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

    static PostgresStatement of(Action action, String tag) {
        return named(action, tag, "", "");
    }

    static PostgresStatement named(Action action, String tag, String name, String value) {
        return new PostgresStatement("", action, null, StatementEffects.OTHER, tag, name, value, List.of());
    }

    static PostgresStatement sql(String sql, StatementEffects kind, String tag) {
        return new PostgresStatement("", Action.SQL, sql, kind, tag, "", "", List.of());
    }

    static PostgresStatement cursor(String sql, String name, String value) {
        return new PostgresStatement(
                "", Action.DECLARE, sql, StatementEffects.OTHER, "DECLARE CURSOR", name, value, List.of());
    }

    /** Returns a copy with the client's text. */
    PostgresStatement written(String asWritten) {
        return new PostgresStatement(asWritten, action, sql, kind, tag, name, value, columnNames);
    }

    /** Returns the text for H2, which must exist. */
    String forH2() {
        return Objects.requireNonNull(sql);
    }

    PostgresStatement withNames(List<String> names) {
        return new PostgresStatement(text, action, sql, kind, tag, name, value, names);
    }

    /** Returns the name of a column, given H2's name. */
    String columnName(int column, int count, String name) {
        return ColumnLabels.of(columnNames, column, count, name);
    }

    /** Returns whether its completion reports the number of returned or changed rows. */
    boolean hasCount() {
        return TAGS_WITH_COUNTS.contains(tag);
    }

    /** Returns whether it may run in a failed transaction. */
    boolean endsFailure() {
        return action == Action.COMMIT || action == Action.ROLLBACK || action == Action.ROLLBACK_TO;
    }

    boolean isEmpty() {
        return action == Action.NOTHING && tag.isEmpty();
    }
}
