package io.nightjar.jdbc;

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
    private StatementPlan plan;

    PreparedText(SessionRecorder log, Method method, Object[] args) throws SQLException {
        this.log = log;
        this.method = method;
        this.args = args;
        this.plan = planned();
    }

    String sql() {
        return (String) args[0];
    }

    /** Prepares it on the database. */
    PreparedStatement prepare() throws Throwable {
        if (plan.mode() == StatementPlan.Mode.AS_KEYS) {
            Object keys = KeyRequest.of(plan, log.product(), wish());
            return keys instanceof String[] columns
                    ? log.connection().prepareStatement(plan.sql(), columns)
                    : log.connection().prepareStatement(plan.sql(), Statement.RETURN_GENERATED_KEYS);
        }
        Object[] sent = args.clone();
        sent[0] = plan.sql();
        return (PreparedStatement) ProxyCalls.on(log.connection(), method, sent);
    }

    private StatementPlan planned() throws SQLException {
        return StatementPlan.of(sql(), log, wish());
    }

    StatementPlan plan() {
        return plan;
    }

    /** Returns whether tables have changed so that another text must be sent. */
    boolean isOutdated() throws SQLException {
        if (plan.version() == log.tables().version() && !log.isOver()) {
            return false;
        }
        StatementPlan other = planned();
        boolean isSame = other.mode() == plan.mode() && other.sql().equals(plan.sql());
        if (isSame) {
            plan = other;
        }
        return !isSame;
    }

    /** Returns the generated keys that the application requested; null if none. */
    @Nullable
    Object wish() {
        return args.length == 2 ? args[1] : null;
    }
}
