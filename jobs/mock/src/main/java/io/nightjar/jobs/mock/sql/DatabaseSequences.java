package io.nightjar.jobs.mock.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.schema.Schema;
import org.h2.schema.Sequence;
import org.h2.table.Column;
import org.h2.table.Table;
import org.h2.tools.SimpleResultSet;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/** Sequences of a database; sequences of identity columns have PostgreSQL's names. */
final class DatabaseSequences {

    /** Name prefix of H2's unnamed sequences. */
    private static final String OF_H2 = "system_sequence_";

    private static final List<String> TEXTS =
            List.of("schema_name", "sequence_name", "data_type", "table_name", "column_name");

    private static final List<String> NUMBERS =
            List.of("column_number", "start_value", "minimum_value", "maximum_value", "increment", "cache_size");

    private DatabaseSequences() {}

    /** Names sequences of columns after tables were created or altered. */
    static void settle(SessionLocal session) {
        Database database = session.getDatabase();
        for (Schema schema : database.getAllSchemasNoMeta()) {
            for (Sequence sequence : schema.getAllSequences()) {
                boolean isUnnamed = sequence.getName().toLowerCase(Locale.ROOT).startsWith(OF_H2);
                Column column = isUnnamed ? columnOf(session, sequence) : null;
                if (column != null) {
                    database.renameSchemaObject(session, sequence, free(session, schema, column));
                    session.commit(
                            true); // or its first number meets a new name that is not there yet, and is drawn twice
                }
            }
        }
    }

    private static String free(SessionLocal session, Schema schema, Column column) {
        int number = 0;
        while (true) {
            String name = ConstraintNames.ofSequence(column.getTable().getName(), column.getName(), number++);
            if (schema.findSequence(name) == null && schema.findTableOrView(session, name) == null) {
                return name;
            }
        }
    }

    private static @Nullable Column columnOf(SessionLocal session, Sequence sequence) {
        for (Table table : sequence.getSchema().getAllTablesAndViews(session)) {
            for (Column column : table.getColumns()) {
                if (column.getSequence() == sequence) {
                    return column;
                }
            }
        }
        return null;
    }

    /**
     * Returns all client sequences with their columns.
     *
     * @param onlyColumns whether to omit the rows
     */
    static ResultSet all(SessionLocal session, boolean onlyColumns) {
        SimpleResultSet rows = new SimpleResultSet();
        for (String name : TEXTS) {
            rows.addColumn(name, Types.VARCHAR, 0, 0);
        }
        for (String name : NUMBERS) {
            rows.addColumn(name, Types.BIGINT, 0, 0);
        }
        rows.addColumn("is_cycle", Types.BOOLEAN, 0, 0);
        for (Schema schema : session.getDatabase().getAllSchemasNoMeta()) {
            for (Sequence sequence : onlyColumns ? List.<Sequence>of() : schema.getAllSequences()) {
                Column column = sequence.getBelongsToTable() ? columnOf(session, sequence) : null;
                rows.addRow(
                        schema.getName(),
                        sequence.getName(),
                        typeOf(sequence),
                        column == null ? null : column.getTable().getName(),
                        column == null ? null : column.getName(),
                        column == null ? null : column.getColumnId() + 1L,
                        sequence.getStartValue(),
                        sequence.getMinValue(),
                        sequence.getMaxValue(),
                        sequence.getIncrement(),
                        column == null ? sequence.getCacheSize() : 1L,
                        sequence.getCycle() == Sequence.Cycle.CYCLE);
            }
        }
        return rows;
    }

    private static String typeOf(Sequence sequence) {
        return switch (sequence.getDataType().getValueType()) {
            case Value.TINYINT, Value.SMALLINT -> "smallint";
            case Value.INTEGER -> "integer";
            default -> "bigint";
        };
    }

    /**
     * Returns the beginning of an ALTER TABLE statement for the column that owns the sequence of this name; null if
     * none does.
     */
    static @Nullable String alteringColumnOf(SessionLocal session, String name) {
        Sequence sequence =
                session.getDatabase().getSchema(session.getCurrentSchemaName()).findSequence(name);
        Column column = sequence == null ? null : columnOf(session, sequence);
        return column == null
                ? null
                : "ALTER TABLE " + column.getTable().getSQL(0) + " ALTER COLUMN " + column.getSQL(0);
    }

    /**
     * Returns the qualified name of a column's sequence; null if it has none.
     *
     * @throws SQLException if the table or column does not exist
     */
    static @Nullable String nameOf(SessionLocal session, String table, String column) throws SQLException {
        Schema schema = session.getDatabase().getSchema(session.getCurrentSchemaName());
        Table known = schema.findTableOrView(session, table);
        if (known == null) {
            throw new SQLException("relation \"" + table + "\" does not exist", "42P01");
        }
        Column of = known.findColumn(column);
        if (of == null) {
            throw new SQLException("column \"" + column + "\" of relation \"" + table + "\" does not exist", "42703");
        }
        return of.getSequence() == null
                ? null
                : schema.getName() + "." + of.getSequence().getName();
    }
}
