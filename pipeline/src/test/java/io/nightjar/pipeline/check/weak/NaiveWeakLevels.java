package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.BitSet;

/** The weak levels of histories of a few hundred transactions, by every edge that the axioms demand and plain closures. */
final class NaiveWeakLevels {

    private final ClientHistory history;
    private final BitSet[] directlyAfter;
    private final BitSet[] causallyAfter;

    NaiveWeakLevels(ClientHistory history) {
        this.history = history;
        directlyAfter = new BitSet[history.txnCount];
        for (int txn = 0; txn < history.txnCount; txn++) {
            directlyAfter[txn] = new BitSet();
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int earlier = 0; earlier < txn; earlier++) {
                directlyAfter[earlier].set(txn, history.sessionOf[earlier] == history.sessionOf[txn]);
            }
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.writerOf[read] != ClientHistory.INITIAL) {
                    directlyAfter[history.writerOf[read]].set(txn);
                }
            }
        }
        causallyAfter = closure(directlyAfter);
    }

    boolean holds(IsolationLevel level) {
        BitSet[] after = new BitSet[history.txnCount];
        for (int txn = 0; txn < history.txnCount; txn++) {
            after[txn] = (BitSet) directlyAfter[txn].clone();
        }
        for (int reader = 0; reader < history.txnCount; reader++) {
            for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
                for (int seen = 0; seen < history.txnCount; seen++) {
                    int writer = history.writerOf[read];
                    if (seen != writer
                            && history.writes(seen, history.keyOfRead[read])
                            && isRelated(level, seen, reader, read)) {
                        if (writer == ClientHistory.INITIAL) {
                            return false;
                        }
                        after[seen].set(writer);
                    }
                }
            }
        }
        BitSet[] all = closure(after);
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (all[txn].get(txn)) {
                return false;
            }
        }
        return true;
    }

    private boolean isRelated(IsolationLevel level, int seen, int reader, int read) {
        return switch (level) {
            case READ_COMMITTED -> {
                boolean isSeen = false;
                for (int before = history.firstReadOf[reader]; before < read; before++) {
                    isSeen |= history.writerOf[before] == seen;
                }
                yield isSeen;
            }
            case READ_ATOMIC -> directlyAfter[seen].get(reader);
            default -> causallyAfter[seen].get(reader);
        };
    }

    private static BitSet[] closure(BitSet[] after) {
        BitSet[] closed = new BitSet[after.length];
        for (int txn = 0; txn < after.length; txn++) {
            closed[txn] = (BitSet) after[txn].clone();
        }
        for (int via = 0; via < after.length; via++) {
            for (int txn = 0; txn < after.length; txn++) {
                if (closed[txn].get(via)) {
                    closed[txn].or(closed[via]);
                }
            }
        }
        return closed;
    }
}
