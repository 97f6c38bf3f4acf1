package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;

/** What several rules ask of one transaction of a slice. */
final class Transactions {

    private Transactions() {}

    /** Whether it changes nothing; so is one whose operations were not read. */
    static boolean isReadOnly(HistorySlice slice, int txn) {
        if (slice.firstOpOf == null) {
            return true;
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(slice.kind[op])) {
                return false;
            }
        }
        return true;
    }

    /** Its commit timestamp, which is the start of a read-only one without; NONE if it has none. */
    static long commitTs(HistorySlice slice, int txn) {
        long commit = slice.commitTs[txn];
        boolean isMissing = commit == HistorySlice.NONE || commit == 0;
        return isMissing && isReadOnly(slice, txn) ? slice.startTs[txn] : commit;
    }
}
