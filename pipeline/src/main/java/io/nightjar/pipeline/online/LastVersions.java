package io.nightjar.pipeline.online;

import java.util.Arrays;

/** For each key a version or none, and what else there is to know of it wherever its version is looked at. */
final class LastVersions {

    /*
     * The numbers of a key stand next to each other, since who asks for one asks for others:
     *
     *   numbers[WIDTH * key]   at, id, value, sealed to, and flags: class plus one (2 bits, 0 for no version) | ACTIVE
     *
     * Zero in all of them is a key of which nothing is known, so that "sealed to" is held with its sign turned.
     */

    private static final int WIDTH = 5;
    private static final int ID = 1;
    private static final int VALUE = 2;
    private static final int SEALED_TO = 3;
    private static final int FLAGS = 4;
    private static final long CLASS_MASK = 3;
    private static final long ACTIVE = 4;

    private long[] numbers = new long[0];

    /** Makes room; a key without room has no version. */
    void ensure(int key) {
        if ((key + 1) * WIDTH > numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(64, key + 1 + (key >> 1)) * WIDTH);
        }
    }

    long byteSize() {
        return 8L * numbers.length;
    }

    // ---------------------------------------------------------------- versions

    boolean has(int key) {
        return (key + 1) * WIDTH <= numbers.length && (numbers[key * WIDTH + FLAGS] & CLASS_MASK) != 0;
    }

    int rowClass(int key) {
        return (int) (numbers[key * WIDTH + FLAGS] & CLASS_MASK) - 1;
    }

    long at(int key) {
        return numbers[key * WIDTH];
    }

    long id(int key) {
        return numbers[key * WIDTH + ID];
    }

    long value(int key) {
        return numbers[key * WIDTH + VALUE];
    }

    /** Whether a key's version stands before a place. */
    boolean isBefore(int key, long at, int rowClass, long id) {
        if (at(key) != at) {
            return at(key) < at;
        }
        return rowClass(key) != rowClass ? rowClass(key) < rowClass : id(key) < id;
    }

    void set(int key, AtticRow version) {
        set(key, version.at, version.id, version.value, SortedRows.rowClass(version.meta));
    }

    void set(int key, LastVersions from) {
        set(key, from.at(key), from.id(key), from.value(key), from.rowClass(key));
    }

    private void set(int key, long at, long id, long value, int rowClass) {
        int first = key * WIDTH;
        numbers[first] = at;
        numbers[first + ID] = id;
        numbers[first + VALUE] = value;
        numbers[first + FLAGS] = numbers[first + FLAGS] & ~CLASS_MASK | rowClass + 1;
    }

    void clear(int key) {
        if (has(key)) {
            numbers[key * WIDTH + FLAGS] &= ~CLASS_MASK;
        }
    }

    // ---------------------------------------------------------------- what else is known

    /** No row that was put away stands behind this time. */
    long sealedTo(int key) {
        return numbers[key * WIDTH + SEALED_TO] ^ Long.MIN_VALUE;
    }

    void setSealedTo(int key, long time) {
        numbers[key * WIDTH + SEALED_TO] = time ^ Long.MIN_VALUE;
    }

    boolean isActive(int key) {
        return (numbers[key * WIDTH + FLAGS] & ACTIVE) != 0;
    }

    void setActive(int key, boolean isActive) {
        long flags = numbers[key * WIDTH + FLAGS];
        numbers[key * WIDTH + FLAGS] = isActive ? flags | ACTIVE : flags & ~ACTIVE;
    }
}
