package io.nightjar.jdbc;

import java.lang.reflect.Method;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement whose executions are recorded. */
final class RecordedStatement extends ProxyCalls {

    /** Result for the application instead of the driver's; if both are null, the driver's result is used. */
    private record Outcome(@Nullable Long count, @Nullable RecordedRows rows) {}

    private static final Outcome OF_DRIVER = new Outcome(null, null);
    private static final Outcome NO_MORE = new Outcome(-1L, null);

    private final SessionRecorder log;
    private final Connection connection; // as the application sees it
    private final @Nullable PreparedText prepared;
    private final List<Object> batch = new ArrayList<>(); // texts, or parameters
    private Statement statement;
    private BoundParameters bound = new BoundParameters();
    private Outcome outcome = OF_DRIVER;
    private @Nullable RecordedRows keys;

    /** @param prepared null for a plain statement */
    RecordedStatement(
            SessionRecorder log, Statement statement, @Nullable PreparedText prepared, Connection connection) {
        super(statement);
        this.log = log;
        this.statement = statement;
        this.prepared = prepared;
        this.connection = connection;
    }

    @Override
    @Nullable
    Object call(Method method, Object[] args) throws Throwable {
        String name = method.getName();
        boolean isSetting =
                prepared != null && name.startsWith("set") && args.length >= 2 && args[0] instanceof Integer;
        if (isSetting) {
            bound.set(method, args);
            return on(statement, method, args);
        }
        return switch (name) {
            case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" -> execute(method, args);
            case "addBatch" -> batch.add(args.length == 0 ? bound.copy() : args[0]) ? null : null;
            case "executeBatch" ->
                Arrays.stream(executeBatch()).mapToInt(count -> (int) count).toArray();
            case "executeLargeBatch" -> executeBatch();
            case "clearBatch" -> {
                batch.clear();
                yield null;
            }
            case "clearParameters" -> {
                bound.clear();
                yield on(statement, method, args);
            }
            case "close" -> {
                settle();
                yield on(statement, method, args);
            }
            case "getConnection" -> connection;
            default -> result(method, args);
        };
    }

    private @Nullable Object result(Method method, Object[] args) throws Throwable {
        boolean isOurs = outcome.count != null || outcome.rows != null;
        return switch (method.getName()) {
            case "getResultSet" ->
                outcome.rows != null
                        ? outcome.rows.proxy(ResultSet.class)
                        : isOurs ? null : on(statement, method, args);
            case "getUpdateCount" ->
                isOurs ? (Object) (outcome.count == null ? -1 : outcome.count.intValue()) : on(statement, method, args);
            case "getLargeUpdateCount" ->
                isOurs ? (Object) (outcome.count == null ? -1L : outcome.count) : on(statement, method, args);
            case "getMoreResults" -> {
                settle();
                boolean isCounted = outcome.count != null;
                outcome = isCounted ? NO_MORE : OF_DRIVER;
                yield isCounted ? (Object) false : on(statement, method, args);
            }
            case "getGeneratedKeys" -> keys != null ? keys.proxy(ResultSet.class) : on(statement, method, args);
            case "getMetaData" -> {
                Object about = on(statement, method, args);
                int hidden = prepared == null ? 0 : prepared.plan().hidden();
                yield hidden == 0 || about == null
                        ? about
                        : RecordedRows.withoutHidden((ResultSetMetaData) about, hidden);
            }
            default -> on(statement, method, args);
        };
    }

    private void settle() throws SQLException {
        if (outcome.rows != null) {
            outcome.rows.settle();
        }
        if (keys != null) {
            keys.settle();
        }
    }

    // ---------------------------------------------------------------- one execution

    private @Nullable Object execute(Method method, Object[] args) throws Throwable {
        settle();
        outcome = OF_DRIVER;
        keys = null;
        log.settleWrites();
        StatementPlan plan = plan(args);
        String sql = prepared == null ? (String) args[0] : prepared.sql();
        StatementExecution run = new StatementExecution(log, statement, plan, sql, bound, prepared);
        if (log.isOver()) {
            return run.asItIs(method, args);
        }
        Object answer = run.execute(method, args);
        outcome = run.rows() == null && run.count() == null ? OF_DRIVER : new Outcome(run.count(), run.rows());
        keys = run.keys();
        setStatementOf(outcome.rows);
        setStatementOf(keys);
        return switch (method.getName()) {
            case "executeUpdate" ->
                run.count() == null ? answer : (Object) run.count().intValue();
            case "executeLargeUpdate" -> run.count() == null ? answer : run.count();
            case "execute" -> run.count() == null ? answer : (Object) false;
            default -> run.rows() == null ? answer : run.rows().proxy(ResultSet.class);
        };
    }

    private void setStatementOf(@Nullable RecordedRows rows) {
        if (rows != null) {
            rows.setStatement(proxy(Statement.class));
        }
    }

    @Override
    @Nullable
    Object unwrapped(Method method, Object[] args) throws Throwable {
        log.goesAround((Class<?>) args[0]);
        return on(statement, method, args);
    }

    private StatementPlan plan(Object[] args) throws Throwable {
        if (prepared == null) {
            return StatementPlan.of((String) args[0], log, args.length == 2 ? args[1] : null);
        }
        if (prepared.isOutdated()) {
            PreparedStatement other = prepared.prepare();
            bound.setAll(other);
            statement.close();
            statement = other;
        }
        return prepared.plan();
    }

    // ---------------------------------------------------------------- several

    private long[] executeBatch() throws Throwable {
        settle();
        log.settleWrites();
        List<Object> entries = new ArrayList<>(batch);
        batch.clear();
        boolean isAtOnce = log.product() == JdbcProduct.POSTGRESQL && log.commitsByItself();
        return isAtOnce
                ? log.together(() -> executeAll(entries)) // its driver sends a batch as one transaction
                : executeAll(entries);
    }

    private long[] executeAll(List<Object> entries) throws Throwable {
        long[] counts = new long[entries.size()];
        BoundParameters before = bound;
        Method execute = prepared == null
                ? Statement.class.getMethod("execute", String.class)
                : PreparedStatement.class.getMethod("execute");
        for (int i = 0; i < counts.length; i++) {
            try {
                if (entries.get(i) instanceof BoundParameters parameters) {
                    bound = parameters;
                    bound.setAll((PreparedStatement) statement);
                    execute(execute, new Object[0]);
                } else {
                    execute(execute, new Object[] {entries.get(i)});
                }
                counts[i] = outcome.count != null ? outcome.count : statement.getUpdateCount();
            } catch (SQLException failed) {
                throw new BatchUpdateException(
                        failed.getMessage(),
                        failed.getSQLState(),
                        failed.getErrorCode(),
                        Arrays.stream(Arrays.copyOf(counts, i))
                                .mapToInt(count -> (int) count)
                                .toArray(),
                        failed);
            } finally {
                bound = before;
            }
        }
        return counts;
    }
}
