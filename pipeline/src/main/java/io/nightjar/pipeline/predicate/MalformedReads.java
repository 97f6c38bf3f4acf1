package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import org.jspecify.annotations.Nullable;

/** Reads that contradict their own data, so that nothing can be concluded from the history. */
final class MalformedReads {

    private final TableHistory history;
    private final TableVersions versions;
    private final UndecidedReasons doubts = new UndecidedReasons();
    private final AbortedWrites aborted;
    private final PredicateMatches matches;
    private final int[] returnedBy; // by key, the predicate read that returned it last, plus one
    private final int[] passedOverBy;

    private MalformedReads(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.aborted = new AbortedWrites(history);
        this.matches = new PredicateMatches(history, versions, new UndecidedReasons());
        this.returnedBy = new int[history.keyCount()];
        this.passedOverBy = new int[history.keyCount()];
    }

    /** Returns the first malformed read, their number and the reason; null if none is malformed. */
    static @Nullable String first(TableHistory history, TableVersions versions) {
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
            } else if (TableVersions.isRead(history.kind[op])) {
                String reason = contradiction(op);
                if (reason != null) {
                    doubts.add(reason, history.locationOf(txn));
                }
            }
        }
    }

    /** Returns how a row read contradicts the version and the writer that it names; null if it does not. */
    private @Nullable String contradiction(int op) {
        long writer = history.writer(op);
        long version = history.version(op);
        int writerTxn = writer == TableHistory.NO_NUMBER ? TableHistory.NONE : history.txnOfId(writer);
        if (writer != TableHistory.NO_NUMBER && writerTxn == TableHistory.NONE) {
            return "writer that the history does not have: writer=" + writer + " key=" + name(op);
        }
        int slot = versions.slotOfRead(op);
        if (version != TableHistory.NO_NUMBER && slot == TableVersions.NOWHERE) {
            if (aborted.writerOf(op) != TableHistory.NONE) {
                return null;
            }
            String what = versions.hasNumber(op) ? "version whose row is another one" : "version read without a writer";
            return what + ": key=" + name(op) + " version=" + version;
        }
        boolean isPassedOver = version != TableHistory.NO_NUMBER && !OpKind.isRead(history.kind[op]);
        if (isPassedOver && slot >= 0 && isLater(versions.opOf[slot], op)) {
            return "skipped version that its transaction wrote later: key=" + name(op) + " version=" + version;
        }
        if (writerTxn == TableHistory.NONE || slot >= 0 && versions.txnOf[slot] == writerTxn) {
            return null;
        }
        if (slot >= 0) {
            return "version that another one wrote than its writer: key=" + name(op) + " version=" + version
                    + " writer=" + writer;
        }
        return wrote(writerTxn, op)
                ? null
                : "named writer that did not write the version read: key=" + name(op) + " writer=" + writer;
    }

    private boolean isLater(int write, int op) {
        return write > op && history.txnOfOp(write) == history.txnOfOp(op);
    }

    private boolean wrote(int txn, int op) {
        boolean saysValue = history.kind[op] != OpKind.UNMATCHED;
        for (int write = history.firstOpOf[txn]; write < history.firstOpOf[txn + 1]; write++) {
            boolean isSame = !saysValue || history.value[write] == history.value[op];
            if (TableVersions.isWrite(history.kind[write]) && history.key[write] == history.key[op] && isSame) {
                return true;
            }
        }
        return false;
    }

    private void addRows(int txn, int op) {
        int end = op + Math.max(0, history.rowCount(op));
        for (int row = op + 1; row <= end; row++) {
            if (!history.isOfRelation(history.key[row], op)) {
                doubts.add("row of another relation in a result: key=" + name(row), history.locationOf(txn));
            }
            if (OpKind.isRead(history.kind[row]) && isOfNothing(history, row)) {
                doubts.add("row in its initial state in a result: key=" + name(row), history.locationOf(txn));
            }
            int[] shownBy = OpKind.isRead(history.kind[row]) ? returnedBy : passedOverBy;
            if (shownBy[history.key[row]] == op + 1) {
                doubts.add("two rows of one key in a result: key=" + name(row), history.locationOf(txn));
            }
            shownBy[history.key[row]] = op + 1;
            if (!OpKind.isRead(history.kind[row]) && isMatch(txn, op, row)) {
                doubts.add("skipped row whose version matches: key=" + name(row), history.locationOf(txn));
            }
        }
    }

    /** Returns whether a row reported as not matching does match, in the version that it names. */
    private boolean isMatch(int txn, int op, int row) {
        int slot = versions.slotOfRead(row);
        try {
            return slot >= 0 && matches.begin(txn, op) && matches.matches(slot);
        } catch (ConditionException notUnderstood) {
            return false; // which is reported where it is evaluated
        }
    }

    /** Returns whether a read reports the absence of a row. */
    static boolean isOfNothing(TableHistory history, int row) {
        return history.value[row] == TableHistory.NONE
                && history.version(row) == TableHistory.NO_NUMBER
                && history.writer(row) == TableHistory.NO_NUMBER;
    }

    private String name(int op) {
        return history.keyName(history.key[op]);
    }
}
