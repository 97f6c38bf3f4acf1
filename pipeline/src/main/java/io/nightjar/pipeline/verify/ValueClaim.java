package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.function.Supplier;

/** A finding from values during verification: the rows of its transactions, and its key. */
final class ValueClaim extends Claim {

    /** The row of each participant. */
    final int[] txnOf;

    /** The key as the rows spell it; valid unless refuted and if the finding has a key. */
    long key;

    private final Long2ObjectOpenHashMap<VersionGraph> graphOf = new Long2ObjectOpenHashMap<>(0); // by key

    ValueClaim(Finding finding) {
        super(finding);
        this.txnOf = new int[finding.participants().size()];
    }

    /** Returns the graph of the versions of a key, which is created once for all edges. */
    VersionGraph graph(long ofKey, Supplier<VersionGraph> creator) {
        VersionGraph graph = graphOf.get(ofKey);
        if (graph == null) {
            graph = creator.get();
            graph.take(this);
            graphOf.put(ofKey, graph);
        }
        return graph;
    }

    /** Discards the graphs after the last edge. */
    void forgetGraphs() {
        graphOf.clear();
        graphOf.trim();
    }

    /**
     * Returns whether the claim concerns a level at which own appends follow the list read from outside and show no
     * order.
     */
    boolean isAboutSnapshots() {
        return finding.level() != null && IsolationLevel.all().contains(finding.level());
    }

    /** Returns the row of who plays a role, or {@link RawTxns#NONE}. */
    int txnBy(Role role) {
        for (int i = 0; i < txnOf.length; i++) {
            if (finding.participants().get(i).role() == role) {
                return txnOf[i];
            }
        }
        return RawTxns.NONE;
    }

    /** Returns the row of a participant by its id, or {@link RawTxns#NONE}. */
    int txnById(long txnId) {
        for (int i = 0; i < txnOf.length; i++) {
            if (finding.participants().get(i).txnId() == txnId) {
                return txnOf[i];
            }
        }
        return RawTxns.NONE;
    }

    /** Finds the rows and the key; returns whether all of that is there. */
    boolean find(RawTxns raw) {
        for (int i = 0; i < txnOf.length; i++) {
            txnOf[i] = raw.txnOf(finding.participants().get(i).txnId());
            if (txnOf[i] == RawTxns.NONE) {
                return false;
            }
        }
        if (finding.key() != null && raw.keys.isPossible(finding.key())) {
            key = raw.keys.intern(finding.key());
            return true;
        }
        return finding.key() == null;
    }

    /** Finds the rows, and compares them with the statements about the participants. */
    void meet(RawTxns raw, LongSet countedUnknown) {
        find(raw);
        boolean touchesUnknown = false;
        boolean mayTouchUnknown = false;
        for (int i = 0; i < txnOf.length; i++) {
            Participant participant = finding.participants().get(i);
            int txn = txnOf[i];
            if (txn == RawTxns.NONE) {
                refute("a transaction that is not in the history: txn=" + participant.txnId());
                return;
            }
            boolean isUnknown = raw.status[txn] == TxnStatus.UNKNOWN;
            boolean isCounted = isUnknown && countedUnknown.contains(participant.txnId());
            touchesUnknown |= isCounted && !mayNameAnybody(participant);
            mayTouchUnknown |= isUnknown;
            if (isUnknown && !isCounted && !mayNameAnybody(participant) && !OrderReplay.takes(finding.anomaly())) {
                refute("no committed transaction read from this unknown transaction: txn=" + participant.txnId());
            }
            if (!hasTimestamps(participant, raw, txn)) {
                refute("timestamps differ: startTs=" + raw.startTs[txn] + " commitTs=" + raw.commitTs[txn] + " claimed="
                        + participant);
            }
        }
        if (finding.dependsOnUnknown() ? !mayTouchUnknown : touchesUnknown) {
            refute("dependence on unknown outcomes: expected=" + touchesUnknown);
        }
        if (finding.key() != null && !raw.keys.isPossible(finding.key())) {
            refute("a key that this history cannot have: key=" + finding.key());
        }
    }

    /** Returns whether the outcome of a transaction is irrelevant: it only wrote a value that was written or read. */
    private boolean mayNameAnybody(Participant participant) {
        return finding.anomaly() == Anomaly.DUPLICATE_WRITE
                || finding.anomaly() == Anomaly.INTERNAL && participant.role() == Role.OBSERVED_WRITER;
    }

    private static boolean hasTimestamps(Participant participant, RawTxns raw, int txn) {
        if (participant.startTs() == HistorySlice.NONE && participant.commitTs() == HistorySlice.NONE) {
            return true;
        }
        boolean isUndated = FindingVerifier.isMissing(raw.commitTs[txn]);
        boolean isStart = isUndated && raw.isReadOnly[txn] && participant.commitTs() == raw.startTs[txn];
        return participant.startTs() == raw.startTs[txn] && (isStart || participant.commitTs() == raw.commitTs[txn]);
    }
}
