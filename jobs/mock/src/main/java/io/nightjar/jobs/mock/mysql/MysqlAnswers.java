package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encoder of results and failures as MySQL packets. */
final class MysqlAnswers {

    private static final int OK = 0;
    private static final int EOF = 0xFE;
    private static final int ERROR = 0xFF;
    private static final int FIXED_FIELDS = 0x0C;
    private static final int BITS_BEFORE_NULLS = 2;

    private final MysqlWire wire;

    MysqlAnswers(MysqlWire wire) {
        this.wire = wire;
    }

    void ok(long count, long insertedKey, int status) throws IOException {
        wire.begin()
                .putByte(OK)
                .putCount(count)
                .putCount(insertedKey)
                .putShort(status)
                .putShort(0)
                .end();
    }

    void eof(int status) throws IOException {
        wire.begin().putByte(EOF).putShort(0).putShort(status).end();
    }

    void error(MockException thrown) throws IOException {
        MysqlFailure failed = MysqlFailure.of(thrown);
        wire.begin().putByte(ERROR).putShort(failed.code()).putByte('#');
        wire.putBytes(failed.state().getBytes(StandardCharsets.US_ASCII));
        wire.putBytes(failed.message().getBytes(StandardCharsets.UTF_8)).end();
    }

    /** Writes the number of columns and their descriptions. */
    void columns(List<SqlColumn> columns, String database, int status) throws IOException {
        wire.begin().putCount(columns.size()).end();
        definitions(columns, database, status);
    }

    void definitions(List<SqlColumn> columns, String database, int status) throws IOException {
        for (SqlColumn column : columns) {
            definition(column, database);
        }
        eof(status);
    }

    private void definition(SqlColumn column, String database) throws IOException {
        String table = column.table() == null ? "" : column.table();
        wire.begin().putCounted("def").putCounted(database).putCounted(table).putCounted(table);
        wire.putCounted(column.name()).putCounted(column.table() == null ? "" : column.source());
        wire.putCount(FIXED_FIELDS).putShort(MysqlType.charset(column.type())).putInt(MysqlType.length(column));
        wire.putByte(MysqlType.of(column)).putShort(MysqlType.flags(column)).putByte(MysqlType.decimals(column));
        wire.putShort(0).end();
    }

    /** Describes parameters of any type. */
    void parameters(int count, int status) throws IOException {
        for (int i = 0; i < count; i++) {
            wire.begin().putCounted("def").putCounted("").putCounted("").putCounted("");
            wire.putCounted("?")
                    .putCounted("")
                    .putCount(FIXED_FIELDS)
                    .putShort(MysqlType.UTF8)
                    .putInt(0);
            wire.putByte(MysqlType.VAR_STRING)
                    .putShort(0)
                    .putByte(0)
                    .putShort(0)
                    .end();
        }
        if (count > 0) {
            eof(status);
        }
    }

    void textRows(SqlResult result, MysqlValues values) throws IOException {
        List<SqlColumn> columns = result.head();
        for (Object[] row : result.rows()) {
            wire.begin();
            for (int i = 0; i < row.length; i++) {
                if (row[i] == null) {
                    wire.putNull();
                } else {
                    wire.putCounted(values.text(row[i], MysqlType.decimals(columns.get(i))));
                }
            }
            wire.end();
        }
    }

    void binaryRows(List<SqlColumn> columns, List<Object[]> rows, MysqlValues values) throws IOException {
        for (Object[] row : rows) {
            byte[] nulls = new byte[(columns.size() + 7 + BITS_BEFORE_NULLS) / 8];
            for (int i = 0; i < row.length; i++) {
                if (row[i] == null) {
                    nulls[(i + BITS_BEFORE_NULLS) / 8] |= (byte) (1 << (i + BITS_BEFORE_NULLS) % 8);
                }
            }
            wire.begin().putByte(OK).putBytes(nulls);
            for (int i = 0; i < row.length; i++) {
                if (row[i] != null) {
                    SqlColumn column = columns.get(i);
                    values.putBinary(wire, row[i], MysqlType.of(column), MysqlType.decimals(column));
                }
            }
            wire.end();
        }
    }
}
