package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** Map of the last sealed version of each key, if any, and the key's position in {@link OpenKeys}. */
final class LastVersions {

    /*
     * Layout. Each key has four longs: at, id, value, and flags: class plus one (2 bits, 0 for no version) | position
     * plus one. All are zero for a key without entries.
     */

    private static final int WIDTH = 4;
    private static final int AT = 0;
    private static final int ID = 1;
    private static final int VALUE = 2;
    private static final int FLAGS = 3;
    private static final byte NO_VERSION = -1;
    private static final long CLASS_MASK = 3;
    private static final int POSITION_SHIFT = 2;

    private final PagedKeyColumns numbers;

    LastVersions(KeyPageCache keyCache) {
        this.numbers = new PagedKeyColumns(keyCache, WIDTH);
    }

    void release() {
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

    /** Returns whether a key's version precedes a position. */
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

    /** Reads the entries of several keys together, so that their cache misses overlap. */
    long touch(int[] keys, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen += numbers.get(keys[i], AT) + numbers.get(keys[i], FLAGS);
        }
        return seen;
    }

    // ---------------------------------------------------------------- open keys

    /** Returns the key's position among those with open rows, {@link OpenKeys#NONE} without any. */
    int openPosition(int key) {
        return (int) (numbers.get(key, FLAGS) >>> POSITION_SHIFT) - 1;
    }

    void setOpenPosition(int key, int position) {
        long version = numbers.get(key, FLAGS) & CLASS_MASK;
        numbers.set(key, FLAGS, version | position + 1L << POSITION_SHIFT);
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
