package io.nightjar.pipeline.online;

/** A version or none for each key, and what else there is to know of it wherever its version is looked at. */
final class LastVersions {

    /*
     * The numbers of a key: at, id, value, sealed to, and flags: class plus one (2 bits, 0 for no version) | place plus one
     *
     * Zero in all of them is a key of which nothing is known, so that "sealed to" is held with its sign turned.
     */

    private static final int WIDTH = 5;
    private static final int AT = 0;
    private static final int ID = 1;
    private static final int VALUE = 2;
    private static final int SEALED_TO = 3;
    private static final int FLAGS = 4;
    private static final long CLASS_MASK = 3;
    private static final int PLACE_SHIFT = 2;

    private final PagedKeyColumns numbers;

    LastVersions(KeyPageCache keyCache) {
        this.numbers = new PagedKeyColumns(keyCache, WIDTH);
    }

    void letGo() {
        numbers.release();
    }

    long byteSize() {
        return numbers.byteSize();
    }

    // ---------------------------------------------------------------- versions

    boolean has(int key) {
        return (numbers.get(key, FLAGS) & CLASS_MASK) != 0;
    }

    int rowClass(int key) {
        return (int) (numbers.get(key, FLAGS) & CLASS_MASK) - 1;
    }

    long at(int key) {
        return numbers.get(key, AT);
    }

    long id(int key) {
        return numbers.get(key, ID);
    }

    long value(int key) {
        return numbers.get(key, VALUE);
    }

    /** Whether a key's version stands before a place. */
    boolean isBefore(int key, long at, int rowClass, long id) {
        if (at(key) != at) {
            return at(key) < at;
        }
        return rowClass(key) != rowClass ? rowClass(key) < rowClass : id(key) < id;
    }

    void set(int key, SealedRow version) {
        set(key, version.at, version.id, version.value, RowMeta.rowClass(version.meta));
    }

    void set(int key, LastVersions from) {
        set(key, from.at(key), from.id(key), from.value(key), from.rowClass(key));
    }

    private void set(int key, long at, long id, long value, int rowClass) {
        numbers.set(key, AT, at);
        numbers.set(key, ID, id);
        numbers.set(key, VALUE, value);
        numbers.set(key, FLAGS, numbers.get(key, FLAGS) & ~CLASS_MASK | rowClass + 1);
    }

    void clear(int key) {
        if (has(key)) {
            numbers.set(key, FLAGS, numbers.get(key, FLAGS) & ~CLASS_MASK);
        }
    }

    /** Looks at keys, all at a time, so that their misses of the cache overlap. */
    long touch(int[] keys, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen += numbers.get(keys[i], AT) + numbers.get(keys[i], FLAGS);
        }
        return seen;
    }

    // ---------------------------------------------------------------- what else is known

    /** Returns a time behind which no row stands that was put away. */
    long sealedTo(int key) {
        return numbers.get(key, SEALED_TO) ^ Long.MIN_VALUE;
    }

    void setSealedTo(int key, long time) {
        numbers.set(key, SEALED_TO, time ^ Long.MIN_VALUE);
    }

    /** The key's place among those with open rows, {@link OpenKeys#NONE} without any. */
    int openPlace(int key) {
        return (int) (numbers.get(key, FLAGS) >>> PLACE_SHIFT) - 1;
    }

    void setOpenPlace(int key, int place) {
        long version = numbers.get(key, FLAGS) & CLASS_MASK;
        numbers.set(key, FLAGS, version | place + 1L << PLACE_SHIFT);
    }
}
