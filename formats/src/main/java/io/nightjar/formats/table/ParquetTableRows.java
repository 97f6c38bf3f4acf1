package io.nightjar.formats.table;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.parquet.ParquetTable;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Rows of a Parquet file. */
final class ParquetTableRows implements TableRows {

    private final ParquetTable table;
    private final List<String> names;
    private final Cell[] cells;
    private final long[] nanosPerUnit; // 0 for a column that is not a time

    /**
     * @param isColumn whether a name has a role in operations
     * @param isTime whether a name is a time's
     */
    ParquetTableRows(Path file, Predicate<String> isColumn, Predicate<String> isTime) throws IOException {
        table = ParquetTable.open(file);
        names = table.columns();
        for (String unread : table.passedOver()) {
            if (isColumn.test(unread)) {
                table.close();
                throw BadRowException.of("column of lists or of timestamps of 12 bytes")
                        .with("column=" + unread)
                        .advise("give lists as JSON text (to_json), timestamps as integers");
            }
        }
        nanosPerUnit = new long[names.size()];
        for (int column = 0; column < nanosPerUnit.length; column++) {
            nanosPerUnit[column] = isTime.test(names.get(column)) ? table.nanosPerUnit(column) : 0;
        }
        cells = new Cell[names.size()];
        Arrays.setAll(cells, i -> new Cell());
    }

    @Override
    public List<String> columns() {
        return names;
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
                    throw BadRowException.of("number does not fit int64")
                            .with("column=" + names.get(column) + " value="
                                    + Long.toUnsignedString(table.number(column)));
                }
                cell.setLong(nanosPerUnit[column] > 1 ? nanoseconds(column) : table.number(column));
            }
            case FLOATING -> cell.setDouble(table.floating(column));
            case TEXT -> {
                StringPool texts = table.texts(column);
                if (texts == null) {
                    cell.setString(table.text(column));
                    return;
                }
                int text = (int) table.number(column);
                int from = texts.firstByte(text);
                int length = texts.length(text);
                if (!Utf8.isWellFormed(texts.bytes(), from, length)) {
                    throw BadRowException.of("text is not UTF-8").with("column=" + names.get(column));
                }
                cell.setText(Cell.Kind.STRING, texts.bytes(), from, length);
            }
        }
    }

    private long nanoseconds(int column) {
        try {
            return Math.multiplyExact(table.number(column), nanosPerUnit[column]);
        } catch (ArithmeticException tooFar) {
            throw BadRowException.of("time does not fit nanoseconds since 1970")
                    .with("column=" + names.get(column) + " value=" + table.number(column));
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
    public void close() throws IOException {
        table.close();
    }
}
