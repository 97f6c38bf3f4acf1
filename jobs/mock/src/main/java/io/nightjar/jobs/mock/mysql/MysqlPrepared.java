package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prepared statement: parameter types, parameter values sent in advance, and its cursor. */
final class MysqlPrepared {

    private final MysqlStatement statement;
    private final int count;
    private int[] types = {};
    private final Map<Integer, ByteArrayOutputStream> sent = new HashMap<>();
    private @Nullable SqlResult rows;
    private int next;

    /** @param count number of its parameters */
    MysqlPrepared(MysqlStatement statement, int count) {
        this.statement = statement;
        this.count = count;
    }

    /** Returns the statement for the current session variables, which may be embedded in it. */
    MysqlStatement statement(MysqlVariables variables) {
        return statement.isFleeting() ? MysqlDialect.statement(statement.text(), variables) : statement;
    }

    /** Appends a fragment of a parameter value sent in advance. */
    void append(int parameter, byte[] bytes) {
        sent.computeIfAbsent(parameter, none -> new ByteArrayOutputStream()).writeBytes(bytes);
    }

    void reset() {
        sent.clear();
        rows = null;
    }

    List<Object> readParameters(MysqlWire wire, MysqlValues values) throws IOException {
        if (count == 0) {
            return List.of();
        }
        byte[] nulls = wire.readBytes((count + 7) / 8);
        if (wire.readByte() == 1) {
            types = new int[count];
            for (int i = 0; i < count; i++) {
                types[i] = wire.readShort();
            }
        }
        if (types.length < count) {
            throw new MockException("08P01", "types of the parameters are missing");
        }
        List<Object> parameters = new ArrayList<>(Collections.nCopies(count, null));
        for (int i = 0; i < count; i++) {
            boolean isNull = (nulls[i / 8] >>> i % 8 & 1) != 0;
            if (sent.containsKey(i)) {
                parameters.set(i, MysqlValues.sent(sent.get(i).toByteArray(), types[i]));
            } else if (!isNull) {
                parameters.set(i, values.parameter(wire, types[i]));
            }
        }
        sent.clear();
        return parameters;
    }

    /** Buffers rows for stepwise fetching. */
    void open(SqlResult result) {
        rows = result;
        next = 0;
    }

    /**
     * Returns the next rows.
     *
     * @throws MockException if no cursor is open
     */
    SqlResult next(int many) {
        if (rows == null) {
            throw new MockException("34000", "the statement has no open cursor");
        }
        int to = (int) Math.min(rows.rows().size(), next + Integer.toUnsignedLong(many));
        List<Object[]> some = rows.rows().subList(next, to);
        next = to;
        return new SqlResult(rows.columns(), some, some.size());
    }
}
