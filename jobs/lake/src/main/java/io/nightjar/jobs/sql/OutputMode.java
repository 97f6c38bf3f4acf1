package io.nightjar.jobs.sql;

import java.io.PrintStream;

/** How results are written. */
public enum OutputMode {
    /** Aligned columns, for people. */
    TABLE,
    /** A table in boxes, for people at a terminal. */
    BOX,
    /** A JSON object a line. */
    JSON,
    CSV,
    MARKDOWN;

    /**
     * A sink that writes in this mode.
     *
     * @param maxCellWidth where cells of a table are cut, so that a row stays on the screen
     */
    public ResultSink sink(PrintStream out, int maxCellWidth) {
        return sink(out, maxCellWidth, Integer.MAX_VALUE);
    }

    /**
     * A sink that writes in this mode.
     *
     * @param maxCellWidth where cells of a table are cut
     * @param width how wide a table may be; texts are cut further where they are in the way
     */
    public ResultSink sink(PrintStream out, int maxCellWidth, int width) {
        return switch (this) {
            case TABLE -> new TableSink(out, false, maxCellWidth, width);
            case BOX -> new TableSink(out, true, maxCellWidth, width);
            case JSON -> new JsonSink(out);
            case CSV -> new CsvSink(out);
            case MARKDOWN -> new MarkdownSink(out);
        };
    }
}
