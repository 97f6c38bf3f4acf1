package io.nightjar.jobs.sql;

import java.util.ArrayList;
import java.util.List;

/** Collects results for assertions. */
final class CollectedRows implements ResultSink {

    List<String> columns;
    final List<List<Object>> rows = new ArrayList<>();

    static CollectedRows of(SqlSession session, String sql) {
        CollectedRows rows = new CollectedRows();
        session.run(sql, rows);
        return rows;
    }

    @Override
    public void begin(List<String> columns) {
        this.columns = columns;
    }

    @Override
    public void row(List<Object> cells) {
        rows.add(cells);
    }

    @Override
    public void end() {}
}
