package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Gathers what is wrong with reads: the first few faults, and the counts of all. */
final class ReadFaults {

    private static final int NONE = ReadFault.NONE;

    private final OperationLog log;
    private final WriterTable writers;
    private final int limit;
    private final int[] faultedBy; // by key: the transaction, plus one, of which a read was found at fault last
    final List<ReadFault> list = new ArrayList<>();
    final Map<Anomaly, Long> counts = new EnumMap<>(Anomaly.class);

    /** @param limit how many faults are kept; their counts go on */
    ReadFaults(OperationLog log, WriterTable writers, int limit) {
        this.log = log;
        this.writers = writers;
        this.limit = limit;
        faultedBy = new int[log.keyCount];
    }

    /**
     * A read that is at fault; counted once for each transaction and key.
     *
     * @param slot who wrote what was read, or {@link #NONE}
     */
    void add(Anomaly anomaly, int row, int op, int slot, int element) {
        if (faultedBy[log.key[op]] == row + 1) {
            return;
        }
        faultedBy[log.key[op]] = row + 1;
        int writer = slot == NONE ? NONE : writers.txnOf(slot);
        add(anomaly, row, op, writer, slot == NONE ? NONE : writers.opOf(slot), element);
    }

    /** Values that were written before. */
    void addDuplicates() {
        for (int duplicate = 0; duplicate < writers.duplicateCount(); duplicate++) {
            int op = writers.duplicateOp(duplicate);
            if (log.kind[op] == OpKind.ADD) {
                continue;
            }
            int first = writers.duplicatedOp(duplicate);
            int firstTxn = writers.txnOf(writers.find(log.key[op], log.value[op]));
            add(Anomaly.DUPLICATE_WRITE, writers.duplicateTxn(duplicate), op, firstTxn, first, NONE);
        }
    }

    private void add(Anomaly anomaly, int txn, int op, int otherTxn, int otherOp, int element) {
        counts.merge(anomaly, 1L, Long::sum);
        if (list.size() < limit) {
            list.add(new ReadFault(anomaly, txn, op, otherTxn, otherOp, element));
        }
    }
}
