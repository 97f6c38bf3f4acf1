package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.SqlResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement with its parameters, and its result, which is fetched step by step. */
final class PostgresPortal {

    private static final int[] TEXT = {};

    private final PostgresStatement statement;
    private final List<Object> parameters;
    private final int[] formats;
    private @Nullable SqlResult result;
    private int next;
    private boolean endsInRollback;

    /** @param formats of the columns as the protocol has them: 1 for binary, none for text, one for all */
    PostgresPortal(PostgresStatement statement, List<Object> parameters, int[] formats) {
        this.statement = statement;
        this.parameters = parameters;
        this.formats = formats;
    }

    /** Makes a portal whose rows are text. */
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

    /** Returns what it returned, null if it has not run or returns nothing. */
    @Nullable
    SqlResult result() {
        return result;
    }

    void result(SqlResult returned) {
        result = returned;
        next = 0;
    }

    /** How many rows have been fetched. */
    int next() {
        return next;
    }

    void next(int place) {
        next = place;
    }

    /** Whether it was a COMMIT that found the transaction failed. */
    boolean endsInRollback() {
        return endsInRollback;
    }

    void endInRollback() {
        endsInRollback = true;
    }
}
