package io.nightjar.formats.arrow;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The body of a record batch being written, column by column in the order of the schema. */
final class ArrowBody {

    /*
     * A column of unknown type contains only nulls. Its bytes are valid for both possible types: eight zeros per row
     * are the numbers of an int64 column, and more than enough for the offsets of a string column. So only the metadata
     * of its batch is written again once the type is known.
     */

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ALIGNMENT = 64;
    private static final int NO_BUFFER = 0;

    private byte[] bytes = new byte[1 << 16];
    private int length;
    private List<Entry> entries = new ArrayList<>();

    private boolean[] isNull = new boolean[1 << 10]; // nulls of the column being written
    private int[] endOf = new int[1 << 10]; // ends of its strings
    private byte[] chars = new byte[1 << 12];
    private int charCount;
    private int rows;
    private int nulls;

    /** Source of a column's type. */
    enum Role {
        FIXED,
        KEY,
        VALUE
    }

    /** A column: its rows, its nulls, and offset and length of each of its buffers. */
    record Entry(Role role, boolean isUndecided, int rows, int nulls, List<Integer> buffers) {}

    void clear() {
        Arrays.fill(bytes, 0, length, (byte) 0);
        length = 0;
        entries = new ArrayList<>();
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    List<Entry> entries() {
        return entries;
    }

    /** Returns offset and length of each buffer once the types are known. */
    static IntArrayList buffers(List<Entry> entries, ValueType keyType, ValueType valueType) {
        IntArrayList buffers = new IntArrayList();
        for (Entry entry : entries) {
            buffers.addAll(entry.buffers);
            ValueType type = entry.role == Role.KEY ? keyType : valueType;
            if (entry.isUndecided && type == ValueType.STRING) {
                buffers.set(buffers.size() - 1, 4 * (entry.rows + 1));
                addBuffer(buffers, entry.buffers.get(2), NO_BUFFER);
            }
        }
        return buffers;
    }

    // ---------------------------------------------------------------- columns

    /** Appends numbers of 64, 32 or 1 bits; null is {@link HistorySlice#NONE}, or a column of nulls. */
    void numbers(long[] column, int from, int to, int bits) {
        beginColumn();
        for (int i = from; i < to; i++) {
            addRow(column == null || column[i] == HistorySlice.NONE);
        }
        List<Integer> buffers = validity();
        int count = (int) (((long) rows * bits + 7) >> 3);
        int data = begin(count);
        for (int i = 0; i < rows; i++) {
            long number = isNull[i] ? 0 : column[from + i];
            switch (bits) {
                case Long.SIZE -> LONGS.set(bytes, data + 8 * i, number);
                case Integer.SIZE -> INTS.set(bytes, data + 4 * i, (int) number);
                default -> bytes[data + (i >> 3)] |= (byte) (number == 0 ? 0 : 1 << (i & 7));
            }
        }
        addBuffer(buffers, data, count);
        endColumn(Role.FIXED, false, buffers);
    }

    /** Appends numbers without nulls; all values are valid. */
    void plainNumbers(Role role, long[] column, int from, int to) {
        beginColumn();
        rows = to - from;
        List<Integer> buffers = validity();
        int data = begin(8L * rows);
        for (int i = 0; i < rows; i++) {
            LONGS.set(bytes, data + 8 * i, column[from + i]);
        }
        addBuffer(buffers, data, 8 * rows);
        endColumn(role, false, buffers);
    }

    /** Appends nulls of a type that is not yet known. */
    void undecided(Role role, int count) {
        beginColumn();
        for (int i = 0; i < count; i++) {
            addRow(true);
        }
        List<Integer> buffers = validity();
        addBuffer(buffers, begin(8L * Math.max(1, count)), 8 * count);
        endColumn(role, true, buffers);
    }

    void beginColumn() {
        rows = 0;
        nulls = 0;
        charCount = 0;
    }

    void string(byte[] utf8, int offset, int count) {
        if (count > chars.length - charCount) {
            chars = Arrays.copyOf(chars, grown(chars.length, (long) charCount + count));
        }
        System.arraycopy(utf8, offset, chars, charCount, count);
        charCount += count;
        addRow(false);
        endOf[rows - 1] = charCount;
    }

    void nullString() {
        addRow(true);
        endOf[rows - 1] = charCount;
    }

    void endStrings(Role role) {
        List<Integer> buffers = validity();
        addOffsets(buffers);
        addChars(buffers);
        endColumn(role, false, buffers);
    }

    /** Appends a list that ends before this entry of its child; null lists have no entries. */
    void list(int end, boolean isMissing) {
        addRow(isMissing);
        endOf[rows - 1] = end;
    }

    void endLists() {
        List<Integer> buffers = validity();
        addOffsets(buffers);
        endColumn(Role.FIXED, false, buffers);
    }

    void struct(int count) {
        beginColumn();
        rows = count;
        endColumn(Role.FIXED, false, validity());
    }

    /** Appends a nullable number, one row of {@link #endNumbers}. */
    void number(long number, boolean isMissing) {
        if (charCount > chars.length - 8) {
            chars = Arrays.copyOf(chars, grown(chars.length, charCount + 8L));
        }
        LONGS.set(chars, charCount, isMissing ? 0L : number);
        charCount += 8;
        addRow(isMissing);
    }

    void endNumbers(Role role) {
        List<Integer> buffers = validity();
        addChars(buffers);
        endColumn(role, false, buffers);
    }

    private void endColumn(Role role, boolean isUndecided, List<Integer> buffers) {
        entries.add(new Entry(role, isUndecided, rows, nulls, buffers));
    }

    private void addOffsets(List<Integer> buffers) {
        int offsets = begin(4L * (rows + 1));
        for (int i = 0; i < rows; i++) {
            INTS.set(bytes, offsets + 4 * (i + 1), endOf[i]);
        }
        addBuffer(buffers, offsets, 4 * (rows + 1));
    }

    private void addChars(List<Integer> buffers) {
        int data = begin(charCount);
        System.arraycopy(chars, 0, bytes, data, charCount);
        addBuffer(buffers, data, charCount);
    }

    private void addRow(boolean isMissing) {
        if (rows == isNull.length) {
            isNull = Arrays.copyOf(isNull, 2 * rows);
            endOf = Arrays.copyOf(endOf, 2 * rows);
        }
        isNull[rows++] = isMissing;
        nulls += isMissing ? 1 : 0;
    }

    /** Returns the buffer of validity bits, empty if no value is null. */
    private List<Integer> validity() {
        List<Integer> buffers = new ArrayList<>(6);
        if (nulls == 0) {
            addBuffer(buffers, length, NO_BUFFER);
            return buffers;
        }
        int count = (rows + 7) >> 3;
        int bits = begin(count);
        for (int i = 0; i < rows; i++) {
            if (!isNull[i]) {
                bytes[bits + (i >> 3)] |= (byte) (1 << (i & 7));
            }
        }
        addBuffer(buffers, bits, count);
        return buffers;
    }

    private static void addBuffer(List<Integer> buffers, int offset, int count) {
        buffers.add(offset);
        buffers.add(count);
    }

    /** Reserves a zero-filled, aligned buffer and returns its offset. */
    private int begin(long count) {
        int start = length;
        long end = (start + count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, grown(bytes.length, end));
        }
        length = (int) end;
        return start;
    }

    private static int grown(int capacity, long needed) {
        if (needed > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("transaction too large for a record batch: bytes=" + needed);
        }
        return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * capacity));
    }
}
