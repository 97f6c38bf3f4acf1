package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.ColumnLabels;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A statement with the action that the connection performs for it.
 *
 * @param text the client's text, empty until it is given
 * @param action the action to perform
 * @param sql text for H2, null if the connection runs it without H2
 * @param kind its effects
 * @param name a savepoint, database, or subject of SHOW; else empty
 * @param value a pattern, or the number of a client; else empty
 * @param labels column labels of a query, none where H2 agrees with MySQL
 * @param isFleeting whether the text for H2 differs each time, as it embeds session values
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
        USE,
        KILL,
        KILL_QUERY,
        VARIABLES,
        SHOW_VARIABLES,
        SHOW_EMPTY
    }

    /** Returns a copy with the client's text. */
    MysqlStatement written(String asWritten) {
        return new MysqlStatement(asWritten, action, sql, kind, name, value, labels, isFleeting);
    }

    static MysqlStatement of(Action action) {
        return named(action, "", "");
    }

    static MysqlStatement named(Action action, String name, String value) {
        return new MysqlStatement("", action, null, StatementEffects.OTHER, name, value, List.of(), false);
    }

    static MysqlStatement sql(String sql, StatementEffects kind) {
        return new MysqlStatement("", Action.SQL, sql, kind, "", "", List.of(), false);
    }

    /** Returns the text for H2, which must exist. */
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
