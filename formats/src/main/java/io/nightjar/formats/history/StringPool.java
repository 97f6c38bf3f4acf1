package io.nightjar.formats.history;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Distinct strings as dense ordinals, with their UTF-8 bytes concatenated in one array.
 *
 * <p>Lookup of a string given as bytes allocates no memory.
 */
public final class StringPool {

    private static final int NONE = -1;
    private static final int[] NO_SLOTS = {};

    private final boolean isJson;
    private byte[] bytes;
    private int[] firstByteOf; // one entry more than strings
    private int count;
    private int[] slots; // ordinal by hash, linear probing; empty until the first lookup

    public StringPool() {
        this(false);
    }

    private StringPool(boolean isJson) {
        this(new byte[256], new int[17], 0, isJson);
        slots = new int[32];
        Arrays.fill(slots, NONE);
    }

    private StringPool(byte[] bytes, int[] firstByteOf, int count, boolean isJson) {
        this.isJson = isJson;
        this.bytes = bytes;
        this.firstByteOf = firstByteOf;
        this.count = count;
        this.slots = NO_SLOTS;
    }

    /** Returns a table whose strings are JSON texts of scalars of several types: {@code 1} and {@code "1"}. */
    public static StringPool ofJson() {
        return new StringPool(true);
    }

    /** Returns a table of strings of the same meaning, JSON texts or not; of plain strings without a model. */
    public static StringPool like(@Nullable StringPool model) {
        return new StringPool(model != null && model.isJson);
    }

    /** Returns whether the strings are JSON texts of scalars of several types. */
    public boolean isJson() {
        return isJson;
    }

    /**
     * Creates a table that uses these arrays; the caller guarantees that the strings are distinct.
     *
     * @param firstByteOf with {@code count + 1} valid entries
     */
    public static StringPool ofDistinct(byte[] bytes, int[] firstByteOf, int count) {
        return new StringPool(bytes, firstByteOf, count, false);
    }

    public int size() {
        return count;
    }

    /** Returns the memory in bytes. */
    public long byteSize() {
        return bytes.length + 4L * firstByteOf.length + 4L * slots.length;
    }

    public int intern(String string) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        return intern(utf8, 0, utf8.length);
    }

    public int intern(byte[] utf8, int offset, int length) {
        int slot = slotOf(utf8, offset, length);
        return slots[slot] != NONE ? slots[slot] : add(slot, utf8, offset, length);
    }

    /** Appends a string without a lookup; returns its ordinal. Such a table must not be searched afterwards. */
    public int append(byte[] utf8) {
        slots = NO_SLOTS;
        return add(utf8, 0, utf8.length);
    }

    /** Returns the ordinal of a string, or -1 if it was never interned. */
    public int find(byte[] utf8, int offset, int length) {
        int slot = slotOf(utf8, offset, length);
        return slots[slot];
    }

    public String get(int ordinal) {
        return new String(bytes, firstByteOf[ordinal], length(ordinal), StandardCharsets.UTF_8);
    }

    public int length(int ordinal) {
        return firstByteOf[ordinal + 1] - firstByteOf[ordinal];
    }

    /** Returns the array that contains every string; string {@code o} begins at {@link #firstByte}{@code (o)}. */
    public byte[] bytes() {
        return bytes;
    }

    public int firstByte(int ordinal) {
        return firstByteOf[ordinal];
    }

    /** Interns a string of another table. */
    public int internFrom(StringPool other, int ordinal) {
        return intern(other.bytes, other.firstByteOf[ordinal], other.length(ordinal));
    }

    private int slotOf(byte[] utf8, int offset, int length) {
        if (slots.length == 0) {
            rehash(Math.max(32, Integer.highestOneBit(count) << 2));
        }
        int mask = slots.length - 1;
        int slot = hash(utf8, offset, length) & mask;
        while (slots[slot] != NONE && !equal(slots[slot], utf8, offset, length)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean equal(int ordinal, byte[] utf8, int offset, int length) {
        int first = firstByteOf[ordinal];
        return Arrays.equals(bytes, first, firstByteOf[ordinal + 1], utf8, offset, offset + length);
    }

    private int add(int slot, byte[] utf8, int offset, int length) {
        slots[slot] = add(utf8, offset, length);
        if (count * 2 > slots.length) {
            rehash(slots.length * 2);
        }
        return count - 1;
    }

    private int add(byte[] utf8, int offset, int length) {
        int first = firstByteOf[count];
        int end = Math.addExact(first, length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Growth.newCapacity(bytes.length, end));
        }
        System.arraycopy(utf8, offset, bytes, first, length);
        if (count + 2 > firstByteOf.length) {
            firstByteOf = Arrays.copyOf(firstByteOf, Growth.newCapacity(firstByteOf.length, count + 2));
        }
        firstByteOf[count + 1] = end;
        return count++;
    }

    private void rehash(int capacity) {
        slots = new int[capacity];
        Arrays.fill(slots, NONE);
        int mask = slots.length - 1;
        for (int ordinal = 0; ordinal < count; ordinal++) {
            int slot = hash(bytes, firstByteOf[ordinal], length(ordinal)) & mask;
            while (slots[slot] != NONE) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = ordinal;
        }
    }

    private static int hash(byte[] utf8, int offset, int length) {
        int hash = length;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + utf8[i];
        }
        hash *= 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }
}
