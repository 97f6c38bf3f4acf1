package io.nightjar.jobs.mock.sql;

import java.util.ArrayList;
import java.util.List;
import org.h2.command.CommandInterface;
import org.h2.engine.SessionLocal;
import org.h2.expression.ParameterInterface;
import org.h2.result.ResultInterface;
import org.h2.schema.Schema;
import org.h2.table.Column;
import org.h2.table.Table;
import org.jspecify.annotations.Nullable;

/** A parsed statement. */
public final class SqlStatement {

    /** Maximum length reported to a driver, PostgreSQL's limit. */
    private static final int GREATEST_LENGTH = 10_485_760;

    private final CommandInterface command;
    private final StatementEffects kind;
    private final List<SqlType> parameters = new ArrayList<>();
    private final @Nullable List<SqlColumn> columns;

    SqlStatement(CommandInterface command, StatementEffects kind, SessionLocal session) {
        this.command = command;
        this.kind = changesTables(command.getCommandType()) ? StatementEffects.TABLES : kind;
        for (ParameterInterface parameter : command.getParameters()) {
            parameters.add(SqlValues.type(parameter.getType()));
        }
        this.columns = command.isQuery() ? columns(command.getMetaData(), session) : null;
    }

    private static boolean changesTables(int type) {
        return switch (type) {
            case CommandInterface.SELECT,
                    CommandInterface.INSERT,
                    CommandInterface.UPDATE,
                    CommandInterface.DELETE,
                    CommandInterface.MERGE,
                    CommandInterface.REPLACE,
                    CommandInterface.CALL,
                    CommandInterface.EXPLAIN,
                    CommandInterface.TRUNCATE_TABLE,
                    CommandInterface.SET,
                    CommandInterface.UNKNOWN -> false;
            default -> true;
        };
    }

    private static List<SqlColumn> columns(ResultInterface result, SessionLocal session) {
        List<SqlColumn> columns = new ArrayList<>();
        for (int column = 0; column < result.getVisibleColumnCount(); column++) {
            SqlType type = SqlValues.type(result.getColumnType(column));
            long precision = result.getColumnType(column).getPrecision();
            Column source = source(result, column, session);
            boolean hasLength = type == SqlType.VARCHAR || type == SqlType.CHAR || type == SqlType.NUMERIC;
            columns.add(new SqlColumn(
                    result.getAlias(column),
                    type,
                    result.getTableName(column),
                    result.getColumnName(column),
                    hasLength ? (int) Math.min(precision, GREATEST_LENGTH) : 0,
                    type == SqlType.NUMERIC || type == SqlType.TIMESTAMP || type == SqlType.TIME
                            ? result.getColumnType(column).getScale()
                            : 0,
                    new SqlColumn.InTable(
                            source != null && source.isPrimaryKey(),
                            result.isIdentity(column),
                            source == null ? 0 : source.getTable().getId(),
                            source == null ? 0 : source.getColumnId() + 1)));
        }
        return List.copyOf(columns);
    }

    /** Returns the client's table column that a result column copies, null if none. */
    private static @Nullable Column source(ResultInterface result, int column, SessionLocal session) {
        String schema = result.getSchemaName(column);
        Schema known = schema == null ? null : session.getDatabase().findSchema(schema);
        Table table = known == null ? null : known.findTableOrView(session, result.getTableName(column));
        return table instanceof MockTable ? table.findColumn(result.getColumnName(column)) : null;
    }

    /** Returns the columns of a result, which equal the prepared columns unless a type depends on parameters. */
    List<SqlColumn> columns(ResultInterface result, EngineSession of) {
        return columns != null && columns.stream().noneMatch(column -> column.type() == SqlType.UNKNOWN)
                ? columns
                : columns(result, of.h2());
    }

    /** Returns whether it can run again; after a run, H2 retains only the first of several truncated tables. */
    public boolean isReusable() {
        return kind.targets() == null || kind.targets().size() < 2;
    }

    CommandInterface command() {
        return command;
    }

    StatementEffects kind() {
        return kind;
    }

    public boolean changesTables() {
        return kind.changesTables();
    }

    /** Returns whether it changes data or locks the rows that it reads. */
    public boolean writes() {
        return changesTables() || kind.targets() == null || !kind.targets().isEmpty();
    }

    /** Returns the types of its parameters, as far as they are known before binding. */
    public List<SqlType> parameters() {
        return parameters;
    }

    /** Returns the columns of its result, null if it has none. */
    public @Nullable List<SqlColumn> columns() {
        return columns;
    }
}
