package io.nightjar.formats.arrow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.ipc.message.ArrowBuffer;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** The body of a record batch being written, and its layout, column by column in the order of the schema. */
final class ArrowBody {

    /** Alignment of messages and of the buffers of columns. */
    static final int ALIGNMENT = 64;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[1 << 16];
    private int length;
    private List<ArrowFieldNode> nodes = new ArrayList<>();
    private List<ArrowBuffer> buffers = new ArrayList<>();

    private boolean[] isNull = new boolean[1 << 10]; // nulls of the column being written
    private long[] values = new long[1 << 10]; // its numbers, or the ends of its strings or lists
    private byte[] chars = new byte[1 << 12];
    private int charCount;
    private int rows;
    private int nulls;

    void clear() {
        Arrays.fill(bytes, 0, length, (byte) 0);
        length = 0;
        nodes = new ArrayList<>();
        buffers = new ArrayList<>();
    }

    int length() {
        return length;
    }

    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /** Returns the message of a record batch with these columns. */
    ByteBuffer message(int batchRows) {
        return ArrowMetadata.batchMessage(batchRows, nodes, buffers, length);
    }

    // ---------------------------------------------------------------- rows of a column

    void number(long number) {
        add(number, false);
    }

    void string(byte[] utf8, int offset, int count) {
        if (count > chars.length - charCount) {
            chars = Arrays.copyOf(chars, grown(chars.length, (long) charCount + count));
        }
        System.arraycopy(utf8, offset, chars, charCount, count);
        charCount += count;
        add(charCount, false);
    }

    /** Appends a list that ends before this entry of its child; null lists have no entries. */
    void list(int end, boolean isMissing) {
        add(end, isMissing);
    }

    /** Appends a number or string that is null. */
    void nothing() {
        add(charCount, true);
    }

    private void add(long value, boolean isMissing) {
        if (rows == values.length) {
            isNull = Arrays.copyOf(isNull, 2 * rows);
            values = Arrays.copyOf(values, 2 * rows);
        }
        isNull[rows] = isMissing;
        values[rows++] = value;
        nulls += isMissing ? 1 : 0;
    }

    // ---------------------------------------------------------------- ends of a column

    /** Appends a column of int64 without nulls. */
    void longs(long[] column, int from, int to) {
        rows = to - from;
        addValidity();
        addLongs(column, from);
        endColumn();
    }

    /** Ends a column of numbers of 64, 32 or 1 bits. */
    void endNumbers(int bits) {
        addValidity();
        if (bits == Long.SIZE) {
            addLongs(values, 0);
        } else {
            int data = begin(((long) rows * bits + 7) >> 3);
            for (int i = 0; i < rows; i++) {
                if (bits == Integer.SIZE) {
                    INTS.set(bytes, data + 4 * i, (int) values[i]);
                } else {
                    bytes[data + (i >> 3)] |= (byte) (values[i] << (i & 7));
                }
            }
        }
        endColumn();
    }

    private void addLongs(long[] column, int from) {
        int data = begin(8L * rows);
        ByteBuffer.wrap(bytes, data, 8 * rows)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .put(column, from, rows);
    }

    void endStrings() {
        addValidity();
        addOffsets();
        int data = begin(charCount);
        System.arraycopy(chars, 0, bytes, data, charCount);
        endColumn();
    }

    void endLists() {
        addValidity();
        addOffsets();
        endColumn();
    }

    /** Appends a column of structs, of which none is null. */
    void structs(int count) {
        rows = count;
        addValidity();
        endColumn();
    }

    private void endColumn() {
        nodes.add(new ArrowFieldNode(rows, nulls));
        rows = 0;
        nulls = 0;
        charCount = 0;
    }

    private void addOffsets() {
        int offsets = begin(4L * (rows + 1));
        for (int i = 0; i < rows; i++) {
            INTS.set(bytes, offsets + 4 * (i + 1), (int) values[i]);
        }
    }

    /** Adds the buffer of validity bits, empty if no value is null. */
    private void addValidity() {
        int bits = begin(nulls == 0 ? 0 : (rows + 7) >> 3);
        for (int i = 0; i < rows && nulls > 0; i++) {
            if (!isNull[i]) {
                bytes[bits + (i >> 3)] |= (byte) (1 << (i & 7));
            }
        }
    }

    /** Adds a zero-filled, aligned buffer and returns its offset. */
    private int begin(long count) {
        int start = length;
        long end = (start + count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, grown(bytes.length, end));
        }
        length = (int) end;
        buffers.add(new ArrowBuffer(start, count));
        return start;
    }

    private static int grown(int capacity, long needed) {
        if (needed > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("transaction too large for a record batch: bytes=" + needed);
        }
        return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * capacity));
    }
}
