package io.nightjar.jobs.sql;

import java.util.List;

/** Takes the rows of one result after another. */
public interface ResultSink {

    /** A result begins. */
    void begin(List<String> columns);

    /** A row, its cells as the database's driver gives them. */
    void row(List<Object> cells);

    /** The result is complete. */
    void end();
}
