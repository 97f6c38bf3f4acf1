package io.nightjar.datasets.jdbc;

/** A table that the workload needs exists, and may not be dropped. */
public final class TableExistsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private TableExistsException(String message) {
        super(message);
    }

    /** Returns the failure of a table that was not made by a recording. */
    static TableExistsException notOurs(String table) {
        return new TableExistsException("table exists and is not ours: table=" + table
                + "; it is left as it is, rename it or record into another schema or database");
    }

    /** Returns the exception for a table that a running recording uses. */
    static TableExistsException inUse(String table, String maker) {
        return new TableExistsException("another recording uses the table: table=" + table
                + (maker.isEmpty() ? "" : " made_by=" + maker)
                + "; wait for its end or record into another schema or database; if it runs no more, drop the table and"
                + " its row of nightjar_tables");
    }
}
