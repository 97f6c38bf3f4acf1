package io.nightjar.jobs.sql;

import java.io.PrintStream;

/** The format of results. */
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
     * Returns a sink that writes in this mode.
     *
     * @param maxCellWidth width at which cells of a table are cut, so that a row stays on the screen
     */
    public ResultSink sink(PrintStream out, int maxCellWidth) {
        return sink(out, maxCellWidth, Integer.MAX_VALUE);
    }

    /**
     * Returns a sink that writes in this mode.
     *
     * @param maxCellWidth width at which cells of a table are cut
     * @param width maximum width of a table; texts are wrapped to fit, or cut if {@code maxCellWidth} is a limit
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
