package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import org.jspecify.annotations.Nullable;

/** The writes of aborted transactions, by version or row. */
final class AbortedWrites {

    private final TableHistory history;
    private @Nullable Long2IntOpenHashMap abortedOf; // by version or row of a key, null until requested

    AbortedWrites(TableHistory history) {
        this.history = history;
    }

    /** Returns an aborted transaction that wrote the row that an operation read; NONE if none did. */
    int writerOf(int op) {
        if (history.version(op) == TableHistory.NO_NUMBER && history.writer(op) != TableHistory.NO_NUMBER) {
            int txn = history.txnOfId(history.writer(op));
            return txn >= 0 && history.status[txn] == TxnStatus.ABORTED && wrote(txn, op) ? txn : TableHistory.NONE;
        }
        Long2IntOpenHashMap aborted = abortedOf == null ? findAborted() : abortedOf;
        int txn = aborted.get(pair(op, history.version(op) != TableHistory.NO_NUMBER));
        return txn >= 0 && wrote(txn, op) ? txn : TableHistory.NONE;
    }

    private Long2IntOpenHashMap findAborted() {
        Long2IntOpenHashMap found = new Long2IntOpenHashMap();
        found.defaultReturnValue(TableHistory.NONE);
        for (int txn = history.txnCount - 1; txn >= 0; txn--) {
            for (int write = history.firstOpOf[txn]; write < history.firstOpOf[txn + 1]; write++) {
                if (history.status[txn] == TxnStatus.ABORTED && TableVersions.isWrite(history.kind[write])) {
                    found.put(pair(write, true), txn);
                    found.put(pair(write, false), txn);
                }
            }
        }
        abortedOf = found;
        return found;
    }

    private long pair(int op, boolean byVersion) {
        long number = byVersion ? history.version(op) : ~(long) history.value[op];
        return history.key[op] * 0x9E3779B97F4A7C15L ^ number;
    }

    /**
     * Returns whether a transaction wrote the row that was read: by the number of the version if the read has one, else
     * by its row.
     */
    private boolean wrote(int txn, int op) {
        boolean byVersion = history.version(op) != TableHistory.NO_NUMBER;
        boolean saysNoRow =
                history.kind[op] == OpKind.UNMATCHED && !byVersion && history.writer(op) != TableHistory.NO_NUMBER;
        for (int write = history.firstOpOf[txn]; write < history.firstOpOf[txn + 1]; write++) {
            boolean isSame = saysNoRow
                    || (byVersion
                            ? history.version(write) == history.version(op)
                            : history.value[write] == history.value[op]);
            if (TableVersions.isWrite(history.kind[write]) && history.key[write] == history.key[op] && isSame) {
                return true;
            }
        }
        return false;
    }
}
