package io.nightjar.jobs.sql;

import java.util.List;

/** Passes on the first rows of each result, and counts the others. */
public final class RowLimit implements ResultSink {

    private final ResultSink sink;
    private final long maxRows;
    private long count;
    private long hidden;

    /** @param maxRows maximum number of rows of each result to pass on */
    public RowLimit(ResultSink sink, long maxRows) {
        this.sink = sink;
        this.maxRows = maxRows;
    }

    @Override
    public void begin(List<String> columns) {
        count = 0;
        sink.begin(columns);
    }

    @Override
    public void row(List<Object> cells) {
        count++;
        if (count <= maxRows) {
            sink.row(cells);
        } else {
            hidden++;
        }
    }

    @Override
    public void end() {
        sink.end();
    }

    /** Returns the number of rows of all results that were not passed on. */
    public long hidden() {
        return hidden;
    }
}
