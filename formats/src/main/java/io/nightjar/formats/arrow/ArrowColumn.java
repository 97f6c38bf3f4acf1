package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ArrowTypeID;
import org.apache.arrow.vector.types.pojo.Field;

/** A column of one record batch, read a window of rows at a time. */
final class ArrowColumn {

    /*
     * Layout. After load(from, count), row i of the window (0 .. count) is
     *
     *   absent                             if isNull(i)
     *   number(i)                          if the column contains numbers or booleans
     *   chars()[charFrom(i)] and the next charLength(i) - 1 bytes, if it contains strings
     *   rows first(i) .. first(i + 1) - 1  of its child, if it contains lists
     *
     * Strings have three layouts: offsets into data; views (16 bytes: length, then the string or its location); and
     * indices of a dictionary, whose batches are loaded before and count as one.
     */

    private static final int VIEW_BYTES = 16;
    private static final int INLINE_LENGTH = 12;
    private static final int NO_BUFFER = -1;

    private final String name;
    private final ArrowTypeID type;
    private final int bits; // width of a number, or of an index into the dictionary
    private final long mask; // bits of a number that count: all, with their sign, if it is signed
    private final boolean isUnsigned;
    private final long length;
    private final long childLength;
    private final boolean hasNulls;
    private final ArrowBytes[] buffers;
    private final List<ArrowColumn> dictionary;

    private boolean[] isNull = new boolean[0];
    private long[] numbers = new long[1];
    private int[] charFrom = new int[0];
    private int[] charLength = new int[0];
    private byte[] chars = new byte[0];
    private int charCount;

    /** @param dictionary the batches of its dictionary; empty if the column has none */
    ArrowColumn(ArrowBatch batch, Field field, List<ArrowColumn> dictionary) throws IOException {
        ArrowType stored = field.getDictionary() == null
                ? field.getType()
                : field.getDictionary().getIndexType();
        ArrowType.Int integer = stored instanceof ArrowType.Int type ? type : ArrowMetadata.integer(floatBits(stored));
        this.name = field.getName();
        this.type = stored.getTypeID();
        this.bits = integer.getBitWidth();
        this.mask = integer.getIsSigned() || bits == Long.SIZE ? -1 : (1L << bits) - 1;
        this.isUnsigned = !integer.getIsSigned();
        this.dictionary = dictionary;
        this.length = batch.length(field);
        this.childLength =
                ArrowColumns.isList(field) ? batch.length(field.getChildren().get(0)) : 0;
        this.hasNulls = type == ArrowTypeID.Null || batch.hasNulls(field);
        this.buffers = new ArrowBytes[batch.bufferCount(field)];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = batch.bytes(field, i);
        }
    }

    /** Creates a column in which every row is null. */
    ArrowColumn() {
        this.name = "";
        this.type = ArrowTypeID.Null;
        this.bits = 0;
        this.mask = 0;
        this.isUnsigned = false;
        this.dictionary = List.of();
        this.length = Long.MAX_VALUE;
        this.childLength = 0;
        this.hasNulls = true;
        this.buffers = new ArrowBytes[0];
    }

    private static int floatBits(ArrowType type) {
        return type instanceof ArrowType.FloatingPoint fraction
                        && fraction.getPrecision() == FloatingPointPrecision.SINGLE
                ? Float.SIZE
                : Double.SIZE;
    }

    void load(long from, int count) throws IOException {
        if (from < 0 || count < 0 || count > length - from) {
            throw new CorruptArrowException(InputError.of("column has too few rows")
                    .with("column=%s rows=%d needed=%d", name, length, from + count));
        }
        checkHeld(count);
        loadNulls(from, count);
        numbers[0] = 0;
        if (count == 0) {
            return;
        }
        switch (type) {
            case Bool -> loadBits(from, count);
            case Int, FloatingPoint -> loadNumbers(from, count);
            case Utf8 -> loadStrings(from, count, Integer.BYTES);
            case LargeUtf8 -> loadStrings(from, count, Long.BYTES);
            case Utf8View -> loadViews(from, count);
            case List -> loadOffsets(from, count, Integer.BYTES);
            case LargeList -> loadOffsets(from, count, Long.BYTES);
            default -> {} // only its nulls are read
        }
        if (!dictionary.isEmpty()) {
            loadEntries(count);
        }
    }

    /** Checks a row count before memory is allocated: the smallest row, a boolean, requires one bit. */
    private void checkHeld(long count) {
        if (buffers.length > 1 && count > 8 * buffers[1].length()) {
            throw new CorruptArrowException(InputError.of("column is shorter than its rows need")
                    .with("column=%s rows=%d bytes=%d", name, count, buffers[1].length()));
        }
    }

    /** Loads all rows, for use as a dictionary. */
    void loadWhole() throws IOException {
        if (length < 0 || length > Integer.MAX_VALUE - 8) {
            throw new CorruptArrowException(
                    InputError.of("dictionary is damaged").with("column=%s entries=%d", name, length));
        }
        load(0, (int) length);
    }

    boolean isNull(int row) {
        return isNull[row];
    }

    long number(int row) {
        return numbers[row];
    }

    /** Returns whether a number is unsigned and at least 2^63. */
    boolean isTooLarge(int row) {
        return isUnsigned && numbers[row] < 0;
    }

    /** Returns the text of a floating-point number. */
    String fraction(int row) {
        return bits == Double.SIZE
                ? Double.toString(Double.longBitsToDouble(numbers[row]))
                : Float.toString(Float.intBitsToFloat((int) numbers[row]));
    }

    byte[] chars() {
        return chars;
    }

    int charFrom(int row) {
        return charFrom[row];
    }

    int charLength(int row) {
        return charLength[row];
    }

    String string(int row) {
        return new String(chars, charFrom[row], charLength[row], StandardCharsets.UTF_8);
    }

    /** Returns the first row of a list in the child. */
    long first(int row) {
        return numbers[row];
    }

    // ---------------------------------------------------------------- loading

    private void loadNulls(long from, int count) throws IOException {
        if (isNull.length < count) {
            isNull = new boolean[count];
        }
        if (buffers.length == 0 || !hasNulls) {
            Arrays.fill(isNull, 0, count, hasNulls);
            return;
        }
        buffers[0].loadZeros(from, count, isNull);
    }

    private void loadBits(long from, int count) throws IOException {
        boolean[] isZero = new boolean[count];
        buffers[1].loadZeros(from, count, isZero);
        ensureNumbers(count);
        for (int i = 0; i < count; i++) {
            numbers[i] = isZero[i] ? 0 : 1;
        }
    }

    private void loadNumbers(long from, int count) throws IOException {
        ensureNumbers(count);
        int width = bits >> 3;
        ByteBuffer bytes = buffers[1].get(from * width, (long) count * width);
        if (bits == Long.SIZE) {
            bytes.asLongBuffer().get(numbers, 0, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            long number = bits == Integer.SIZE ? bytes.getInt() : bits == Short.SIZE ? bytes.getShort() : bytes.get();
            numbers[i] = number & mask;
        }
    }

    private void loadOffsets(long from, int count, int width) throws IOException {
        ensureNumbers(count + 1);
        ByteBuffer offsets = buffers[1].get(from * width, (count + 1L) * width);
        long last = 0;
        for (int i = 0; i <= count; i++) {
            long next = width == Long.BYTES ? offsets.getLong() : offsets.getInt();
            if (next < last || next > childLength) {
                throw new CorruptArrowException(
                        InputError.of("offsets are damaged").with("column=%s row=%d", name, from + i));
            }
            numbers[i] = next;
            last = next;
        }
    }

    private void loadStrings(long from, int count, int width) throws IOException {
        ensureStrings(count);
        ByteBuffer offsets = buffers[1].get(from * width, (count + 1L) * width);
        long first = width == Long.BYTES ? offsets.getLong() : offsets.getInt();
        long last = first;
        for (int i = 0; i < count; i++) {
            long next = width == Long.BYTES ? offsets.getLong() : offsets.getInt();
            if (next < last || next - first > Integer.MAX_VALUE - 8) {
                throw new CorruptArrowException(
                        InputError.of("offsets are damaged").with("column=%s row=%d", name, from + i + 1));
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
        for (int i = 0; i < count; i++) {
            int at = i * VIEW_BYTES;
            int size = isNull[i] ? 0 : views.getInt(at);
            int buffer = size > INLINE_LENGTH ? views.getInt(at + 8) : NO_BUFFER;
            if (size < 0
                    || size > Integer.MAX_VALUE - 8 - charCount
                    || buffer < NO_BUFFER
                    || buffer >= buffers.length - 2) {
                throw new CorruptArrowException(
                        InputError.of("views are damaged").with("column=%s row=%d", name, from + i + 1));
            }
            append(
                    i,
                    buffer == NO_BUFFER
                            ? views.slice(at + 4, size)
                            : buffers[2 + buffer].get(views.getInt(at + 12), size));
        }
    }

    private void loadEntries(int count) {
        ensureStrings(count);
        for (int i = 0; i < count; i++) {
            long entry = isNull[i] ? 0 : numbers[i];
            ArrowColumn found = isNull[i] ? null : dictionary.get(0);
            for (int batch = 1; found != null && entry >= found.length; batch++) {
                entry -= found.length;
                found = batch == dictionary.size() ? null : dictionary.get(batch);
            }
            if (!isNull[i] && (found == null || entry < 0 || found.isNull((int) entry))) {
                throw new CorruptArrowException(InputError.of("dictionary has no such entry")
                        .with("column=%s entry=%d entries=%d", name, numbers[i], entries()));
            }
            append(i, found == null ? ByteBuffer.allocate(0) : found.bytes((int) entry));
        }
    }

    private long entries() {
        return dictionary.stream().mapToLong(batch -> batch.length).sum();
    }

    private ByteBuffer bytes(int row) {
        return ByteBuffer.wrap(chars, charFrom[row], charLength[row]);
    }

    private void append(int row, ByteBuffer string) {
        charFrom[row] = charCount;
        charLength[row] = string.remaining();
        ensureChars(Math.addExact(charCount, charLength[row]));
        string.get(chars, charCount, charLength[row]);
        charCount += charLength[row];
    }

    private void ensureNumbers(int count) {
        if (numbers.length < count) {
            numbers = new long[count];
        }
    }

    private void ensureStrings(int count) {
        charCount = 0;
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
}
