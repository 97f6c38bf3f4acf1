package io.nightjar.datasets.jdbc;

/** A table that the workload needs exists, and was not made by a recording. */
public final class TableExistsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TableExistsException(String table) {
        super("table exists and is not ours: table=" + table
                + "; it is left as it is, rename it or record into another schema or database");
    }
}
