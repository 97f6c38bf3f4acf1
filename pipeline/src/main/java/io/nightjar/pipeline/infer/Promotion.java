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
    }

    private void promoteWritersReadBy(int txn, IntColumn pending) {
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            if (log.kind[op] == OpKind.READ && uses.isRegister(log.key[op])) {
                int slot = writers.find(log.key[op], log.value[op]);
                if (slot != NONE && !writers.isAmbiguous(slot)) {
                    promote(writers.txnOf(slot), pending);
                }
            } else if (log.kind[op] == OpKind.READ_LIST && uses.isList(log.key[op])) {
                int length = log.lists.length(log.value[op]);
                for (int position = 0; position < length; position++) {
                    int slot = trunks.slotOf(op, position);
                    if (slot != NONE && !writers.isAmbiguous(slot)) {
                        promote(writers.txnOf(slot), pending);
                    }
                }
            }
        }
    }

    private void promote(int writer, IntColumn pending) {
        if (log.status[writer] == TxnStatus.UNKNOWN && !isPromoted[writer]) {
            isPromoted[writer] = true;
            pending.add(writer);
        }
    }
}
