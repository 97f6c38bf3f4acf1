package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;

/** Reads that contradict what they say of themselves, so that nothing can be concluded from the history. */
final class MalformedReads {

    private final TableHistory history;
    private final TableVersions versions;
    private final PredicateDoubts doubts = new PredicateDoubts();
    private final AbortedWrites aborted;
    private final int[] returnedBy; // by key, the predicate read that returned it last, plus one
    private final int[] passedOverBy;

    private MalformedReads(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.aborted = new AbortedWrites(history);
        this.returnedBy = new int[history.keyCount()];
        this.passedOverBy = new int[history.keyCount()];
    }

    /** The first one, how many there are and why it is one; null if there is none. */
    static String first(TableHistory history, TableVersions versions) {
        if (!history.isOfTables) {
            return null;
        }
        MalformedReads reads = new MalformedReads(history, versions);
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] == TxnStatus.COMMITTED) {
                reads.add(txn);
            }
        }
        return reads.doubts.first();
    }

    private void add(int txn) {
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            if (OpKind.isPredicate(history.kind[op])) {
                addRows(txn, op);
            } else if (TableVersions.isLook(history.kind[op])
                    && history.writer(op) != TableHistory.NO_NUMBER
                    && history.txnOfId(history.writer(op)) == TableHistory.NONE) {
                String reason = "writer that the history does not have: writer=" + history.writer(op);
                doubts.add(reason + " key=" + name(op), history.placeOf(txn));
            } else if (TableVersions.isLook(history.kind[op])
                    && history.version(op) != TableHistory.NO_NUMBER
                    && versions.slotOfRead(op) == TableVersions.NOWHERE
                    && aborted.writerOf(op) == TableHistory.NONE) {
                doubts.add("version read that nobody wrote: key=" + name(op), history.placeOf(txn));
            }
        }
    }

    private void addRows(int txn, int op) {
        int end = op + Math.max(0, history.rowCount(op));
        for (int row = op + 1; row <= end; row++) {
            if (!history.isOfRelation(history.key[row], op)) {
                doubts.add("row of another relation in a result: key=" + name(row), history.placeOf(txn));
            }
            int[] shownBy = OpKind.isRead(history.kind[row]) ? returnedBy : passedOverBy;
            if (shownBy[history.key[row]] == op + 1) {
                doubts.add("two rows of one key in a result: key=" + name(row), history.placeOf(txn));
            }
            shownBy[history.key[row]] = op + 1;
        }
    }

    private String name(int op) {
        return history.keyName(history.key[op]);
    }
}
