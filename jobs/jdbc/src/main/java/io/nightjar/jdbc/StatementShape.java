package io.nightjar.jdbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Structure of a statement, as far as its words determine it.
 *
 * @param names possible tables in it, as written except for the case of unquoted names
 * @param tables tables that it reads, or the table that it writes; empty if uncertain
 * @param condition condition on the rows of a read, an update or a deletion; null if none
 * @param answer the aggregate that is selected instead of rows, such as {@code count(*)}; null if rows are
 * @param limit {@link Limit#ALL} if all rows that match are returned; null if more than a number of rows limits them
 */
record StatementShape(
        Kind kind,
        List<String> names,
        List<TableUse> tables,
        Columns columns,
        @Nullable SqlCondition condition,
        @Nullable String answer,
        @Nullable Limit limit,
        Writing writing) {

    /**
     * The first rows of an order.
     *
     * @param order the only column of the order; null if none or more
     * @param count a {@link SqlCondition.Literal}, or the number of a parameter
     */
    record Limit(@Nullable String order, boolean isDescending, Object count) {

        static final Limit ALL = new Limit(null, false, 0);
    }

    /**
     * Columns of the rows in a statement.
     *
     * @param names of a read: the selected columns; of an insert or update: the columns set; null if uncertain
     * @param at index at which more columns may be requested; -1 if none may
     */
    record Columns(@Nullable List<String> names, int at) {}

    /**
     * Further effects of a writing statement.
     *
     * @param reads whether it reads more than the row that its key names
     * @param hasReturning whether it returns rows without a change
     * @param given number of rows in an insertion, which may insert fewer; 0 if unknown
     */
    record Writing(boolean reads, boolean hasReturning, int given) {}

    /** Kind of a statement, which determines its recording. */
    enum Kind {
        SELECT,
        INSERT,
        UPDATE,
        DELETE,
        BEGIN,
        COMMIT,
        ROLLBACK,
        SAVEPOINT,
        ROLLBACK_TO_SAVEPOINT,
        /** Creates tables, or changes objects without rows. */
        DEFINITION,
        /** May change all rows of the tables that it names, or their columns. */
        REDEFINITION,
        /** Reads unknown rows. */
        OPAQUE_READ,
        /** May change any table that it names. */
        OPAQUE_WRITE,
        /** May change any table. */
        OPAQUE_CALL,
        /** The names of tables may refer to others from here on, as reported by the database. */
        OTHER_NAMES,
        /** The names of tables may refer to unknown tables, or the statement had other unknown effects. */
        UNKNOWN_NAMES,
        NOTHING
    }

    /**
     * A table in a statement.
     *
     * @param schema null if none is named
     * @param qualifier qualifier of its columns, as written
     */
    record TableUse(@Nullable String schema, String name, boolean isQuoted, String qualifier) {}

    static StatementShape of(Kind kind, List<String> names) {
        return new StatementShape(
                kind, names, List.of(), new Columns(null, -1), null, null, null, new Writing(true, false, 0));
    }

    /** Returns whether all rows that match the condition are returned. */
    boolean isWhole() {
        return limit == Limit.ALL;
    }

    boolean isWrite() {
        return kind == Kind.INSERT || kind == Kind.UPDATE || kind == Kind.DELETE;
    }
}
