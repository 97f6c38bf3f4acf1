package io.nightjar.jdbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a statement is, as far as its words tell.
 *
 * @param names what may be tables in it, as written but for the case of names without quotes
 * @param tables that it reads, or the one that it writes; empty if that is not certain
 * @param condition what a read, an update or a deletion asks of its rows; null if it asks nothing
 * @param answer the aggregate that is selected instead of rows, such as {@code count(*)}; null if rows are
 * @param isWhole whether all rows come back that meet the condition
 */
record StatementShape(
        Kind kind,
        List<String> names,
        List<TableUse> tables,
        Columns columns,
        @Nullable SqlCondition condition,
        @Nullable String answer,
        boolean isWhole,
        Writing writing) {

    /**
     * What is told of rows.
     *
     * @param names of a read: what it selects; of an insert or update: what it sets; null if that is not certain
     * @param at where more may be asked for; -1 if they may not
     */
    record Columns(@Nullable List<String> names, int at) {}

    /**
     * What a writing statement does beside.
     *
     * @param reads whether it reads more than the row that its key names
     * @param hasReturning whether it returns rows by itself
     */
    record Writing(boolean reads, boolean hasReturning) {}

    /** What becomes of a statement. */
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
        /** Makes tables, or changes what has no rows. */
        DEFINITION,
        /** May change all rows of the tables that it names, or what columns they have. */
        REDEFINITION,
        /** Reads what is unknown. */
        OPAQUE_READ,
        /** May change any table that it names. */
        OPAQUE_WRITE,
        /** May change any table. */
        OPAQUE_CALL,
        /** The names of tables may mean others from here on, as the database tells. */
        OTHER_NAMES,
        /** The names of tables may mean others, but it is unknown which, or what else the statement did. */
        UNKNOWN_NAMES,
        NOTHING
    }

    /**
     * A table in a statement.
     *
     * @param schema null if none is named
     * @param qualifier what its columns are called by, as written
     */
    record TableUse(@Nullable String schema, String name, boolean isQuoted, String qualifier) {}

    static StatementShape of(Kind kind, List<String> names) {
        return new StatementShape(
                kind, names, List.of(), new Columns(null, -1), null, null, false, new Writing(true, false));
    }

    boolean isWrite() {
        return kind == Kind.INSERT || kind == Kind.UPDATE || kind == Kind.DELETE;
    }
}
