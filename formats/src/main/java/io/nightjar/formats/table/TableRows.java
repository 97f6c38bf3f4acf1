package io.nightjar.formats.table;

import java.io.IOException;
import java.util.List;

/** Iterator over the rows of one file that is a table. */
interface TableRows extends AutoCloseable {

    /** Returns the names of the known columns; a file that names columns in each row may add more later. */
    List<String> columns();

    /**
     * Advances to the next row; returns false at the end.
     *
     * @throws io.nightjar.formats.text.BadRowException if the row is malformed; {@link #isLost} indicates whether
     *     later rows can be read
     */
    boolean advance() throws IOException;

    /** Returns the row, or its line, counted from 1. */
    long row();

    /** Returns a cell of the current row; null cells for columns that it does not have. */
    Cell cell(int column);

    /** Returns the text of the row in the file, or its names and values if the file is not text. */
    default String raw() {
        StringBuilder shown = new StringBuilder();
        for (int column = 0; column < columns().size(); column++) {
            shown.append(column == 0 ? "" : " ")
                    .append(columns().get(column))
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
