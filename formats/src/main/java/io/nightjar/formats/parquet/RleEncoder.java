package io.nightjar.formats.parquet;

/**
 * Encoder of Parquet's hybrid of run lengths and bit packing, used for levels and dictionary ordinals.
 *
 * <p>Only long runs become runs: decoders are fastest on few, long runs.
 */
final class RleEncoder {

    /** A multiple of 8, since bit-packed runs contain whole groups of 8. */
    private static final int SHORTEST_RUN = 64;

    private RleEncoder() {}

    static void encode(int[] values, int count, int bitWidth, LittleEndianBytes out) {
        int packedFrom = 0;
        int at = 0;
        while (at < count) {
            int end = endOfRun(values, at, count);
            if (end - at < SHORTEST_RUN) {
                // Groups of 8 begin at multiples of 8 after the last run, so continue at the next multiple.
                at = Math.min(count, at + Math.max(8, (end - at) & ~7));
                continue;
            }
            pack(values, packedFrom, at, bitWidth, out);
            run(values[at], end - at, bitWidth, out);
            at = end;
            packedFrom = end;
        }
        pack(values, packedFrom, count, bitWidth, out);
    }

    /** Appends a single run. */
    static void run(int value, int length, int bitWidth, LittleEndianBytes out) {
        out.varint((long) length << 1);
        for (int bits = 0; bits < bitWidth; bits += 8) {
            out.put(value >>> bits);
        }
    }

    private static int endOfRun(int[] values, int from, int count) {
        int value = values[from];
        int end = from + 1;
        while (end < count && values[end] == value) {
            end++;
        }
        return end;
    }

    private static void pack(int[] values, int from, int to, int bitWidth, LittleEndianBytes out) {
        if (from == to) {
            return;
        }
        int groups = (to - from + 7) >>> 3;
        out.varint(((long) groups << 1) | 1);
        out.reserve(groups * bitWidth);
        byte[] bytes = out.bytes();
        int at = out.size();
        long bits = 0;
        int held = 0;
        for (int i = from; i < to; i++) {
            bits |= (long) values[i] << held;
            held += bitWidth;
            while (held >= 8) {
                bytes[at++] = (byte) bits;
                bits >>>= 8;
                held -= 8;
            }
        }
        int end = out.size() + groups * bitWidth;
        while (at < end) {
            bytes[at++] = (byte) bits;
            bits = 0;
        }
        out.advance(groups * bitWidth);
    }

    /** Returns the number of bits for values from 0 to {@code largest}. */
    static int bitWidth(int largest) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(largest);
    }
}
