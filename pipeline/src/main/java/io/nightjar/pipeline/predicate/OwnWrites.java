package io.nightjar.pipeline.predicate;

import java.util.Arrays;

/** The writes of one transaction so far, during a scan of its operations. */
final class OwnWrites {

    private final TableHistory history;
    private final TableVersions versions;
    private final int[] stampOf; // by key
    private final int[] slotOf; // by key, where the stamp is of now
    private int stamp;
    private int[] keys = new int[16];
    private int count;

    OwnWrites(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.stampOf = new int[history.keyCount()];
        this.slotOf = new int[history.keyCount()];
    }

    /** Turns to a transaction that has written nothing yet. */
    void begin() {
        stamp++;
        count = 0;
    }

    /** Adds an operation, if it writes. */
    void take(int op) {
        if (!TableVersions.isWrite(history.kind[op])) {
            return;
        }
        int key = history.key[op];
        if (stampOf[key] != stamp) {
            stampOf[key] = stamp;
            keys = count < keys.length ? keys : Arrays.copyOf(keys, 2 * count);
            keys[count++] = key;
        }
        slotOf[key] = versions.slotOfWrite(op);
    }

    /** Returns the last version made of a key; {@link TableVersions#NOWHERE} if none was. */
    int of(int key) {
        return stampOf[key] == stamp ? slotOf[key] : TableVersions.NOWHERE;
    }

    int count() {
        return count;
    }

    /** Returns a key written, by the order in which they were. */
    int key(int at) {
        return keys[at];
    }
}
