package io.nightjar.pipeline.primitive;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Codec for columns of numbers, in blocks of which each uses as many bits per number as its spread requires. */
public final class PackedLongs {

    /*
     * A block of up to 256 numbers:
     *
     *   width    a byte: bits of each number, 0 to 57, or 64
     *   least    a signed varint
     *   bits     number - least, width bits each, the lowest first, in ceil(count * width / 8) bytes
     *
     * All numbers of a block have the same width, so that neither side branches on them: a number is eight bytes read
     * at the byte it begins in, shifted by less than a byte and masked, which is why 58 to 63 bits are stored as 64.
     * Differences wrap around, so every int64 survives.
     */

    private static final int BLOCK = 256;
    private static final int WIDEST_SHIFTED = 57;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private PackedLongs() {}

    /** Appends the first numbers of an array; their count is not written. */
    public static void put(long[] numbers, int count, ByteWriter to) {
        for (int first = 0; first < count; first += BLOCK) {
            putBlock(numbers, first, Math.min(count, first + BLOCK), to);
        }
    }

    /** Fills the start of an array with as many numbers as were written. */
    public static void get(ByteReader from, long[] into, int count) {
        for (int first = 0; first < count; first += BLOCK) {
            getBlock(from, into, first, Math.min(count, first + BLOCK));
        }
    }

    /**
     * Appends the first numbers of an array, each as its difference to the previous number.
     *
     * @param scratch an array as long as their count, at least
     */
    public static void putDifferences(long[] numbers, int count, long[] scratch, ByteWriter to) {
        long before = 0;
        for (int i = 0; i < count; i++) {
            scratch[i] = numbers[i] - before;
            before = numbers[i];
        }
        put(scratch, count, to);
    }

    /** Returns numbers that were written as differences. */
    public static long[] getDifferences(ByteReader from, int count) {
        long[] numbers = new long[count];
        get(from, numbers, count);
        long before = 0;
        for (int i = 0; i < count; i++) {
            before += numbers[i];
            numbers[i] = before;
        }
        return numbers;
    }

    /** Writes ints like {@link #put}. */
    public static void putInts(int[] numbers, int count, ByteWriter to) {
        long[] block = new long[Math.min(count, BLOCK)];
        for (int first = 0; first < count; first += BLOCK) {
            int length = Math.min(count - first, BLOCK);
            for (int i = 0; i < length; i++) {
                block[i] = numbers[first + i];
            }
            putBlock(block, 0, length, to);
        }
    }

    /** Reads ints like {@link #get}. */
    public static void getInts(ByteReader from, int[] into, int count) {
        long[] block = new long[Math.min(count, BLOCK)];
        for (int first = 0; first < count; first += BLOCK) {
            int length = Math.min(count - first, BLOCK);
            getBlock(from, block, 0, length);
            for (int i = 0; i < length; i++) {
                into[first + i] = (int) block[i];
            }
        }
    }

    /** Counts, as the positions where each begins: one entry more than counts, the first of them 0. */
    public static void putFirsts(int[] firstOf, int count, ByteWriter to) {
        int[] countOf = new int[count];
        for (int i = 0; i < count; i++) {
            countOf[i] = firstOf[i + 1] - firstOf[i];
        }
        putInts(countOf, count, to);
    }

    /** Reads columns written by {@link #putFirsts}. */
    public static int[] getFirsts(ByteReader from, int count) {
        int[] firstOf = new int[count + 1];
        getInts(from, firstOf, count);
        int next = 0;
        for (int i = 0; i <= count; i++) {
            int length = firstOf[i];
            firstOf[i] = next;
            next += length;
        }
        return firstOf;
    }

    private static void putBlock(long[] numbers, int first, int end, ByteWriter to) {
        long min = numbers[first];
        long greatest = min;
        for (int i = first + 1; i < end; i++) {
            min = Math.min(min, numbers[i]);
            greatest = Math.max(greatest, numbers[i]);
        }
        int width = Long.SIZE - Long.numberOfLeadingZeros(greatest - min);
        width = width > WIDEST_SHIFTED ? Long.SIZE : width;
        to.putByte(width);
        to.putSigned(min);
        if (width > 0) {
            int at = to.reserve(byteCount(end - first, width));
            pack(numbers, first, end, min, width, to.bytes(), at);
        }
    }

    private static void pack(long[] numbers, int first, int end, long min, int width, byte[] bytes, int start) {
        int at = start;
        long pending = 0; // bits that do not fill a long yet
        int pendingBits = 0;
        for (int i = first; i < end; i++) {
            long number = numbers[i] - min;
            pending |= number << pendingBits;
            pendingBits += width;
            if (pendingBits >= Long.SIZE) {
                LONGS.set(bytes, at, pending);
                at += Long.BYTES;
                pendingBits -= Long.SIZE;
                pending = pendingBits == 0 ? 0 : number >>> (width - pendingBits);
            }
        }
        for (; pendingBits > 0; pendingBits -= Byte.SIZE) {
            bytes[at++] = (byte) pending;
            pending >>>= Byte.SIZE;
        }
    }

    private static void getBlock(ByteReader from, long[] into, int first, int end) {
        int width = from.getByte();
        long min = from.getSigned();
        int at = from.skip(byteCount(end - first, width));
        if (width == 0) {
            Arrays.fill(into, first, end, min);
        } else if (width == Long.SIZE) {
            unpackWhole(from.array(), at, min, into, first, end);
        } else {
            unpack(from.array(), at, width, min, into, first, end);
        }
    }

    private static void unpackWhole(byte[] bytes, int start, long min, long[] into, int first, int end) {
        int at = start;
        for (int i = first; i < end; i++) {
            into[i] = min + (long) LONGS.get(bytes, at);
            at += Long.BYTES;
        }
    }

    private static void unpack(byte[] bytes, int at, int width, long min, long[] into, int first, int end) {
        long mask = (1L << width) - 1;
        int safeEnd = first + safeCount(bytes.length - at, end - first, width);
        int bit = 0;
        for (int i = first; i < safeEnd; i++) {
            long word = (long) LONGS.get(bytes, at + (bit >>> 3));
            into[i] = min + (word >>> (bit & 7) & mask);
            bit += width;
        }
        for (int i = safeEnd; i < end; i++) {
            into[i] = min + (wordAtEnd(bytes, at + (bit >>> 3)) >>> (bit & 7) & mask);
            bit += width;
        }
    }

    /** Returns how many numbers begin where eight bytes can be read. */
    private static int safeCount(int bytesLeft, int count, int width) {
        if (bytesLeft < Long.BYTES) {
            return 0;
        }
        long lastBit = ((bytesLeft - (long) Long.BYTES) << 3) + 7;
        return (int) Math.min(count, lastBit / width + 1);
    }

    private static long wordAtEnd(byte[] bytes, int at) {
        long word = 0;
        for (int i = Math.min(bytes.length, at + Long.BYTES) - 1; i >= at; i--) {
            word = word << Byte.SIZE | bytes[i] & 0xFF;
        }
        return word;
    }

    private static int byteCount(int count, int width) {
        return (count * width + 7) >>> 3;
    }
}
