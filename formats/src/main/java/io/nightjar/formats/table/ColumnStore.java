package io.nightjar.formats.table;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.text.BadRowException;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

/** A table in memory, column by column, for files that store one column after the other. */
final class ColumnStore {

    private static final Cell.Kind[] KINDS = Cell.Kind.values();

    /** Kinds and contents of cells: a number, the bits of a number, or the ordinal of a text. */
    private static final class Stored {
        private final IntArrayList kinds = new IntArrayList();
        private final LongArrayList contents = new LongArrayList();
    }

    private final List<Stored> columns = new ArrayList<>();
    private final StringPool texts = new StringPool();
    private Stored current;

    @SetsFields
    void begin(int column) {
        while (columns.size() <= column) {
            columns.add(new Stored());
        }
        current = columns.get(column);
    }

    void add(Cell cell) {
        current.kinds.add(cell.kind().ordinal());
        current.contents.add(
                switch (cell.kind()) {
                    case NULL -> 0;
                    case LONG -> cell.longValue();
                    case DOUBLE -> Double.doubleToRawLongBits(cell.doubleValue());
                    case STRING, PLAIN -> texts.intern(cell.bytes(), cell.from(), cell.length());
                });
    }

    /** Fails unless all columns have the same number of rows. */
    void check(List<String> names) {
        for (int column = 1; column < columns.size(); column++) {
            if (columns.get(column).kinds.size() != rowCount()) {
                throw BadRowException.of("columns of different lengths")
                        .with("column=" + names.get(column) + " rows="
                                + columns.get(column).kinds.size() + " but column=" + names.get(0) + " rows="
                                + rowCount());
            }
        }
    }

    long rowCount() {
        return columns.get(0).kinds.size();
    }

    void get(int column, long row, Cell into) {
        Stored stored = columns.get(column);
        Cell.Kind kind = KINDS[stored.kinds.getInt((int) row)];
        long content = stored.contents.getLong((int) row);
        switch (kind) {
            case NULL -> into.setNull();
            case LONG -> into.setLong(content);
            case DOUBLE -> into.setDouble(Double.longBitsToDouble(content));
            case STRING, PLAIN ->
                into.setText(kind, texts.bytes(), texts.firstByte((int) content), texts.length((int) content));
        }
    }
}
