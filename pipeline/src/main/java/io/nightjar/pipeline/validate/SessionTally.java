package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sums up what is odd about sessions, with the first example of each oddity. */
final class SessionTally {

    private long sessionCount;
    private long gapSessionCount;
    private long missingCount;
    private long lateRowCount;
    private long earlyStartCount;
    private long overlapCount;

    private @Nullable String gapExample;
    private @Nullable String lateRowExample;
    private @Nullable String earlyStartExample;
    private @Nullable String overlapExample;

    long sessionCount() {
        return sessionCount;
    }

    void lateRow(HistorySlice slice, int txn, long greatestSeq) {
        if (lateRowExample == null) {
            lateRowExample = slice.placeOf(txn) + " session_id=" + slice.sessionId[txn] + " session_seq="
                    + slice.sessionSeq[txn] + " behind=" + greatestSeq;
        }
    }

    void earlyStart(HistorySlice slice, int txn, long commitBefore) {
        if (earlyStartExample == null) {
            earlyStartExample = slice.placeOf(txn) + " txn_id=" + slice.txnId[txn] + " session_id="
                    + slice.sessionId[txn] + " start_ts=" + slice.startTs[txn] + " previous-commit_ts=" + commitBefore;
        }
    }

    void overlap(HistorySlice slice, int txn, long completeBefore) {
        if (overlapExample == null) {
            overlapExample = slice.placeOf(txn) + " txn_id=" + slice.txnId[txn] + " session_id="
                    + slice.sessionId[txn] + " invoke_ns=" + slice.invokeNs[txn] + " previous-complete_ns="
                    + completeBefore;
        }
    }

    void add(SessionTable sessions) {
        sessionCount += sessions.count;
        for (int session = 0; session < sessions.count; session++) {
            lateRowCount += sessions.lateRowCountOf[session];
            earlyStartCount += sessions.earlyStartCountOf[session];
            overlapCount += sessions.overlapCountOf[session];
            long min = sessions.minSeqOf[session];
            long max = sessions.maxSeqOf[session];
            long rowCount = sessions.rowCountOf[session];
            if (max - min != rowCount - 1) {
                addGap(sessions.idOf[session], min, max, rowCount);
            }
        }
    }

    private void addGap(long sessionId, long min, long max, long rowCount) {
        gapSessionCount++;
        long missing = max - min - (rowCount - 1);
        boolean isOverflow = max - min < 0 || missingCount + missing < 0;
        missingCount = isOverflow ? Long.MAX_VALUE : missingCount + missing;
        if (gapExample == null) {
            gapExample = "session_id=" + sessionId + " first=" + min + " last=" + max + " transactions=" + rowCount;
        }
    }

    List<LintFinding> findings() {
        List<LintFinding> findings = new ArrayList<>();
        if (earlyStartCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_ORDER,
                    earlyStartCount,
                    earlyStartExample,
                    Counted.of(earlyStartCount, "committed transaction")
                            + " with a start_ts before the commit_ts of the one before in the session;"
                            + " a check by timestamps reports SESSION"));
        }
        if (overlapCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_OVERLAP,
                    overlapCount,
                    overlapExample,
                    Counted.of(overlapCount, "transaction")
                            + " invoked before the one before in the session was complete;"
                            + " a session is one client that does one thing at a time"));
        }
        if (gapSessionCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_GAP,
                    missingCount,
                    gapExample,
                    Counted.of(missingCount, "position") + " missing in " + Counted.of(gapSessionCount, "session")
                            + "; transactions that were not recorded are not checked"));
        }
        if (lateRowCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_ROWS,
                    lateRowCount,
                    lateRowExample,
                    Counted.of(lateRowCount, "row")
                            + " behind a later one of the session; session_seq is what counts"));
        }
        return findings;
    }
}
