package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;

/** The unknown transactions that count as committed, because something that counts read from them. */
final class Promotion {

    private static final int NONE = -1;

    private final OperationLog log;
    private final WriterTable writers;
    private final TrunkWriters trunks;
    private final JudgedKeys uses;
    private final boolean[] isPromoted;
    private long[] isReadAmbiguously; // by the first operation that wrote a value; null if none was
    private boolean mayOthersCount;
    private int count;

    private Promotion(OperationLog log, WriterTable writers, TrunkWriters trunks, JudgedKeys uses) {
        this.log = log;
        this.writers = writers;
        this.trunks = trunks;
        this.uses = uses;
        isPromoted = new boolean[log.txnCount];
    }

    static Promotion of(OperationLog log, WriterTable writers, TrunkWriters trunks, JudgedKeys uses) {
        Promotion promotion = new Promotion(log, writers, trunks, uses);
        promotion.run();
        return promotion;
    }

    boolean isPromoted(int row) {
        return isPromoted[row];
    }

    int count() {
        return count;
    }

    /** Whether one that counts has read what an unknown transaction wrote, and another one too. */
    boolean mayOthersCount() {
        return mayOthersCount;
    }

    /** Whether it counts, or may: where an unknown transaction and another one wrote what was read, any unknown one may. */
    boolean mayCount(int row) {
        return isPromoted[row] || mayOthersCount && log.status[row] == TxnStatus.UNKNOWN;
    }

    /** Closes "committed" over what committed transactions read from unknown ones. */
    private void run() {
        boolean anyUnknown = false;
        for (int txn = 0; txn < log.txnCount; txn++) {
            anyUnknown |= log.status[txn] == TxnStatus.UNKNOWN;
        }
        if (!anyUnknown) {
            return;
        }
        IntColumn pending = new IntColumn();
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                promoteWritersReadBy(txn, pending);
            }
        }
        for (int i = 0; i < pending.size(); i++) {
            promoteWritersReadBy(pending.get(i), pending);
        }
        count = pending.size();
        for (int i = 0; isReadAmbiguously != null && i < writers.duplicateCount(); i++) {
            int first = writers.duplicatedOp(i);
            boolean isRead = (isReadAmbiguously[first >>> 6] & 1L << first) != 0;
            mayOthersCount |= isRead && log.status[writers.duplicateTxn(i)] == TxnStatus.UNKNOWN;
        }
    }

    private void promoteWritersReadBy(int txn, IntColumn pending) {
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            if (log.kind[op] == OpKind.READ && uses.isRegister(log.key[op])) {
                int slot = writers.find(log.key[op], log.value[op]);
                promoteWriter(slot, pending);
            } else if (log.kind[op] == OpKind.READ_LIST && uses.isList(log.key[op])) {
                int length = log.lists.length(log.value[op]);
                for (int position = 0; position < length; position++) {
                    promoteWriter(trunks.slotOf(op, position), pending);
                }
            }
        }
    }

    private void promoteWriter(int slot, IntColumn pending) {
        if (slot == NONE) {
            return;
        }
        int writer = writers.txnOf(slot);
        if (writers.isAmbiguous(slot)) {
            isReadAmbiguously = isReadAmbiguously == null ? new long[(log.opCount >>> 6) + 1] : isReadAmbiguously;
            isReadAmbiguously[writers.opOf(slot) >>> 6] |= 1L << writers.opOf(slot);
            mayOthersCount |= log.status[writer] == TxnStatus.UNKNOWN;
        } else if (log.status[writer] == TxnStatus.UNKNOWN && !isPromoted[writer]) {
            isPromoted[writer] = true;
            pending.add(writer);
        }
    }
}
