package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.h2.command.CommandInterface;
import org.h2.constraint.Constraint;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.engine.SessionLocal.Savepoint;
import org.h2.expression.ParameterInterface;
import org.h2.index.Index;
import org.h2.jdbc.JdbcConnection;
import org.h2.result.ResultInterface;
import org.h2.schema.Schema;
import org.h2.table.Column;
import org.h2.table.Table;
import org.h2.value.Value;
import org.h2.value.ValueVarchar;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to the SQL engine of a mock. {@link MockSession} owns the transactions; statements run one at a
 * time.
 */
public final class EngineSession implements AutoCloseable {

    private final SqlEngine engine;
    private final JdbcConnection connection;
    private final SqlContext context;
    private final EngineDialect dialect;
    private final Map<String, Savepoint> savepoints = new HashMap<>();
    private final Set<Integer> temporary = new HashSet<>();
    private boolean checksReferences = true;
    private List<String> schemas = List.of();
    private long insertedKey;

    EngineSession(SqlEngine engine, JdbcConnection connection, SqlContext context, EngineDialect dialect) {
        this.engine = engine;
        this.connection = connection;
        this.context = context;
        this.dialect = dialect;
        context.h2().setAutoCommit(false);
    }

    /** Runs work with the session while no statement of any session runs. */
    public <T> T alone(Supplier<T> work) {
        engine.store().lock().lock();
        try {
            return work.get();
        } catch (OutOfMemoryError full) {
            throw engine.store().exhausted();
        } finally {
            engine.store().lock().unlock();
        }
    }

    SessionLocal h2() {
        return context.h2();
    }

    public MockSession mock() {
        return context.mock();
    }

    /**
     * Parses a statement.
     *
     * @param kind effects of the statement, unless it creates or alters tables
     * @throws MockException if the text is no statement
     */
    public SqlStatement prepare(String sql, StatementEffects kind) {
        return alone(() -> {
            try {
                engine.speak(dialect, checksReferences);
                return new SqlStatement(context.h2().prepareCommand(sql), kind, context.h2());
            } catch (RuntimeException failed) {
                throw ErrorTranslator.of(failed, null, context.h2(), dialect);
            }
        });
    }

    /**
     * Runs a statement in the session's transaction.
     *
     * @param parameters plain objects, null for NULL
     * @param text the client's text, null if the statement is internal
     * @throws MockException if it fails
     */
    public SqlResult execute(SqlStatement statement, List<?> parameters, @Nullable String text) {
        return alone(() -> {
            try {
                engine.speak(dialect, checksReferences);
                if (text != null) {
                    context.mock().statement(text);
                }
                return run(statement, parameters);
            } catch (RuntimeException failed) {
                context.mock().standOut();
                throw ErrorTranslator.of(failed, statement.kind(), context.h2(), dialect);
            }
        });
    }

    private SqlResult run(SqlStatement statement, List<?> parameters) {
        CommandInterface command = statement.command();
        List<? extends ParameterInterface> placeholders = command.getParameters();
        if (placeholders.size() > parameters.size()) {
            throw new MockException(
                    "08P01", "parameters are missing: given=" + parameters.size() + " needed=" + placeholders.size());
        }
        for (int i = 0; i < placeholders.size(); i++) {
            placeholders.get(i).setValue(SqlValues.value(parameters.get(i)), true);
        }
        context.begin(statement.kind());
        engine.runs(statement.kind());
        if (statement.kind().changesTables() || engine.store().isFollowed() && hasSequences()) {
            context.mock().standOut();
        }
        if (!command.isQuery()) {
            Value before = context.h2().getLastIdentity();
            long changed = statement.kind().changesTables()
                    ? context.mock()
                            .changingTables(() -> command.executeUpdate(null).getUpdateCount())
                    : command.executeUpdate(null).getUpdateCount();
            if (statement.kind().changesTables()) {
                changed = dialect == EngineDialect.POSTGRES ? context.loaded() + newTemporaryRows() : 0;
                ConstraintNames.settle(context.h2(), dialect);
                DatabaseSequences.settle(context.h2());
                engine.measure();
                context.h2().commit(true);
                savepoints.clear();
            }
            long count = command.getCommandType() == CommandInterface.TRUNCATE_TABLE ? 0 : changed;
            insertedKey = context.insertedKey(before);
            return new SqlResult(null, List.of(), count);
        }
        insertedKey = 0;
        try (ResultInterface result = command.executeQuery(0, 0, false)) {
            List<Object[]> rows = new ArrayList<>();
            int width = result.getVisibleColumnCount();
            while (result.next()) {
                Value[] values = result.currentRow();
                Object[] row = new Object[width];
                for (int column = 0; column < width; column++) {
                    row[column] = SqlValues.object(values[column], context.h2());
                }
                rows.add(row);
            }
            return new SqlResult(statement.columns(result, this), rows, rows.size());
        }
    }

    /**
     * Returns the columns before the given column in an index of a table if all are in {@code equal}; none if no index
     * qualifies.
     *
     * @param equal columns that have a single value each
     */
    public List<String> columnsBefore(String table, Set<String> equal, String column) {
        return alone(() -> {
            Schema schema = context.h2().getDatabase().getSchema(context.h2().getCurrentSchemaName());
            Table known = schema.findTableOrView(context.h2(), table);
            List<String> before = new ArrayList<>();
            if (!(known instanceof MockTable mock) || equal.contains(column) || mock.isByCell()) {
                return before;
            }
            for (Index index : mock.getIndexes()) {
                before.clear();
                for (Column each : index.getIndexType().isScan() ? new Column[0] : index.getColumns()) {
                    if (each.getName().equals(column)) {
                        return before;
                    }
                    if (!equal.contains(each.getName())) {
                        break;
                    }
                    before.add(each.getName());
                }
            }
            before.clear();
            return before;
        });
    }

    /**
     * Ends the transaction of H2's internal data: temporary tables, which belong to the session and are in no history.
     *
     * @param commits whether to commit instead of rolling back
     */
    public void ended(boolean commits) {
        savepoints.clear();
        if (commits) {
            context.h2().commit(false);
        } else {
            context.h2().rollback();
        }
    }

    /** Sets a savepoint in that transaction, under a name that may already be in use. */
    public void savepoint(String name) {
        if (!context.h2().getLocalTempTables().isEmpty()) {
            savepoints.put(name, context.h2().setSavepoint());
        }
    }

    /** Rolls back to a savepoint. */
    public void rollbackTo(String name) {
        Savepoint savepoint = savepoints.get(name);
        if (savepoint != null) {
            context.h2().rollbackTo(savepoint);
        }
    }

    /** Sets whether foreign keys are checked. */
    public void checkReferences(boolean isWanted) {
        checksReferences = isWanted;
    }

    /** Returns and clears the settings that the last statement changed by calling a function. */
    public List<AskedSetting> takeAskedSettings() {
        List<AskedSetting> asked = List.copyOf(context.asked());
        context.asked().clear();
        return asked;
    }

    /** Sets the source of client settings for SQL functions. */
    public void settings(UnaryOperator<String> by) {
        context.settings(by);
    }

    /** Drops the session's temporary tables. */
    public void dropTemporary() {
        alone(() -> {
            for (Table table : List.copyOf(context.h2().getLocalTempTables())) {
                context.h2().removeLocalTempTable(table);
            }
            savepoints.clear();
            return null;
        });
    }

    /**
     * Creates tables in the first existing schema of these and resolves names in all of them; uses "public" if none
     * exists.
     *
     * @return whether the existing schemas of the path changed
     */
    public boolean schemas(List<String> names) {
        return alone(() -> {
            Database database = context.h2().getDatabase();
            List<String> known = new ArrayList<>(names);
            known.removeIf(name -> database.findSchema(name) == null);
            String first = known.isEmpty() ? "public" : known.get(0);
            boolean isOther = !known.equals(schemas);
            schemas = known;
            context.h2().setCurrentSchema(database.getSchema(first));
            List<String> path = new ArrayList<>(known);
            path.add(PostgresFunctions.SCHEMA);
            context.h2().setSchemaSearchPath(path.toArray(new String[0]));
            return isOther;
        });
    }

    /** Returns the number of rows in temporary tables created by the last statement. */
    private long newTemporaryRows() {
        long rows = 0;
        for (Table table : context.h2().getLocalTempTables()) {
            rows += temporary.add(table.getId()) ? table.getRowCount(context.h2()) : 0;
        }
        return rows;
    }

    public boolean isSequence(String name) {
        return alone(() -> {
            Schema schema = context.h2().getDatabase().getSchema(context.h2().getCurrentSchemaName());
            return schema.findSequence(name) != null;
        });
    }

    /** Returns the tables and all tables that refer to them, by their names in SQL. */
    public List<String> withThoseThatRefer(List<String> named) {
        return alone(() -> {
            List<String> all = new ArrayList<>(named);
            List<Table> known = new ArrayList<>();
            for (String name : named) {
                String[] names = name.replace("\"", "").split("\\.");
                String schemaName = names.length > 1
                        ? names[names.length - 2]
                        : context.h2().getCurrentSchemaName();
                Schema schema = context.h2().getDatabase().findSchema(schemaName);
                Table table = schema == null ? null : schema.findTableOrView(context.h2(), names[names.length - 1]);
                if (table != null) {
                    known.add(table);
                }
            }
            for (int i = 0; i < known.size(); i++) {
                for (Constraint constraint : known.get(i).getConstraints()) {
                    if (constraint.getConstraintType() == Constraint.Type.REFERENTIAL
                            && !known.contains(constraint.getTable())) {
                        known.add(constraint.getTable());
                        all.add(constraint.getTable().getSQL(0));
                    }
                }
            }
            return all;
        });
    }

    /**
     * Returns the beginning of an ALTER TABLE statement for the column that owns the sequence of this name; null if
     * none does.
     */
    public @Nullable String alteringColumnOf(String sequence) {
        return alone(() -> DatabaseSequences.alteringColumnOf(context.h2(), sequence));
    }

    /** Returns the key generated for the first row that the last statement inserted, 0 if none. */
    public long insertedKey() {
        return insertedKey;
    }

    /** Sets a session variable, {@code @name} in SQL. */
    public void variable(String name, String value) {
        alone(() -> {
            context.h2().setVariable(name, ValueVarchar.get(value));
            return null;
        });
    }

    /** Returns whether a sequence may exist; its next number goes to the next caller regardless of the level. */
    private boolean hasSequences() {
        for (Schema schema : context.h2().getDatabase().getAllSchemasNoMeta()) {
            if (!schema.getAllSequences().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Cancels the running statement from another thread. */
    public void cancel(SqlStatement statement) {
        statement.command().cancel();
    }

    @Override
    public void close() {
        alone(() -> {
            context.mock().close();
            engine.closed(context);
            try {
                connection.close();
            } catch (SQLException gone) {
                throw new AssertionError("a session does not close: " + gone.getMessage(), gone);
            }
            return null;
        });
    }
}
