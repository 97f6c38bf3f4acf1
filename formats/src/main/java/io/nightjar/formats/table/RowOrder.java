package io.nightjar.formats.table;

import java.io.IOException;

/** The rows of all files of a table, in an order in which the rows of a transaction are contiguous. */
interface RowOrder extends AutoCloseable {

    /**
     * Advances to the next row; returns false at the end.
     *
     * @throws io.nightjar.formats.text.BadRowException if the row is malformed
     */
    boolean advance() throws IOException;

    /** Returns the file of the row, as index among all files. */
    int file();

    /** Returns the rows, positioned at the current row. */
    TableRows rows();

    /** Returns the columns of the row's file. */
    TableColumns columns();

    /** Returns the row's transaction. */
    long txn();

    @Override
    void close() throws IOException;
}
