package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Outcomes of unknown transactions as proved by a complete server log. */
final class OutcomeProof {

    /*
     *   unknown, in the log          committed
     *   unknown, wrote, not there    aborted, if no session can commit it any more
     *   committed, wrote, not there  remains committed, as its client was informed; it is counted as lost
     *
     * A transaction without an answer had ended by the time the final marker was read, so that is its completion time.
     */

    /** Outcomes of a slice, as far as the log proves them. */
    private record Outcomes(byte[] status, long[] complete, String[] extra) {}

    private static final String OUTCOME = ",\"outcome\":\"log\"}";

    private final @Nullable ServerLog log;
    private final long endNs;
    private long committed;
    private long aborted;
    private long lost;
    private long different;

    /**
     * @param log null if none exists
     * @param endNs the clients' time when the marker was read
     */
    OutcomeProof(@Nullable ServerLog log, long endNs) {
        this.log = log != null && log.isComplete() ? log : null;
        this.endNs = endNs;
    }

    /** Returns the transactions with the outcomes that the log proves. */
    HistorySlice of(HistorySlice slice) throws IOException {
        if (log == null) {
            return slice;
        }
        Outcomes others = null;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            byte proved = proved(log, slice.txnId[txn], slice.status[txn]);
            if (proved == slice.status[txn]) {
                continue;
            }
            if (others == null) {
                others = new Outcomes(slice.status.clone(), slice.completeNs.clone(), slice.extra.clone());
            }
            others.status[txn] = proved;
            others.complete[txn] = endNs;
            String extra = others.extra[txn];
            others.extra[txn] = extra.substring(0, extra.length() - 1) + OUTCOME;
        }
        return others == null ? slice : slice.withOutcomes(others.status, others.complete, others.extra);
    }

    /**
     * Returns the outcome of an unknown transaction. If it wrote nothing, it counts as aborted, as it had no effect.
     */
    byte outcomeOf(long txnId) throws IOException {
        if (log == null) {
            return TxnStatus.UNKNOWN;
        }
        if (log.commits().hasWrites(txnId) && log.commits().isLogged(txnId)) {
            return TxnStatus.COMMITTED;
        }
        return !log.commits().hasWrites(txnId) || log.isFenced() ? TxnStatus.ABORTED : TxnStatus.UNKNOWN;
    }

    private byte proved(ServerLog ofServer, long txnId, byte status) throws IOException {
        LoggedCommits commits = ofServer.commits();
        if (!commits.hasWrites(txnId) || status == TxnStatus.ABORTED) {
            return status;
        }
        if (!commits.isLogged(txnId)) {
            boolean isOver = status == TxnStatus.UNKNOWN && ofServer.isFenced();
            aborted += isOver ? 1 : 0;
            lost += status == TxnStatus.COMMITTED ? 1 : 0;
            return isOver ? TxnStatus.ABORTED : status;
        }
        different += commits.matchesAcknowledged(txnId) ? 0 : 1;
        committed += status == TxnStatus.UNKNOWN ? 1 : 0;
        return TxnStatus.COMMITTED;
    }

    /** Returns the number of unknown transactions proved committed; the other count those proved aborted. */
    long committed() {
        return committed;
    }

    long aborted() {
        return aborted;
    }

    /** Returns remarks on the recording for the user; call after all transactions were processed. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (log == null) {
            return remarks;
        }
        if (committed + aborted > 0) {
            remarks.add("outcomes that no client learned, by the server's log: committed=" + committed + " aborted="
                    + aborted);
        }
        if (lost > 0) {
            remarks.add("commits that were answered and that the server's log does not have: transactions=" + lost);
        }
        if (different > 0) {
            remarks.add("commits that wrote something else by the server's log: transactions=" + different);
        }
        if (log.commits().foreign() > 0) {
            remarks.add("another client has changed rows of the recording, whose writes are missing:" + " transactions="
                    + log.commits().foreign());
        }
        return remarks;
    }
}
