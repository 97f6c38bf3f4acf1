package io.nightjar.formats.arrow;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/** A column of integers or strings in one record batch, read a window of rows at a time. */
final class ArrowColumn {

    /*
     * Layout. After load(from, count), row i of the window (0 .. count) is
     *
     *   absent             if isNull(i)
     *   number(i)          if the column contains integers
     *   chars()[charFrom(i)] and the next charLength(i) - 1 bytes, if it contains strings
     *
     * Strings have three layouts: offsets into data; views (16 bytes: length, then the string or its location); and
     * indices of a dictionary, whose strings are loaded once per batch.
     */

    private static final int VIEW_BYTES = 16;
    private static final int INLINE_LENGTH = 12;

    private final ArrowField field;
    private final long length;
    private final boolean hasNulls;
    private final ArrowBytes validity;
    private final ArrowBytes[] buffers;
    private final @Nullable ArrowColumn dictionary;

    private boolean[] isNull = new boolean[0];
    private long[] numbers = new long[0];
    private int[] charFrom = new int[0];
    private int[] charLength = new int[0];
    private byte[] chars = new byte[0];
    private int charCount;

    /**
     * Creates a column of a batch; {@code dictionary} is already loaded as a whole, and null if the column has none.
     */
    ArrowColumn(ArrowBatch batch, ArrowField field, @Nullable ArrowColumn dictionary) throws IOException {
        this.field = field;
        this.dictionary = dictionary;
        this.length = batch.length(field);
        this.hasNulls = field.isNull() || batch.hasNulls(field);
        int count = field.bufferCount() + batch.variableCount(field);
        this.buffers = new ArrowBytes[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = batch.bytes(field, i);
        }
        this.validity = hasNulls && count > 0 ? buffers[0] : ArrowBytes.NONE;
    }

    /** Creates a column in which every row is null. */
    private ArrowColumn() {
        this.field = ArrowField.MISSING;
        this.dictionary = null;
        this.length = Long.MAX_VALUE;
        this.hasNulls = true;
        this.buffers = new ArrowBytes[0];
        this.validity = ArrowBytes.NONE;
    }

    static ArrowColumn missing() {
        return new ArrowColumn();
    }

    void load(long from, int count) throws IOException {
        if (from < 0 || count < 0 || count > length - from) {
            throw new CorruptArrowException(InputError.of("column has too few rows")
                    .with("column=%s rows=%d needed=%d", field.name, length, from + count));
        }
        checkHeld(count);
        loadNulls(from, count);
        if (field.isNull() || field.type == Type.Struct_ || count == 0) {
            return;
        }
        if (field.type == Type.Bool) {
            loadBits(from, count);
        } else if (dictionary != null || field.type == Type.Int || field.type == Type.FloatingPoint) {
            loadNumbers(from, count);
        } else if (field.type == Type.Utf8View) {
            loadViews(from, count);
        } else {
            loadStrings(from, count);
        }
    }

    /** Checks a row count before memory is allocated: the smallest row, a boolean, requires one bit. */
    private void checkHeld(long count) {
        if (buffers.length > 1 && count > 8 * buffers[1].length()) {
            throw new CorruptArrowException(InputError.of("column is shorter than its rows need")
                    .with("column=%s rows=%d bytes=%d", field.name, count, buffers[1].length()));
        }
    }

    boolean isNull(int row) {
        return isNull[row];
    }

    long number(int row) {
        return numbers[row];
    }

    /** Returns whether a number is unsigned and at least 2^63. */
    boolean isTooLarge(int row) {
        return !field.isSigned && numbers[row] < 0;
    }

    byte[] chars() {
        return dictionary == null ? chars : dictionary.chars;
    }

    int charFrom(int row) {
        return dictionary == null ? charFrom[row] : dictionary.charFrom[entry(row)];
    }

    int charLength(int row) {
        return dictionary == null ? charLength[row] : dictionary.charLength[entry(row)];
    }

    String string(int row) {
        return new String(chars(), charFrom(row), charLength(row), StandardCharsets.UTF_8);
    }

    private int entry(int row) {
        long entry = numbers[row];
        ArrowColumn entries = requireNonNull(dictionary);
        if (entry < 0 || entry >= entries.length || entries.isNull[(int) entry]) {
            throw new CorruptArrowException(InputError.of("dictionary has no such entry")
                    .with("column=%s entry=%d entries=%d", field.name, entry, dictionary.length));
        }
        return (int) entry;
    }

    // ---------------------------------------------------------------- loading

    private void loadBits(long from, int count) throws IOException {
        ensureNumbers(count);
        long firstByte = from >> 3;
        ByteBuffer bits = buffers[1].get(firstByte, ((from + count + 7) >> 3) - firstByte);
        int shift = (int) (from & 7);
        for (int i = 0; i < count; i++) {
            int bit = shift + i;
            numbers[i] = bits.get(bit >> 3) >> (bit & 7) & 1;
        }
    }

    private void loadNulls(long from, int count) throws IOException {
        if (isNull.length < count) {
            isNull = new boolean[count];
        }
        if (field.isNull() || !hasNulls) {
            Arrays.fill(isNull, 0, count, hasNulls);
            return;
        }
        validity.loadZeros(from, count, isNull);
    }

    private void loadNumbers(long from, int count) throws IOException {
        ensureNumbers(count);
        int width = field.bitWidth >> 3;
        ByteBuffer bytes = buffers[1].get(from * width, (long) count * width);
        switch (field.bitWidth) {
            case 64 -> bytes.asLongBuffer().get(numbers, 0, count);
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    int number = bytes.getInt();
                    numbers[i] = field.isSigned ? number : number & 0xffffffffL;
                }
            }
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    short number = bytes.getShort();
                    numbers[i] = field.isSigned ? number : number & 0xffff;
                }
            }
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    byte number = bytes.get();
                    numbers[i] = field.isSigned ? number : number & 0xff;
                }
            }
            default ->
                throw new CorruptArrowException(InputError.of("unknown integer").with("bits=" + field.bitWidth));
        }
    }

    private void loadStrings(long from, int count) throws IOException {
        ensureStrings(count);
        boolean isLarge = field.type == Type.LargeUtf8;
        int width = isLarge ? 8 : 4;
        ByteBuffer offsets = buffers[1].get(from * width, (count + 1L) * width);
        long first = isLarge ? offsets.getLong() : offsets.getInt();
        long last = first;
        for (int i = 0; i < count; i++) {
            long next = isLarge ? offsets.getLong() : offsets.getInt();
            if (next < last || next - first > Integer.MAX_VALUE - 8) {
                throw new CorruptArrowException(
                        InputError.of("offsets are damaged").with("column=%s row=%d", field.name, from + i + 1));
            }
            charFrom[i] = (int) (last - first);
            charLength[i] = (int) (next - last);
            last = next;
        }
        ByteBuffer data = buffers[2].get(first, last - first);
        ensureChars(data.remaining());
        data.get(chars, 0, data.remaining());
    }

    private void loadViews(long from, int count) throws IOException {
        ensureStrings(count);
        ByteBuffer views = buffers[1].get(from * VIEW_BYTES, (long) count * VIEW_BYTES);
        charCount = 0;
        for (int i = 0; i < count; i++) {
            int at = i * VIEW_BYTES;
            int size = isNull[i] ? 0 : views.getInt(at);
            ByteBuffer data = size > INLINE_LENGTH
                    ? variable(views.getInt(at + 8)).get(views.getInt(at + 12), size)
                    : views.slice(at + 4, Math.max(0, size));
            if (size < 0 || size > Integer.MAX_VALUE - 8 - charCount) {
                throw new CorruptArrowException(
                        InputError.of("views are damaged").with("column=%s row=%d", field.name, from + i + 1));
            }
            ensureChars(charCount + size);
            data.get(chars, charCount, size);
            charFrom[i] = charCount;
            charLength[i] = size;
            charCount += size;
        }
    }

    private ArrowBytes variable(int index) {
        if (index < 0 || index >= buffers.length - 2) {
            throw new CorruptArrowException(
                    InputError.of("views are damaged").with("column=%s buffer=%d", field.name, index));
        }
        return buffers[2 + index];
    }

    private void ensureNumbers(int count) {
        if (numbers.length < count) {
            numbers = new long[count];
        }
    }

    private void ensureStrings(int count) {
        if (charFrom.length < count) {
            charFrom = new int[count];
            charLength = new int[count];
        }
    }

    private void ensureChars(int count) {
        if (chars.length < count) {
            chars = Arrays.copyOf(chars, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(count, 2L * chars.length)));
        }
    }

    // ---------------------------------------------------------------- dictionaries

    /** Loads all rows of several columns as one column, for use as a dictionary. */
    static ArrowColumn concatenation(List<ArrowColumn> batches) throws IOException {
        if (batches.size() == 1) {
            ArrowColumn only = batches.get(0);
            only.load(0, only.wholeLength());
            return only;
        }
        long rows = 0;
        for (ArrowColumn batch : batches) {
            rows += batch.wholeLength();
        }
        ArrowColumn whole = new ArrowColumn(batches.get(0), Math.toIntExact(rows));
        int row = 0;
        for (ArrowColumn batch : batches) {
            int count = batch.wholeLength();
            batch.load(0, count);
            for (int i = 0; i < count; i++) {
                whole.append(row++, batch, i);
            }
        }
        return whole;
    }

    private int wholeLength() {
        if (length < 0 || length > Integer.MAX_VALUE - 8) {
            throw new CorruptArrowException(
                    InputError.of("dictionary is damaged").with("column=%s entries=%d", field.name, length));
        }
        checkHeld(length);
        return (int) length;
    }

    /** Creates a column in memory that rows are appended to. */
    private ArrowColumn(ArrowColumn like, int rows) {
        this.field = like.field;
        this.dictionary = null;
        this.length = rows;
        this.hasNulls = true;
        this.buffers = new ArrowBytes[0];
        this.validity = ArrowBytes.NONE;
        this.isNull = new boolean[rows];
        ensureStrings(rows);
    }

    private void append(int row, ArrowColumn from, int fromRow) {
        isNull[row] = from.isNull[fromRow];
        int size = isNull[row] ? 0 : from.charLength[fromRow];
        ensureChars(Math.addExact(charCount, size));
        System.arraycopy(from.chars, isNull[row] ? 0 : from.charFrom[fromRow], chars, charCount, size);
        charFrom[row] = charCount;
        charLength[row] = size;
        charCount += size;
    }
}
