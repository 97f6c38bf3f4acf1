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

/** A statement that has been parsed. */
public final class SqlStatement {

    /** What a driver is told at most, PostgreSQL's greatest. */
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

    /** The column of a client's table that a column of a result is, null if it is none. */
    private static @Nullable Column source(ResultInterface result, int column, SessionLocal session) {
        String schema = result.getSchemaName(column);
        Schema known = schema == null ? null : session.getDatabase().findSchema(schema);
        Table table = known == null ? null : known.findTableOrView(session, result.getTableName(column));
        return table instanceof MockTable ? table.findColumn(result.getColumnName(column)) : null;
    }

    /** The columns of a result, which are those that were known unless a type depends on parameters. */
    List<SqlColumn> columns(ResultInterface result, EngineSession of) {
        return columns != null && columns.stream().noneMatch(column -> column.type() == SqlType.UNKNOWN)
                ? columns
                : columns(result, of.h2());
    }

    /** Whether it may be run again: H2 forgets all but the first of several that empty tables. */
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

    /** Whether it changes anything, or locks what it reads. */
    public boolean writes() {
        return changesTables() || kind.targets() == null || !kind.targets().isEmpty();
    }

    /** Types of its parameters, as far as they are known before there are values. */
    public List<SqlType> parameters() {
        return parameters;
    }

    /** Columns of its result, null if it has none. */
    public @Nullable List<SqlColumn> columns() {
        return columns;
    }
}
