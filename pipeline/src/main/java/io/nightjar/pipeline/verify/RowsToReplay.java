package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.Kept;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.level.Anomaly;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a history are enough for findings to be replayed, so that others need not be shown to a {@link FindingReplay}.
 *
 * <p>Where {@link #asksParticipants}, show it the rows of all slices that {@link #ofParticipants} keeps, with {@link #learn}; then
 * {@link #newSieve} keeps all that is needed. Findings about tables ask for everything, and are not served here.
 */
public final class RowsToReplay implements Serializable {

    /*
     * A replay looks at three things, and at nothing else:
     *
     *   txns       transactions that a finding names, whole
     *   keys       of other transactions what they do to keys that a finding is about, but for reads of registers
     *   sessions   who else is in a session whose order is in question: the transaction is enough, without operations
     *
     * Findings name the first two, but two kinds do not name all of it: an order that is ruled out is about all keys that its
     * transactions write, and one of a session names no session. Rows of the transactions tell.
     */

    private static final long serialVersionUID = 1;

    private final LongSet txns;
    private final LongSet orderedTxns = new LongOpenHashSet(); // whose keys are in question
    private final LongSet sessionTxns = new LongOpenHashSet(); // whose session is
    private final LongSet sessions = new LongOpenHashSet();
    private final Set<String> keys = new HashSet<>();

    private RowsToReplay(List<Finding> findings) {
        txns = ValueFindingVerifier.named(findings);
        for (Finding finding : findings) {
            add(finding);
        }
    }

    /** @param findings none about tables */
    public static RowsToReplay of(List<Finding> findings) {
        return new RowsToReplay(findings);
    }

    private void add(Finding finding) {
        if (finding.key() != null) {
            keys.add(finding.key());
        }
        for (Edge edge : finding.edges()) {
            if (edge.key() != null) {
                keys.add(edge.key());
            }
        }
        LongSet asked = finding.anomaly() == Anomaly.SESSION
                ? sessionTxns
                : OrderReplay.takes(finding.anomaly()) ? orderedTxns : null;
        if (asked != null) {
            finding.participants().forEach(participant -> asked.add(participant.txnId()));
        }
    }

    /** Whether nothing is needed. */
    public boolean isEmpty() {
        return txns.isEmpty();
    }

    /** Whether rows of participants tell what else is needed. */
    public boolean asksParticipants() {
        return !orderedTxns.isEmpty() || !sessionTxns.isEmpty();
    }

    /** Returns what keeps rows of those participants, and nothing else. */
    public RowsToReplay ofParticipants() {
        RowsToReplay asked = new RowsToReplay(List.of());
        asked.txns.addAll(orderedTxns);
        asked.txns.addAll(sessionTxns);
        return asked;
    }

    /** Takes up what the rows of participants say. */
    public void learn(HistorySlice rows) {
        for (int txn = 0; txn < rows.txnCount; txn++) {
            if (sessionTxns.contains(rows.txnId[txn])) {
                sessions.add(rows.sessionId[txn]);
            }
            if (orderedTxns.contains(rows.txnId[txn])) {
                learnKeys(rows, txn);
            }
        }
    }

    private void learnKeys(HistorySlice rows, int txn) {
        for (int op = rows.firstOpOf[txn]; op < rows.firstOpOf[txn + 1]; op++) {
            String key = OpKind.isWrite(rows.kind[op]) ? rows.keyText(op) : null;
            if (key != null) {
                keys.add(key);
            }
        }
    }

    /** Keeps rows for one thread. */
    public Sieve newSieve() {
        return new Sieve();
    }

    /** Makes small slices of large ones. */
    public final class Sieve {

        private final SoughtKeys.Finder finder;
        private final boolean seeksKeys;

        private Sieve() {
            SoughtKeys sought = new SoughtKeys();
            keys.forEach(sought::add);
            finder = sought.newFinder();
            seeksKeys = sought.count() > 0;
        }

        /** What is needed of a slice, with its operations; null if nothing is. */
        public @Nullable HistorySlice keep(HistorySlice slice) {
            Kept ofOthers = new Kept() {
                @Override
                public boolean keepsOp(int op) {
                    return isSought(slice, op);
                }
            };
            SliceBuilder kept = null;
            for (int txn = 0; txn < slice.txnCount; txn++) {
                boolean isNamed = txns.contains(slice.txnId[txn]);
                if (isNamed || sessions.contains(slice.sessionId[txn]) || hasSought(slice, txn)) {
                    kept = kept == null ? like(slice) : kept;
                    kept.copyTxn(slice, txn, slice.rowOf(txn), isNamed ? Kept.ALL : ofOthers);
                }
            }
            return kept == null ? null : kept.build();
        }

        private SliceBuilder like(HistorySlice slice) {
            SliceBuilder kept = new SliceBuilder(slice.file);
            if (slice.rowsAreLines) {
                kept.rowsAreLines();
            }
            return kept;
        }

        private boolean hasSought(HistorySlice slice, int txn) {
            if (!seeksKeys || slice.firstOpOf == null) {
                return false;
            }
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                if (isSought(slice, op)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isSought(HistorySlice slice, int op) {
            byte kind = slice.kind[op];
            boolean isRegisterRead = kind == OpKind.READ || kind == OpKind.READ_NOTHING;
            return !isRegisterRead && !OpKind.isRelational(kind) && finder.find(slice, op) != SoughtKeys.NONE;
        }
    }
}
