package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts of suspicious properties of sessions, with the first example of each. */
final class SessionLint implements Serializable {

    private static final long serialVersionUID = 1;

    /**
     * A suspicious row or session.
     *
     * @param row number of it, or of the first row of the session, among all rows; 0 if no merge follows
     */
    private record Example(long row, String text) implements Serializable {

        static @Nullable Example first(@Nullable Example one, @Nullable Example other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return other.row < one.row ? other : one;
        }

        static @Nullable String textOf(@Nullable Example example) {
            return example == null ? null : example.text;
        }
    }

    private long sessionCount;
    private long gapSessionCount;
    private long missingCount;
    private long lateRowCount;
    private long earlyStartCount;
    private long overlapCount;

    private @Nullable Example gapExample;
    private @Nullable Example lateRowExample;
    private @Nullable Example earlyStartExample;
    private @Nullable Example overlapExample;

    long sessionCount() {
        return sessionCount;
    }

    void lateRow(HistorySlice slice, int txn, long row, long greatestSeq) {
        if (lateRowExample == null) {
            lateRowExample = new Example(
                    row,
                    slice.locationOf(txn) + " session_id=" + slice.sessionId[txn] + " session_seq="
                            + slice.sessionSeq[txn] + " after=" + greatestSeq);
        }
    }

    void earlyStart(HistorySlice slice, int txn, long row, long commitBefore) {
        if (earlyStartExample == null) {
            earlyStartExample = new Example(
                    row,
                    slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " session_id=" + slice.sessionId[txn]
                            + " start_ts=" + slice.startTs[txn] + " previous-commit_ts=" + commitBefore);
        }
    }

    void overlap(HistorySlice slice, int txn, long row, long completeBefore) {
        if (overlapExample == null) {
            overlapExample = new Example(
                    row,
                    slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " session_id=" + slice.sessionId[txn]
                            + " invoke_ns=" + slice.invokeNs[txn] + " previous-complete_ns=" + completeBefore);
        }
    }

    void add(Collection<SessionState> sessions) {
        sessionCount += sessions.size();
        for (SessionState session : sessions) {
            lateRowCount += session.lateRowCount;
            earlyStartCount += session.earlyStartCount;
            overlapCount += session.overlapCount;
            if (!session.hasNoGaps()) {
                addGap(session);
            }
        }
    }

    private void addGap(SessionState session) {
        long span = session.maxSeq - session.minSeq;
        gapSessionCount++;
        addMissing(span < 0 ? Long.MAX_VALUE : span - (session.rowCount - 1));
        if (gapExample == null) {
            gapExample = new Example(
                    session.firstRow,
                    "session_id=" + session.id + " first=" + session.minSeq + " last=" + session.maxSeq
                            + " transactions=" + session.rowCount);
        }
    }

    private void addMissing(long missing) {
        long sum = missingCount + missing;
        missingCount = sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Adds the counts of other sessions; of examples, the first among all rows are retained. */
    void merge(SessionLint others) {
        sessionCount += others.sessionCount;
        gapSessionCount += others.gapSessionCount;
        addMissing(others.missingCount);
        lateRowCount += others.lateRowCount;
        earlyStartCount += others.earlyStartCount;
        overlapCount += others.overlapCount;
        gapExample = Example.first(gapExample, others.gapExample);
        lateRowExample = Example.first(lateRowExample, others.lateRowExample);
        earlyStartExample = Example.first(earlyStartExample, others.earlyStartExample);
        overlapExample = Example.first(overlapExample, others.overlapExample);
    }

    List<LintFinding> findings() {
        List<LintFinding> findings = new ArrayList<>();
        if (earlyStartCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_ORDER,
                    earlyStartCount,
                    Example.textOf(earlyStartExample),
                    CountFormat.of(earlyStartCount, "committed transaction")
                            + " with a start_ts before the commit_ts of its session predecessor;"
                            + " a check by timestamps reports SESSION"));
        }
        if (overlapCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_OVERLAP,
                    overlapCount,
                    Example.textOf(overlapExample),
                    CountFormat.of(overlapCount, "transaction")
                            + " invoked before its session predecessor was complete;"
                            + " a session is one client that does one thing at a time"));
        }
        if (gapSessionCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_GAP,
                    missingCount,
                    Example.textOf(gapExample),
                    CountFormat.of(missingCount, "position") + " missing in "
                            + CountFormat.of(gapSessionCount, "session")
                            + "; transactions that were not recorded are not checked"));
        }
        if (lateRowCount > 0) {
            findings.add(LintFinding.of(
                    LintRule.SESSION_ROWS,
                    lateRowCount,
                    Example.textOf(lateRowExample),
                    CountFormat.of(lateRowCount, "row")
                            + " after a later row of the session; session_seq determines the order"));
        }
        return findings;
    }
}
