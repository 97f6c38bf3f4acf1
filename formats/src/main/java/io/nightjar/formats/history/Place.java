package io.nightjar.formats.history;

/** Where in a file something is, as messages show it: {@code [orders.parquet row=1047]}. */
public final class Place {

    private Place() {}

    public static String file(String file) {
        return "[" + file + "]";
    }

    /** A row of a columnar file, or of a file with several lines a row; counted from 1. */
    public static String row(String file, long row) {
        return "[" + file + " row=" + row + "]";
    }

    public static String line(String file, long line) {
        return "[" + file + " line=" + line + "]";
    }
}
