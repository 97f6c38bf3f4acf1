package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.ColumnLabels;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A statement as the connection runs it.
 *
 * @param text as the client wrote it
 * @param action what is to be done
 * @param sql for H2, null if the connection does it by itself
 * @param kind how it reads
 * @param name of a savepoint or database, or what is to be shown; else empty
 * @param value a pattern, or the number of a client; else empty
 * @param labels of a query's columns, none for those that H2 names as MySQL does
 * @param isFleeting whether it is another one for H2 each time, as what it asks for is written into it
 */
record MysqlStatement(
        String text,
        Action action,
        @Nullable String sql,
        StatementEffects kind,
        String name,
        String value,
        List<String> labels,
        boolean isFleeting) {

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
        USE,
        KILL,
        KILL_QUERY,
        VARIABLES,
        SHOW_VARIABLES,
        SHOW_EMPTY
    }

    /** Returns the statement as the client wrote it. */
    MysqlStatement written(String asWritten) {
        return new MysqlStatement(asWritten, action, sql, kind, name, value, labels, isFleeting);
    }

    static MysqlStatement of(String text, Action action) {
        return named(text, action, "", "");
    }

    static MysqlStatement named(String text, Action action, String name, String value) {
        return new MysqlStatement(text, action, null, StatementEffects.OTHER, name, value, List.of(), false);
    }

    static MysqlStatement sql(String text, String sql, StatementEffects kind) {
        return new MysqlStatement(text, Action.SQL, sql, kind, "", "", List.of(), false);
    }

    /** Returns the SQL of a statement that is for H2. */
    String forH2() {
        return Objects.requireNonNull(sql);
    }

    MysqlStatement withLabels(List<String> names) {
        return new MysqlStatement(text, action, sql, kind, name, value, names, isFleeting);
    }

    MysqlStatement fleeting() {
        return new MysqlStatement(text, action, sql, kind, name, value, labels, true);
    }

    String label(int column, int count, String label) {
        return ColumnLabels.of(labels, column, count, label);
    }
}
