package io.nightjar.formats.history;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Location in the input. Messages show file and row: {@code [orders.parquet row=1047]}.
 *
 * @param row counted from 1; 0 for the file as a whole
 * @param isLine whether rows of the file are lines of text, and messages use that word
 * @param column name of the column in the file; null if no single column is at fault
 */
public record InputLocation(String file, long row, boolean isLine, @Nullable String column) implements Serializable {

    public static InputLocation file(String file) {
        return new InputLocation(file, 0, false, null);
    }

    /** Returns a row of a columnar file, or of a file with several lines per row; counted from 1. */
    public static InputLocation row(String file, long row) {
        return new InputLocation(file, row, false, null);
    }

    public static InputLocation line(String file, long line) {
        return new InputLocation(file, line, true, null);
    }

    /** Returns a copy that names the column at fault. */
    public InputLocation in(String name) {
        return new InputLocation(file, row, isLine, name);
    }

    /** Returns a copy with another name instead of the path at the beginning of its file's name. */
    public InputLocation renamed(String path, String name) {
        return file.startsWith(path)
                ? new InputLocation(name + file.substring(path.length()), row, isLine, column)
                : this;
    }

    @Override
    public String toString() {
        return row == 0 ? "[" + file + "]" : "[" + file + (isLine ? " line=" : " row=") + row + "]";
    }
}
