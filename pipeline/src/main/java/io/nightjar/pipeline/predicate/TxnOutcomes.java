package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/** The transactions that count, and the rows that transactions of unknown outcome may have changed. */
final class TxnOutcomes {

    final boolean[] counts; // by transaction: committed, or unknown and named by a read of a transaction that counts
    final boolean[] isOpen; // by key: an unknown transaction that does not count wrote it
    private final TableHistory history;
    private final LongOpenHashSet openRows = new LongOpenHashSet(); // by key and row, the writes of such transactions
    private boolean isAnyOpen;

    TxnOutcomes(TableHistory history) {
        this.history = history;
        this.counts = new boolean[history.txnCount];
        this.isOpen = new boolean[history.keyCount()];
        for (int txn = 0; txn < history.txnCount; txn++) {
            counts[txn] = history.status[txn] == TxnStatus.COMMITTED;
        }
        promote();
        recordOpen();
    }

    private void promote() {
        boolean goesOn = history.saysWriters();
        while (goesOn) {
            goesOn = false;
            for (int txn = 0; txn < history.txnCount; txn++) {
                for (int op = history.firstOpOf[txn]; counts[txn] && op < history.firstOpOf[txn + 1]; op++) {
                    goesOn |= promote(op);
                }
            }
        }
    }

    /** Returns whether the writer that a read names counts from now on. */
    private boolean promote(int op) {
        if (history.writer(op) == TableHistory.NO_NUMBER) {
            return false;
        }
        int writer = history.txnOfId(history.writer(op));
        if (writer < 0 || counts[writer] || history.status[writer] != TxnStatus.UNKNOWN) {
            return false;
        }
        counts[writer] = true;
        return true;
    }

    private void recordOpen() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            boolean isOpenTxn = history.status[txn] == TxnStatus.UNKNOWN && !counts[txn];
            for (int op = history.firstOpOf[txn]; isOpenTxn && op < history.firstOpOf[txn + 1]; op++) {
                if (TableVersions.isWrite(history.kind[op])) {
                    isOpen[history.key[op]] = true;
                    openRows.add(pair(op));
                    isAnyOpen = true;
                }
            }
        }
    }

    /** Returns whether such a transaction wrote the very row that an operation read. */
    boolean isOpenRow(int op) {
        return isOpen[history.key[op]] && openRows.contains(pair(op));
    }

    private long pair(int op) {
        return (long) history.key[op] << 32 | history.value[op] & 0xFFFFFFFFL;
    }

    boolean isAnyOpen() {
        return isAnyOpen;
    }

    /** Returns the reason why a row that such a transaction may have changed is undecided. */
    String openText(int key) {
        return "an unknown transaction may explain a read of key " + history.keyName(key);
    }
}
