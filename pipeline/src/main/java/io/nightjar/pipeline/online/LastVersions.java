package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** A version or none for each key, and what else there is to know of it wherever its version is looked at. */
final class LastVersions {

    /*
     * The numbers of a key: at, id, value, and flags: class plus one (2 bits, 0 for no version) | place plus one
     *
     * Zero in all of them is a key of which nothing is known.
     */

    private static final int WIDTH = 4;
    private static final int AT = 0;
    private static final int ID = 1;
    private static final int VALUE = 2;
    private static final int FLAGS = 3;
    private static final byte NO_VERSION = -1;
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

    void set(int key, long at, long id, long value, int rowClass) {
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

    /** The key's place among those with open rows, {@link OpenKeys#NONE} without any. */
    int openPlace(int key) {
        return (int) (numbers.get(key, FLAGS) >>> PLACE_SHIFT) - 1;
    }

    void setOpenPlace(int key, int place) {
        long version = numbers.get(key, FLAGS) & CLASS_MASK;
        numbers.set(key, FLAGS, version | place + 1L << PLACE_SHIFT);
    }

    // ---------------------------------------------------------------- state

    void write(int key, OnlineKeys keys, ByteWriter to) {
        to.putByte(has(key) ? rowClass(key) : NO_VERSION);
        if (has(key)) {
            to.putSigned(at(key));
            to.putSigned(id(key));
            keys.writeValue(value(key), to);
        }
    }

    void read(int key, OnlineKeys keys, ByteReader from) {
        int rowClass = (byte) from.getByte();
        if (rowClass != NO_VERSION) {
            set(key, from.getSigned(), from.getSigned(), keys.readValue(from), rowClass);
        }
    }
}
