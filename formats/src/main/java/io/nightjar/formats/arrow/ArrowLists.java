package io.nightjar.formats.arrow;

import io.nightjar.formats.history.InputError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.arrow.flatbuf.Type;

/** The begins and ends of the lists of a list column in its child, a window of rows at a time. */
final class ArrowLists {

    private final ArrowField field;
    private final long length;
    private final ArrowBytes validity;
    private final ArrowBytes offsets;
    private final long childLength;

    private boolean[] isNull = new boolean[0];
    private long[] first = new long[1];

    ArrowLists(ArrowBatch batch, ArrowField field) throws IOException {
        this.field = field;
        this.length = batch.length(field);
        this.validity = batch.hasNulls(field) ? batch.bytes(field, 0) : ArrowBytes.NONE;
        this.offsets = batch.bytes(field, 1);
        this.childLength = batch.length(field.children.get(0));
    }

    /** Loads a window; list i of the window is rows {@code first(i) .. first(i + 1)} of the child. */
    void load(long from, int count) throws IOException {
        boolean isLarge = field.type == Type.LargeList;
        int width = isLarge ? 8 : 4;
        if (count > length - from) {
            throw new CorruptArrowException(InputError.of("column has too few rows")
                    .with("column=%s rows=%d needed=%d", field.name, length, from + count));
        }
        ByteBuffer bytes = count == 0 ? null : offsets.get(from * width, (count + 1L) * width);
        if (first.length < count + 1) {
            first = new long[count + 1];
            isNull = new boolean[count];
        }
        first[0] = 0;
        for (int i = 0; i <= count && bytes != null; i++) {
            first[i] = isLarge ? bytes.getLong() : bytes.getInt();
            if (first[i] < 0 || (i > 0 && first[i] < first[i - 1]) || first[i] > childLength) {
                throw new CorruptArrowException(
                        InputError.of("offsets are damaged").with("column=%s row=%d", field.name, from + i));
            }
        }
        loadNulls(from, count);
    }

    /** Returns the total number of entries of the first lists, after comparing it with the length of the child. */
    long entryCount(long lists) throws IOException {
        if (lists == 0) {
            return 0;
        }
        long begin = offset(0);
        long end = offset(lists);
        if (begin < 0 || end < begin || end > childLength) {
            throw new CorruptArrowException(InputError.of("offsets are damaged")
                    .with("column=%s first=%d last=%d entries=%d", field.name, begin, end, childLength));
        }
        return end - begin;
    }

    private long offset(long list) throws IOException {
        boolean isLarge = field.type == Type.LargeList;
        int width = isLarge ? 8 : 4;
        ByteBuffer bytes = offsets.get(list * width, width);
        return isLarge ? bytes.getLong() : bytes.getInt();
    }

    long first(int list) {
        return first[list];
    }

    boolean isNull(int list) {
        return isNull[list];
    }

    private void loadNulls(long from, int count) throws IOException {
        if (validity.length() == 0) {
            Arrays.fill(isNull, 0, count, false);
            return;
        }
        validity.loadZeros(from, count, isNull);
    }
}
