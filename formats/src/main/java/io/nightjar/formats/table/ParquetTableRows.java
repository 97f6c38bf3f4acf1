package io.nightjar.formats.table;

import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.parquet.ParquetTable;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Rows of a Parquet file. */
final class ParquetTableRows implements TableRows {

    private final ParquetTable table;
    private final List<String> names;
    private final Cell[] cells;

    ParquetTableRows(Path file) throws IOException {
        table = ParquetTable.open(file);
        names = table.columns();
        cells = new Cell[names.size()];
        Arrays.setAll(cells, i -> new Cell());
    }

    @Override
    public int columnCount() {
        return cells.length;
    }

    @Override
    public String column(int column) {
        return names.get(column);
    }

    @Override
    public boolean advance() throws IOException {
        if (!table.advance()) {
            return false;
        }
        for (int column = 0; column < cells.length; column++) {
            take(column, cells[column]);
        }
        return true;
    }

    private void take(int column, Cell cell) {
        if (table.isNull(column)) {
            cell.setNull();
            return;
        }
        switch (table.type(column)) {
            case NUMBER -> {
                if (table.isTooLarge(column)) {
                    throw new BadRowException("number does not fit int64: column=" + names.get(column) + " value="
                            + Long.toUnsignedString(table.number(column)));
                }
                cell.setLong(table.number(column));
            }
            case FLOATING -> cell.setDouble(table.floating(column));
            case TEXT -> {
                StringTable texts = table.texts(column);
                if (texts == null) {
                    cell.setString(table.text(column));
                    return;
                }
                int text = (int) table.number(column);
                int from = texts.firstByte(text);
                int length = texts.length(text);
                if (!Utf8.isWellFormed(texts.bytes(), from, length)) {
                    throw new BadRowException("text is not UTF-8: column=" + names.get(column));
                }
                cell.setText(Cell.Kind.STRING, texts.bytes(), from, length);
            }
        }
    }

    @Override
    public long row() {
        return table.row();
    }

    @Override
    public Cell cell(int column) {
        return cells[column];
    }

    @Override
    public String raw() {
        return TableRows.shown(this);
    }

    @Override
    public boolean isLost() {
        return false;
    }

    @Override
    public void close() throws IOException {
        table.close();
    }
}
