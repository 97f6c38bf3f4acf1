package io.nightjar.formats.table;

import io.nightjar.formats.text.Utf8;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of one file that was stored as bytes, with the file's columns. */
final class StoredRow implements TableRows {

    /*
     * Layout. The id of the transaction (long), the file (int), the row (long), the number of cells (int), then each
     * cell: its kind (byte), and its number (long), or its length (int) and its text.
     */

    private static final int FILE_AT = Long.BYTES;
    private static final int ROW_AT = FILE_AT + Integer.BYTES;
    private static final int CELLS_AT = ROW_AT + Long.BYTES;
    private static final Cell.Kind[] KINDS = Cell.Kind.values();

    private final List<String> names = new ArrayList<>();
    private final List<Cell> cells = new ArrayList<>();
    private long row;

    /** Adds columns that are new. */
    void learn(TableRows from) {
        for (int column = names.size(); column < from.columns().size(); column++) {
            names.add(from.columns().get(column));
            cells.add(new Cell());
        }
    }

    static long txn(byte[] stored) {
        return ByteBuffer.wrap(stored).getLong(0);
    }

    static int file(byte[] stored) {
        return ByteBuffer.wrap(stored).getInt(FILE_AT);
    }

    /** Sets the current row; the bytes must not change while it is current. */
    void read(byte[] stored) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        row = in.getLong(ROW_AT);
        in.position(CELLS_AT + Integer.BYTES);
        int count = in.getInt(CELLS_AT);
        for (int column = 0; column < cells.size(); column++) {
            read(column < count ? KINDS[in.get()] : Cell.Kind.NULL, in, stored, cells.get(column));
        }
    }

    private static void read(Cell.Kind kind, ByteBuffer in, byte[] stored, Cell into) {
        switch (kind) {
            case NULL -> into.setNull();
            case LONG -> into.setLong(in.getLong());
            case DOUBLE -> into.setDouble(in.getDouble());
            case STRING, PLAIN -> {
                int length = in.getInt();
                into.setText(kind, stored, in.position(), length);
                in.position(in.position() + length);
            }
        }
    }

    @Override
    public List<String> columns() {
        return names;
    }

    @Override
    public boolean advance() {
        throw new IllegalStateException("bug: spilled rows are read one at a time");
    }

    @Override
    public long row() {
        return row;
    }

    @Override
    public Cell cell(int column) {
        return cells.get(column);
    }

    @Override
    public void close() {
        // no resources
    }

    /** Encoder of rows, one after another. */
    static final class Writer {

        private final Utf8 out = new Utf8();
        private int count;

        void begin(long txn, int file, long row) {
            out.clear();
            number(txn, Long.BYTES);
            number(file, Integer.BYTES);
            number(row, Long.BYTES);
            number(0, Integer.BYTES); // the number of cells, set when it is known
            count = 0;
        }

        /** Adds a cell, or null for a cell that is not needed. */
        void add(@Nullable Cell cell) {
            count++;
            if (cell == null || cell.kind() == Cell.Kind.NULL) {
                out.put(Cell.Kind.NULL.ordinal());
                return;
            }
            out.put(cell.kind().ordinal());
            switch (cell.kind()) {
                case NULL -> throw new AssertionError("written above");
                case LONG -> number(cell.longValue(), Long.BYTES);
                case DOUBLE -> number(Double.doubleToRawLongBits(cell.doubleValue()), Long.BYTES);
                case STRING, PLAIN -> {
                    byte[] bytes = cell.bytes();
                    number(cell.length(), Integer.BYTES);
                    out.put(bytes, cell.from(), cell.length());
                }
            }
        }

        private void number(long number, int bytes) {
            for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                out.put((int) (number >>> shift));
            }
        }

        /** Returns the bytes of the row, valid until the next. */
        byte[] bytes() {
            ByteBuffer.wrap(out.bytes).putInt(CELLS_AT, count);
            return out.bytes;
        }

        int length() {
            return out.length;
        }
    }
}
