package io.nightjar.datasets.inject;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The accesses of one transaction to each of its keys. */
final class KeyAccesses {

    /*
     * Operations are ordinals inside the transaction, NO_OP if none exists. positionOf[key], of its accesses, is valid
     * if eraOf[key] is the era of the loaded transaction.
     */

    private static final int NO_OP = KeyVersions.NO_OP;

    private final KeyVersions versions;
    private int[] eraOf = new int[1024];
    private int[] positionOf = new int[1024];
    private int era;

    /** The accesses to one key. */
    static final class Access {

        final int key;
        int readCount;
        int firstRead = NO_OP;
        int writeCount;
        int firstWrite = NO_OP;
        long lastWritten = HistorySlice.NONE;

        /** The value written before the last one; NONE if it has only one write. */
        long overwritten = HistorySlice.NONE;

        /** The last read of any key before the first write of this key; NO_OP if none exists. */
        int readBeforeWrite = NO_OP;

        /**
         * The version that the transaction builds on: the version in its snapshot. UNKNOWN if it is no longer stored.
         */
        int version;

        private Access(int key) {
            this.key = key;
        }

        boolean isWritten() {
            return writeCount > 0;
        }

        /** Returns whether the transaction's first operation on the key is a read. */
        boolean isReadFirst() {
            return readCount > 0 && (writeCount == 0 || firstRead < firstWrite);
        }

        /** Returns whether a single read, without earlier accesses, shows the version in the snapshot. */
        boolean isReadOnce() {
            return readCount == 1 && isReadFirst();
        }
    }

    private final List<Access> accesses = new ArrayList<>();

    KeyAccesses(KeyVersions versions) {
        this.versions = versions;
    }

    void load(HistorySlice slice, int txn) {
        era++;
        accesses.clear();
        int firstOp = slice.firstOpOf[txn];
        int nearestRead = NO_OP;
        for (int at = firstOp; at < slice.firstOpOf[txn + 1]; at++) {
            int op = at - firstOp;
            Access access = access(versions.ordinal(slice.key[at]));
            if (OpKind.isRead(slice.kind[at])) {
                if (access.readCount++ == 0) {
                    access.firstRead = op;
                }
                nearestRead = op;
            } else {
                if (access.writeCount++ == 0) {
                    access.firstWrite = op;
                    access.readBeforeWrite = nearestRead;
                }
                access.overwritten = access.lastWritten;
                access.lastWritten = slice.value[at];
            }
        }
        for (Access access : accesses) {
            access.version = versions.versionAt(access.key, slice.startTs[txn]);
        }
    }

    /** Returns the accesses by key, in the order of first use. */
    List<Access> accesses() {
        return accesses;
    }

    private Access access(int ofKey) {
        if (ofKey >= eraOf.length) {
            int capacity = Math.max(ofKey + 1, 2 * eraOf.length);
            eraOf = Arrays.copyOf(eraOf, capacity);
            positionOf = Arrays.copyOf(positionOf, capacity);
        }
        if (eraOf[ofKey] != era) {
            eraOf[ofKey] = era;
            positionOf[ofKey] = accesses.size();
            accesses.add(new Access(ofKey));
        }
        return accesses.get(positionOf[ofKey]);
    }
}
