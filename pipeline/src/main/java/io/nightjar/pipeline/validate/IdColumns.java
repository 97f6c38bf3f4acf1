package io.nightjar.pipeline.validate;

import java.util.Arrays;

/** Ids as dense ordinals, by which a subclass keeps columns; the ids of a hash class can be forgotten. */
abstract class IdColumns {

    /*
     * slots[hash(id) + i] = ordinal, or NONE      linear probing, at most half full
     * idOf[ordinal]                               id of the ordinal
     */

    static final int NONE = -1;

    int count;
    long[] idOf;
    private int[] slots;

    IdColumns(int minCapacity) {
        idOf = new long[minCapacity];
        slots = new int[2 * minCapacity];
        Arrays.fill(slots, NONE);
    }

    /** Resizes all columns to the given number of entries. */
    abstract void grow(int capacity);

    /** Initializes a new entry in all columns. */
    abstract void clear(int ordinal);

    /** Copies an entry over one of a smaller ordinal. */
    abstract void move(int from, int to);

    /** Returns the ordinal of an id, or {@link #NONE} if it was never added. */
    final int find(long id) {
        return slots[slotOf(id)];
    }

    /** Returns the ordinal of an id, a new one if it was never added. */
    final int findOrAdd(long id) {
        int slot = slotOf(id);
        return slots[slot] == NONE ? add(slot, id) : slots[slot];
    }

    /** Forgets the ids that a class does not hold. */
    final void keepOnly(HashPasses classes) {
        int kept = 0;
        for (int ordinal = 0; ordinal < count; ordinal++) {
            if (classes.holds(idOf[ordinal])) {
                idOf[kept] = idOf[ordinal];
                move(ordinal, kept++);
            }
        }
        count = kept;
        rehash(slots.length);
    }

    private int slotOf(long id) {
        int mask = slots.length - 1;
        int slot = (int) (HashPasses.hash(id) >>> 32) & mask;
        while (slots[slot] != NONE && idOf[slots[slot]] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int add(int slot, long id) {
        if (count == idOf.length) {
            int capacity = count + (count >> 1);
            idOf = Arrays.copyOf(idOf, capacity);
            grow(capacity);
        }
        int ordinal = count++;
        idOf[ordinal] = id;
        clear(ordinal);
        slots[slot] = ordinal;
        if (2 * count > slots.length) {
            rehash(2 * slots.length);
        }
        return ordinal;
    }

    private void rehash(int slotCount) {
        slots = new int[slotCount];
        Arrays.fill(slots, NONE);
        for (int ordinal = 0; ordinal < count; ordinal++) {
            slots[slotOf(idOf[ordinal])] = ordinal;
        }
    }
}
