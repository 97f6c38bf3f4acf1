package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.SqlResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement with its parameters and its result, which is fetched step by step. */
final class PostgresPortal {

    private static final int[] TEXT = {};

    private final PostgresStatement statement;
    private final List<Object> parameters;
    private final int[] formats;
    private @Nullable SqlResult result;
    private int next;
    private boolean endsInRollback;

    /** @param formats column formats of the protocol: 1 for binary, none for text, a single format for all */
    PostgresPortal(PostgresStatement statement, List<Object> parameters, int[] formats) {
        this.statement = statement;
        this.parameters = parameters;
        this.formats = formats;
    }

    /** Creates a portal whose rows are text. */
    static PostgresPortal ofText(PostgresStatement statement) {
        return new PostgresPortal(statement, List.of(), TEXT);
    }

    PostgresStatement statement() {
        return statement;
    }

    List<Object> parameters() {
        return parameters;
    }

    boolean isBinary(int column) {
        return formats.length > 0 && formats[formats.length == 1 ? 0 : column] == 1;
    }

    /** Returns the result, null if the statement has not run or returns none. */
    @Nullable
    SqlResult result() {
        return result;
    }

    void result(SqlResult returned) {
        result = returned;
        next = 0;
    }

    /** Returns the number of fetched rows. */
    int next() {
        return next;
    }

    void next(int position) {
        next = position;
    }

    /** Returns whether it was a COMMIT of a failed transaction. */
    boolean endsInRollback() {
        return endsInRollback;
    }

    void endInRollback() {
        endsInRollback = true;
    }
}
