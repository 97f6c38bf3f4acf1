package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.OpKind;
import java.util.Arrays;

/** What {@link KeyProfile} keeps of each key, as columns by a dense ordinal. */
final class KeyTable {

    static final int NONE = -1;

    /** Upper bound of what one key takes, slots and room to grow included. */
    static final int BYTES_PER_KEY = 80;

    // Uses of a key, as bits of usesOf.
    static final byte SCALAR_READ = 1;
    static final byte LIST_READ = 2;
    static final byte WRITTEN = 4;
    static final byte APPENDED = 8;
    static final byte ADDED = 16;
    static final byte INCREMENTED = 32;

    private static final byte[] USE_OF_KIND = new byte[OpKind.COUNT];

    static {
        USE_OF_KIND[OpKind.READ] = SCALAR_READ;
        USE_OF_KIND[OpKind.READ_LIST] = LIST_READ;
        USE_OF_KIND[OpKind.WRITE] = WRITTEN;
        USE_OF_KIND[OpKind.APPEND] = APPENDED;
        USE_OF_KIND[OpKind.ADD] = ADDED;
        USE_OF_KIND[OpKind.INCREMENT] = INCREMENTED;
    }

    private static final int LEAST_CAPACITY = 64;

    int count;
    long[] idOf = new long[LEAST_CAPACITY];
    long[] opCountOf = new long[LEAST_CAPACITY];
    byte[] usesOf = new byte[LEAST_CAPACITY];

    /** 0, 1, or 2 for more than one. */
    byte[] writerCountOf = new byte[LEAST_CAPACITY];

    private long[] writerOf = new long[LEAST_CAPACITY];
    private int[] slots = new int[2 * LEAST_CAPACITY]; // ordinal by hash, linear probing

    KeyTable() {
        Arrays.fill(slots, NONE);
    }

    /** How an operation uses its key; reading nothing fits every use. */
    static byte use(byte kind) {
        return USE_OF_KIND[kind];
    }

    int findOrAdd(long id) {
        int slot = slotOf(id);
        return slots[slot] == NONE ? add(slot, id) : slots[slot];
    }

    void addWriter(int key, long txnId) {
        if (writerCountOf[key] == 0) {
            writerCountOf[key] = 1;
            writerOf[key] = txnId;
        } else if (writerOf[key] != txnId) {
            writerCountOf[key] = 2;
        }
    }

    /** Forgets the keys that a class does not hold. */
    void keepOnly(HashClasses classes) {
        int kept = 0;
        for (int key = 0; key < count; key++) {
            if (classes.holds(idOf[key])) {
                idOf[kept] = idOf[key];
                opCountOf[kept] = opCountOf[key];
                usesOf[kept] = usesOf[key];
                writerCountOf[kept] = writerCountOf[key];
                writerOf[kept] = writerOf[key];
                kept++;
            }
        }
        Arrays.fill(opCountOf, kept, count, 0);
        Arrays.fill(usesOf, kept, count, (byte) 0);
        Arrays.fill(writerCountOf, kept, count, (byte) 0);
        count = kept;
        rehash(slots.length);
    }

    private int slotOf(long id) {
        int mask = slots.length - 1;
        int slot = (int) (HashClasses.hash(id) >>> 32) & mask;
        while (slots[slot] != NONE && idOf[slots[slot]] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int add(int slot, long id) {
        if (count == idOf.length) {
            int capacity = count + (count >> 1);
            idOf = Arrays.copyOf(idOf, capacity);
            opCountOf = Arrays.copyOf(opCountOf, capacity);
            usesOf = Arrays.copyOf(usesOf, capacity);
            writerCountOf = Arrays.copyOf(writerCountOf, capacity);
            writerOf = Arrays.copyOf(writerOf, capacity);
        }
        int key = count++;
        idOf[key] = id;
        slots[slot] = key;
        if (2 * count > slots.length) {
            rehash(2 * slots.length);
        }
        return key;
    }

    private void rehash(int slotCount) {
        slots = new int[slotCount];
        Arrays.fill(slots, NONE);
        for (int key = 0; key < count; key++) {
            slots[slotOf(idOf[key])] = key;
        }
    }
}
