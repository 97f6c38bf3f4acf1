package io.nightjar.jobs.mock.engine;

import java.sql.SQLException;
import java.util.Locale;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.schema.Schema;
import org.h2.schema.Sequence;
import org.h2.table.Column;
import org.h2.table.Table;

/** The sequences of columns that make their keys by themselves, under the names that PostgreSQL gives them. */
final class OwnSequences {

    /** How H2 calls those that nobody has named. */
    private static final String OF_H2 = "system_sequence_";

    private OwnSequences() {}

    /** After tables were made or altered. */
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

    private static Column columnOf(SessionLocal session, Sequence sequence) {
        for (Table table : sequence.getSchema().getAllTablesAndViews(session)) {
            for (Column column : table.getColumns()) {
                if (column.getSequence() == sequence) {
                    return column;
                }
            }
        }
        return null;
    }

    /** How the column is altered whose sequence has this name; null if there is none. */
    static String alteringColumnOf(SessionLocal session, String name) {
        Sequence sequence =
                session.getDatabase().getSchema(session.getCurrentSchemaName()).findSequence(name);
        Column column = sequence == null ? null : columnOf(session, sequence);
        return column == null
                ? null
                : "ALTER TABLE " + column.getTable().getSQL(0) + " ALTER COLUMN " + column.getSQL(0);
    }

    /**
     * The name of a column's sequence, with its schema; null if it has none.
     *
     * @throws SQLException if there is no such table or column
     */
    static String nameOf(SessionLocal session, String table, String column) throws SQLException {
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
