package io.nightjar.jdbc;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The text that the application prepares, and the text sent instead. */
final class PreparedText {

    private final SessionRecorder log;
    private final Method method;
    private final Object[] args;
    private @Nullable StatementPlan plan; // null until it is prepared

    PreparedText(SessionRecorder log, Method method, Object[] args) {
        this.log = log;
        this.method = method;
        this.args = args;
    }

    String sql() {
        return (String) args[0];
    }

    /** Prepares it on the database. */
    PreparedStatement prepare() throws Throwable {
        StatementPlan prepared = planned();
        plan = prepared;
        if (prepared.mode() == StatementPlan.Mode.AS_KEYS) {
            Object keys = KeyRequest.of(prepared, log.product(), wish());
            return keys instanceof String[] columns
                    ? log.connection().prepareStatement(prepared.sql(), columns)
                    : log.connection().prepareStatement(prepared.sql(), Statement.RETURN_GENERATED_KEYS);
        }
        Object[] sent = args.clone();
        sent[0] = prepared.sql();
        return (PreparedStatement) ProxyCalls.on(log.connection(), method, sent);
    }

    private StatementPlan planned() throws SQLException {
        return StatementPlan.of(sql(), log, wish());
    }

    StatementPlan plan() {
        return requireNonNull(plan);
    }

    /** Returns whether tables have changed so that another text must be sent. */
    boolean isOutdated() throws SQLException {
        StatementPlan plan = plan();
        if (plan.version() == log.tables().version() && !log.isOver()) {
            return false;
        }
        StatementPlan other = planned();
        boolean isSame = other.mode() == plan.mode() && other.sql().equals(plan.sql());
        if (isSame) {
            this.plan = other;
        }
        return !isSame;
    }

    /** Returns the generated keys that the application requested; null if none. */
    @Nullable
    Object wish() {
        return args.length == 2 ? args[1] : null;
    }
}
