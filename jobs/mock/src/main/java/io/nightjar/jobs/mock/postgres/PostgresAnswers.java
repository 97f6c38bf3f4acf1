package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlResult;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encoder of results, failures and notices as PostgreSQL messages. */
final class PostgresAnswers {

    private final PostgresWire wire;

    PostgresAnswers(PostgresWire wire) {
        this.wire = wire;
    }

    void error(MockException failed, String severity) throws IOException {
        wire.begin('E').putByte('S').putString(severity).putByte('V').putString(severity);
        wire.putByte('C').putString(failed.sqlState());
        wire.putByte('M').putString(failed.getMessage());
        MockException.Violation violation = failed.violation();
        if (violation != null) {
            field('D', violation.detail());
            field('s', "public");
            field('t', violation.table());
            field('c', violation.column());
            field('n', violation.constraint());
        }
        wire.putByte(0).end();
    }

    private void field(char name, @Nullable String value) throws IOException {
        if (value != null) {
            wire.putByte(name).putString(value);
        }
    }

    void notice(String text) throws IOException {
        wire.begin('N').putByte('S').putString("NOTICE").putByte('V').putString("NOTICE");
        wire.putByte('C')
                .putString("00000")
                .putByte('M')
                .putString(text)
                .putByte(0)
                .end();
    }

    void status(String name, String value) throws IOException {
        wire.begin('S').putString(name).putString(value).end();
    }

    /** Describes the rows of a portal, or sends that it has none. */
    void describe(PostgresPortal portal, @Nullable List<SqlColumn> columns) throws IOException {
        if (columns == null) {
            wire.begin('n').end();
            return;
        }
        wire.begin('T').putShort(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            SqlColumn column = columns.get(i);
            int type = PostgresType.of(column.type());
            wire.putString(portal.statement().columnName(i, columns.size(), column.name()));
            wire.putInt(column.inTable().tableNumber())
                    .putShort(column.inTable().position())
                    .putInt(type)
                    .putShort(PostgresType.size(type));
            wire.putInt(PostgresType.modifier(column)).putShort(portal.isBinary(i) ? 1 : 0);
        }
        wire.end();
    }

    /** Sends rows of a portal's result within a range of positions. */
    void rows(PostgresPortal portal, SqlResult result, int from, int to) throws IOException {
        int width = result.head().size();
        int[] types = new int[width];
        for (int column = 0; column < width; column++) {
            types[column] = portal.isBinary(column)
                    ? PostgresType.of(result.head().get(column).type())
                    : 0;
        }
        for (int row = from; row < to; row++) {
            Object[] values = result.rows().get(row);
            wire.begin('D').putShort(width);
            for (int column = 0; column < width; column++) {
                Object value = values[column];
                if (value == null) {
                    wire.putValue(null);
                } else if (types[column] != 0) {
                    wire.putValue(PostgresValues.binary(value, types[column]));
                } else {
                    wire.putValue(PostgresValues.text(value));
                }
            }
            wire.end();
        }
    }

    /** Sends the completion of a statement with the number of returned or changed rows. */
    void complete(PostgresPortal portal, long count) throws IOException {
        PostgresStatement statement = portal.statement();
        if (statement.isEmpty()) {
            wire.begin('I').end();
            return;
        }
        String tag = portal.endsInRollback() ? "ROLLBACK" : statement.tag();
        wire.begin('C')
                .putString(statement.hasCount() && portal.result() != null ? tag + " " + count : tag)
                .end();
    }
}
