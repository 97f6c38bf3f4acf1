package io.nightjar.jobs.sql;

import java.io.PrintStream;

/** How results are written. */
public enum OutputMode {
    /** Aligned columns, for people. */
    TABLE,
    /** A JSON object a line. */
    JSON,
    CSV,
    MARKDOWN;

    /**
     * A sink that writes in this mode.
     *
     * @param maxCellWidth where cells of a table are cut, so that a row stays on the screen
     */
    public RowSink sink(PrintStream out, int maxCellWidth) {
        return switch (this) {
            case TABLE -> new TableSink(out, maxCellWidth);
            case JSON -> new JsonSink(out);
            case CSV -> new CsvSink(out);
            case MARKDOWN -> new MarkdownSink(out);
        };
    }
}
