package io.nightjar.datasets.store;

import java.util.Arrays;

/** What an open transaction has done so far: its writes by key, and which version of which key it read. */
final class TxnBuffer {

    int writeCount;
    int[] writtenKey = new int[8];
    long[] written = new long[8];

    int readCount;
    int[] readKey = new int[8];

    /** A transaction's ordinal, or a position among the versions of its key, as the store likes. */
    int[] readVersion = new int[8];

    void clear() {
        writeCount = 0;
        readCount = 0;
    }

    /** The place of a key among the writes, -1 if there is none. */
    int writeOf(int key) {
        for (int write = 0; write < writeCount; write++) {
            if (writtenKey[write] == key) {
                return write;
            }
        }
        return -1;
    }

    void write(int key, long value) {
        int known = writeOf(key);
        if (known >= 0) {
            written[known] = value;
            return;
        }
        if (writeCount == writtenKey.length) {
            writtenKey = Arrays.copyOf(writtenKey, 2 * writeCount);
            written = Arrays.copyOf(written, 2 * writeCount);
        }
        writtenKey[writeCount] = key;
        written[writeCount++] = value;
    }

    void read(int key, int version) {
        if (readCount == readKey.length) {
            readKey = Arrays.copyOf(readKey, 2 * readCount);
            readVersion = Arrays.copyOf(readVersion, 2 * readCount);
        }
        readKey[readCount] = key;
        readVersion[readCount++] = version;
    }
}
