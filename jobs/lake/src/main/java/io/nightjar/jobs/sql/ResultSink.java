package io.nightjar.jobs.sql;

import java.util.List;

/** Consumer of the rows of one result after another. */
public interface ResultSink {

    /** Begins a result. */
    void begin(List<String> columns);

    /** Consumes a row, its cells as the database's driver returns them. */
    void row(List<Object> cells);

    /** Completes the result. */
    void end();
}
