package io.nightjar.formats.table;

import java.io.IOException;

/** The rows of one file that is a table, one after another. */
interface TableRows extends AutoCloseable {

    /** How many columns are known so far; a file that names columns in each row may show more later. */
    int columnCount();

    String column(int column);

    /**
     * Advances to the next row; returns false at the end.
     *
     * @throws io.nightjar.formats.text.BadRowException if the row is malformed; {@link #isLost} indicates whether
     *     later rows can be read
     */
    boolean advance() throws IOException;

    /** The row, or its line, counted from 1. */
    long row();

    /** The cell of the row that was stepped to; null cells for columns that it does not have. */
    Cell cell(int column);

    /** Returns the text of the row in the file, or its names and values if the file is not text. */
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

    /** Returns whether nothing after the malformed row can be read. */
    default boolean isLost() {
        return false;
    }

    @Override
    void close() throws IOException;
}
