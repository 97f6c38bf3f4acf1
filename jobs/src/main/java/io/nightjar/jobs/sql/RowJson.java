package io.nightjar.jobs.sql;

import java.util.Map;

/** CollectedRows, and rows of rows, as JSON. */
public final class RowJson {

    private RowJson() {}

    /** One object on one line; integers above 2^53 are strings. */
    public static String write(Map<String, ?> row) {
        return CellText.text(row);
    }
}
