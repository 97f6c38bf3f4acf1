package io.nightjar.formats.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Scans text eight bytes at a time: cells are short, so a loop over single bytes usually mispredicts its end. */
public final class SwarBytes {

    public static final int COUNT = Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long HIGH_HALVES = 0xf0f0f0f0f0f0f0f0L;
    private static final long ZEROS = '0' * LOW_BITS;
    private static final long SIXES = 6 * LOW_BITS;
    private static final long EIGHT_DIGITS = 100_000_000L;

    private SwarBytes() {}

    /** Returns eight bytes; the byte at the given position is the lowest. */
    public static long at(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Returns a byte repeated eight times. */
    public static long all(byte b) {
        return b * LOW_BITS;
    }

    /**
     * Marks bytes equal to one of two: the lowest set bit is the highest bit of the first such byte; 0 if none. Higher
     * bits may be false.
     */
    public static long hits(long eight, long allOne, long allOther) {
        long notOne = eight ^ allOne;
        long notOther = eight ^ allOther;
        return ((notOne - LOW_BITS) & ~notOne | (notOther - LOW_BITS) & ~notOther) & HIGH_BITS;
    }

    /** Returns the number of bytes before the first match reported by {@link #hits}. */
    public static int before(long hits) {
        return Long.numberOfTrailingZeros(hits) / Byte.SIZE; // 64 bits of 0 are eight bytes
    }

    public static boolean areAscii(long eight) {
        return (eight & HIGH_BITS) == 0;
    }

    /**
     * Returns the number whose digits, one to seven, are the lowest bytes; -1 if they are not the canonical text of a
     * number.
     */
    public static long number(long eight, int digits) {
        if ((eight & 0xff) == '0' && digits > 1) {
            return -1;
        }
        int others = Byte.SIZE * (COUNT - digits);
        return ofDigits(eight << others | ZEROS >>> Byte.SIZE * digits);
    }

    /**
     * Returns the number whose one to sixteen digits end here; -1 if the range contains other characters or is too near
     * the beginning.
     */
    public static long number(byte[] bytes, int end, int digits) {
        if (digits <= COUNT) {
            return end < COUNT ? -1 : upToEight(at(bytes, end - COUNT), digits);
        }
        if (end < 2 * COUNT) {
            return -1;
        }
        long high = upToEight(at(bytes, end - 2 * COUNT), digits - COUNT);
        long low = ofDigits(at(bytes, end - COUNT));
        return (high | low) < 0 ? -1 : high * EIGHT_DIGITS + low;
    }

    private static long upToEight(long eight, int digits) {
        int others = Byte.SIZE * (COUNT - digits); // bits before the number
        return ofDigits(eight >>> others << others | ZEROS & (1L << others) - 1);
    }

    /** Returns the number of eight digits, the first in the lowest byte; -1 if other characters are among them. */
    private static long ofDigits(long text) {
        boolean areDigits = (((text & HIGH_HALVES) ^ ZEROS) | ((text + SIXES & HIGH_HALVES) ^ ZEROS)) == 0;
        if (!areDigits) {
            return -1;
        }
        long digits = text - ZEROS;
        long pairs = digits * 10 + (digits >>> 8); // in every second byte
        long outer = (pairs & 0x000000ff000000ffL) * 0x000f424000000064L; // 1,000,000 and 100
        long inner = (pairs >>> 16 & 0x000000ff000000ffL) * 0x0000271000000001L; // 10,000 and 1
        return outer + inner >>> 32;
    }
}
