package io.nightjar.formats.table;

import java.io.IOException;

/** The rows of all files of a table in an order in which those of a transaction stand together. */
interface RowOrder extends AutoCloseable {

    /**
     * Steps to the next row; false at the end.
     *
     * @throws io.nightjar.formats.text.BadRowException if the row cannot be understood
     */
    boolean advance() throws IOException;

    /** The file that the row stands in, by its place among all. */
    int file();

    /** Stands at the row. */
    TableRows rows();

    /** The columns of the row's file. */
    TableColumns columns();

    /** The row's transaction. */
    long txn();

    @Override
    void close() throws IOException;
}
