package io.nightjar.formats.table;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Rows with additional columns from the folder names of their file, in Hive's layout. */
final class PartitionedRows implements TableRows {

    private static final String HIVE_NULL = "__HIVE_DEFAULT_PARTITION__";

    private final TableRows rows;
    private final List<String> names; // first the names from the folders, then from the rows
    private final Cell[] cells;

    PartitionedRows(TableRows rows, List<String> names, List<String> values) {
        this.rows = rows;
        this.names = new ArrayList<>(names);
        this.cells = new Cell[names.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell();
            byte[] value = URLDecoder.decode(values.get(i).replace("+", "%2B"), StandardCharsets.UTF_8)
                    .getBytes(StandardCharsets.UTF_8);
            if (!values.get(i).equals(HIVE_NULL)) {
                cells[i].setText(Cell.Kind.PLAIN, value, 0, value.length);
            }
        }
        addColumns();
    }

    private void addColumns() {
        names.addAll(rows.columns()
                .subList(names.size() - cells.length, rows.columns().size()));
    }

    @Override
    public List<String> columns() {
        return names;
    }

    @Override
    public boolean advance() throws IOException {
        boolean hasRow = rows.advance();
        addColumns();
        return hasRow;
    }

    @Override
    public long row() {
        return rows.row();
    }

    @Override
    public Cell cell(int column) {
        return column < cells.length ? cells[column] : rows.cell(column - cells.length);
    }

    @Override
    public String raw() {
        return rows.raw();
    }

    @Override
    public boolean isLost() {
        return rows.isLost();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
