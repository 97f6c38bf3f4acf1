package io.nightjar.formats.table;

import java.io.IOException;

/** The rows of one file that is a table, one after another. */
interface TableRows extends AutoCloseable {

    /** How many columns are known so far; a file that names columns in each row may show more later. */
    int columnCount();

    String column(int column);

    /**
     * Steps to the next row; false at the end.
     *
     * @throws io.nightjar.formats.text.BadRowException if the row cannot be understood; {@link #isLost} says whether
     *     those behind it can be
     */
    boolean advance() throws IOException;

    /** The row, or its line, counted from 1. */
    long row();

    /** The cell of the row that was stepped to; null cells for columns that it does not have. */
    Cell cell(int column);

    /** The row as it stands in the file, or its names and values where that is no text. */
    default String raw() {
        StringBuilder shown = new StringBuilder();
        for (int column = 0; column < columnCount(); column++) {
            shown.append(column == 0 ? "" : " ")
                    .append(column(column))
                    .append('=')
                    .append(cell(column).shown());
        }
        return shown.toString();
    }

    /** Whether nothing behind the row that could not be understood can be read. */
    default boolean isLost() {
        return false;
    }

    @Override
    void close() throws IOException;
}
