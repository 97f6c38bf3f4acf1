package io.nightjar.datasets.inject;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.util.Arrays;

/** The accesses of one transaction to each of its keys. */
final class KeyAccesses {

    /*
     * local 0 .. count    a key of the transaction, in the order of first use
     *
     * Operations are ordinals inside the transaction, NO_OP if none exists. localOf[key] is valid if eraOf[key] is the
     * era of the loaded transaction.
     */

    private static final int NO_OP = KeyVersions.NO_OP;

    private final KeyVersions versions;
    private int[] eraOf = new int[1024];
    private int[] localOf = new int[1024];
    private int era;

    int count;
    int[] key = new int[16];
    int[] readCount = new int[16];
    int[] firstRead = new int[16];
    int[] writeCount = new int[16];
    int[] firstWrite = new int[16];
    long[] lastWritten = new long[16];

    /** The value written before the last one; NONE if it has only one write. */
    long[] overwritten = new long[16];

    /** The last read of any key before the first write of this key; NO_OP if none exists. */
    int[] readBeforeWrite = new int[16];

    /** The version that the transaction builds on: the version in its snapshot. UNKNOWN if it is no longer stored. */
    int[] version = new int[16];

    KeyAccesses(KeyVersions versions) {
        this.versions = versions;
    }

    void load(HistorySlice slice, int txn) {
        era++;
        count = 0;
        int firstOp = slice.firstOpOf[txn];
        int nearestRead = NO_OP;
        for (int at = firstOp; at < slice.firstOpOf[txn + 1]; at++) {
            int op = at - firstOp;
            int local = local(versions.ordinal(slice.key[at]));
            if (OpKind.isRead(slice.kind[at])) {
                if (readCount[local]++ == 0) {
                    firstRead[local] = op;
                }
                nearestRead = op;
            } else {
                if (writeCount[local]++ == 0) {
                    firstWrite[local] = op;
                    readBeforeWrite[local] = nearestRead;
                }
                overwritten[local] = lastWritten[local];
                lastWritten[local] = slice.value[at];
            }
        }
        for (int local = 0; local < count; local++) {
            version[local] = versions.versionAt(key[local], slice.startTs[txn]);
        }
    }

    boolean isWritten(int local) {
        return writeCount[local] > 0;
    }

    /** Returns whether the transaction's first operation on the key is a read. */
    boolean isReadFirst(int local) {
        return readCount[local] > 0 && (writeCount[local] == 0 || firstRead[local] < firstWrite[local]);
    }

    /** Returns whether a single read, without earlier accesses, shows the version in the snapshot. */
    boolean isReadOnce(int local) {
        return readCount[local] == 1 && isReadFirst(local);
    }

    private int local(int ofKey) {
        if (ofKey >= eraOf.length) {
            int capacity = Math.max(ofKey + 1, 2 * eraOf.length);
            eraOf = Arrays.copyOf(eraOf, capacity);
            localOf = Arrays.copyOf(localOf, capacity);
        }
        if (eraOf[ofKey] == era) {
            return localOf[ofKey];
        }
        if (count == key.length) {
            grow();
        }
        int local = count++;
        eraOf[ofKey] = era;
        localOf[ofKey] = local;
        key[local] = ofKey;
        readCount[local] = 0;
        firstRead[local] = NO_OP;
        writeCount[local] = 0;
        firstWrite[local] = NO_OP;
        lastWritten[local] = HistorySlice.NONE;
        overwritten[local] = HistorySlice.NONE;
        readBeforeWrite[local] = NO_OP;
        return local;
    }

    private void grow() {
        int capacity = 2 * count;
        key = Arrays.copyOf(key, capacity);
        readCount = Arrays.copyOf(readCount, capacity);
        firstRead = Arrays.copyOf(firstRead, capacity);
        writeCount = Arrays.copyOf(writeCount, capacity);
        firstWrite = Arrays.copyOf(firstWrite, capacity);
        lastWritten = Arrays.copyOf(lastWritten, capacity);
        overwritten = Arrays.copyOf(overwritten, capacity);
        readBeforeWrite = Arrays.copyOf(readBeforeWrite, capacity);
        version = Arrays.copyOf(version, capacity);
    }
}
