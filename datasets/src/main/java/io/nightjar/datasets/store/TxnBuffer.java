package io.nightjar.datasets.store;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;

/** The state of an open transaction: its writes by key, and the version that it read of each key. */
final class TxnBuffer {

    private static final int FEW = 8;
    private static final int NOT_THERE = -1;

    int writeCount;
    int[] writtenKey = new int[8];
    long[] written = new long[8];

    int readCount;
    int[] readKey = new int[8];

    /** A transaction's ordinal, or a position among the versions of its key, as the store likes. */
    int[] readVersion = new int[8];

    /** Positions of writes and of last reads by key, once the transaction has more than a few. */
    private final Int2IntOpenHashMap positionOfWrite = new Int2IntOpenHashMap();

    private final Int2IntOpenHashMap positionOfRead = new Int2IntOpenHashMap();

    TxnBuffer() {
        positionOfWrite.defaultReturnValue(NOT_THERE);
        positionOfRead.defaultReturnValue(NOT_THERE);
    }

    void clear() {
        if (writeCount > FEW) {
            positionOfWrite.clear();
        }
        if (readCount > FEW) {
            positionOfRead.clear();
        }
        writeCount = 0;
        readCount = 0;
    }

    /** Returns the position of a key among the writes, -1 if it was not written. */
    int writeOf(int key) {
        return positionOf(key, writtenKey, writeCount, positionOfWrite);
    }

    /** Returns the version that the last read of a key returned, or the given number if the key was not read. */
    int versionRead(int key, int otherwise) {
        int read = positionOf(key, readKey, readCount, positionOfRead);
        return read < 0 ? otherwise : readVersion[read];
    }

    private static int positionOf(int key, int[] keys, int count, Int2IntOpenHashMap positions) {
        if (count > FEW) {
            return positions.get(key);
        }
        for (int position = count - 1; position >= 0; position--) {
            if (keys[position] == key) {
                return position;
            }
        }
        return NOT_THERE;
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
        record(writtenKey, writeCount, positionOfWrite);
    }

    /** Undoes a write. */
    void unwrite(int key) {
        int position = writeOf(key);
        if (position < 0) {
            return;
        }
        if (writeCount > FEW) {
            positionOfWrite.clear();
        }
        writeCount--;
        writtenKey[position] = writtenKey[writeCount];
        written[position] = written[writeCount];
        for (int count = 1; writeCount > FEW && count <= writeCount; count++) {
            positionOfWrite.put(writtenKey[count - 1], count - 1);
        }
    }

    /** Notes a read; the same one twice is noted once. */
    void read(int key, int version) {
        if (versionRead(key, Integer.MIN_VALUE) == version) {
            return;
        }
        if (readCount == readKey.length) {
            readKey = Arrays.copyOf(readKey, 2 * readCount);
            readVersion = Arrays.copyOf(readVersion, 2 * readCount);
        }
        readKey[readCount] = key;
        readVersion[readCount++] = version;
        record(readKey, readCount, positionOfRead);
    }

    private static void record(int[] keys, int count, Int2IntOpenHashMap positions) {
        if (count == FEW + 1) {
            for (int position = 0; position < FEW; position++) {
                positions.put(keys[position], position);
            }
        }
        if (count > FEW) {
            positions.put(keys[count - 1], count - 1);
        }
    }
}
