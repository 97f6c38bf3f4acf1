package io.nightjar.jobs.sql;

import java.util.ArrayList;
import java.util.List;

/** Collects results for assertions. */
final class Rows implements RowSink {

    List<String> columns;
    final List<List<Object>> rows = new ArrayList<>();

    static Rows of(SqlSession session, String sql) {
        Rows rows = new Rows();
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
