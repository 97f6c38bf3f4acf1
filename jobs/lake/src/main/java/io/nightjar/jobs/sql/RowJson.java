package io.nightjar.jobs.sql;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** CollectedRows, and rows of rows, as JSON. */
public final class RowJson {

    private RowJson() {}

    /** Writes one object on one line; integers above 2^53 are strings. */
    public static String write(Map<String, ?> row) {
        return CellText.text(row);
    }

    /** Returns a cell as text, lists and structs as JSON; null stays null. */
    public static @Nullable String text(@Nullable Object cell) {
        return CellText.text(cell);
    }
}
