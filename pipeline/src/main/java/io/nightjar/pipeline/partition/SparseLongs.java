package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import org.jspecify.annotations.Nullable;

/** Codec for a nullable column: the entries present and, if requested, their numbers. */
final class SparseLongs {

    /*
     *   ABSENT                            the column is null
     *   FULL     [numbers]                every entry is present
     *   PARTLY   bits count [numbers]     a bit for each entry, eight a byte; numbers of the entries present
     */
    private static final int ABSENT = 0;
    private static final int FULL = 1;
    private static final int PARTLY = 2;

    private long[] present = new long[64];

    /** @param column null for no column */
    void encode(long @Nullable [] column, int count, boolean withNumbers, ByteWriter to) {
        if (column == null) {
            to.putByte(ABSENT);
            return;
        }
        int presentCount = gather(column, count);
        to.putByte(presentCount == count ? FULL : PARTLY);
        if (presentCount < count) {
            putBits(column, count, to);
            to.putVarint(presentCount);
        }
        if (withNumbers) {
            PackedLongs.put(present, presentCount, to);
        }
    }

    private int gather(long[] column, int count) {
        if (present.length <= count) {
            present = new long[Math.max(count + 1, present.length * 2)];
        }
        int presentCount = 0;
        for (int i = 0; i < count; i++) {
            present[presentCount] = column[i];
            presentCount += column[i] == HistorySlice.NONE ? 0 : 1;
        }
        return presentCount;
    }

    private static void putBits(long[] column, int count, ByteWriter to) {
        int at = to.reserve((count + 7) >> 3);
        for (int first = 0; first < count; first += 8) {
            int bits = 0;
            for (int i = first; i < Math.min(count, first + 8); i++) {
                bits |= (column[i] == HistorySlice.NONE ? 0 : 1) << (i - first);
            }
            to.bytes()[at++] = (byte) bits;
        }
    }

    /** Returns the column, or null; entries present are 0 if their numbers were not encoded. */
    static long @Nullable [] decode(ByteReader from, int count, boolean withNumbers) {
        int state = from.getByte();
        if (state == ABSENT) {
            return null;
        }
        long[] column = new long[count];
        if (state == FULL) {
            if (withNumbers) {
                PackedLongs.get(from, column, count);
            }
            return column;
        }
        int bits = from.skip((count + 7) >> 3);
        int presentCount = from.getCount();
        if (withNumbers) {
            PackedLongs.get(from, column, presentCount);
        }
        // Backwards, so that numbers move to their entries in place.
        int next = presentCount;
        for (int i = count - 1; i >= 0; i--) {
            boolean isPresent = (from.array()[bits + (i >> 3)] >> (i & 7) & 1) != 0;
            column[i] = isPresent ? column[--next] : HistorySlice.NONE;
        }
        return column;
    }
}
