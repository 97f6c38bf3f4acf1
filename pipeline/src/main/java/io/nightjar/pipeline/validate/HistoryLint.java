package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lint rules that follow from {@link HistoryFacts}: cheap enough for every check. */
public final class HistoryLint {

    private static final double MUCH_UNKNOWN = 0.05;
    private static final double MUCH_NOT_COMMITTED = 0.5;
    private static final double MAX_SHARE = 0.5;
    private static final long FEW_WRITERS = 10;
    private static final long MANY_IN_ONE_SESSION = 10;

    private HistoryLint() {}

    /** Returns the findings in the order of rule ids. */
    public static List<LintFinding> findings(HistoryFacts facts) {
        List<LintFinding> findings = new ArrayList<>();
        commitBeforeStart(facts, findings);
        notCommitted(facts, findings);
        noReads(facts, findings);
        nothingCommitted(facts, findings);
        timestampsMissing(facts, findings);
        setsAndCounters(facts, findings);
        startIsCommit(facts, findings);
        clockSteps(facts, findings);
        return findings;
    }

    /**
     * Returns findings merged with the diagnostics of a source; for a rule that both report, the diagnostic of the
     * source has the better reason.
     */
    public static List<LintFinding> with(List<LintFinding> findings, List<SourceDiagnostic> remarks) {
        List<LintFinding> all = new ArrayList<>();
        for (SourceDiagnostic remark : remarks) {
            all.add(LintFinding.of(LintRule.of(remark.ruleId()), remark.count(), remark.example(), remark.message()));
        }
        int reportedCount = all.size();
        for (LintFinding finding : findings) {
            if (all.subList(0, reportedCount).stream().noneMatch(remark -> remark.rule() == finding.rule())) {
                all.add(finding);
            }
        }
        all.sort(Comparator.comparing(LintFinding::ruleId));
        return all;
    }

    /** Returns the finding for malformed rows that were skipped within the limit. */
    public static LintFinding rowsSetAside(long count, @Nullable String example) {
        return LintFinding.of(
                LintRule.ROWS_SET_ASIDE,
                count,
                example,
                CountFormat.of(count, "bad row") + " skipped; no level can hold");
    }

    /** Returns the finding for a recording that was killed or interrupted. */
    public static LintFinding incompleteRecording(String address) {
        return LintFinding.of(
                LintRule.RECORDING_INCOMPLETE,
                1,
                address,
                "the recording is incomplete: transactions after the last part are missing");
    }

    /** Returns the finding for the operations that a recording reports as not recorded, which must not be empty. */
    public static LintFinding unseen(String address, List<String> remarks) {
        String more = remarks.size() == 1 ? "" : "; and %d more in its _manifest.json".formatted(remarks.size() - 1);
        return LintFinding.of(LintRule.UNSEEN, remarks.size(), address, remarks.get(0) + more);
    }

    /** Returns the finding for a timestamp column that does not seem to be the read snapshot or the order of commits. */
    public static LintFinding timestampColumn(String message) {
        return LintFinding.of(LintRule.TIMESTAMP_COLUMN, 1, null, message);
    }

    /**
     * Returns the findings on values: values written twice, and reads of values that were never written.
     *
     * @param duplicateExample where one is found; null if no position is known
     * @param garbageExample likewise
     */
    public static List<LintFinding> values(
            long duplicateWrites,
            @Nullable String duplicateExample,
            long garbageReads,
            @Nullable String garbageExample) {
        List<LintFinding> findings = new ArrayList<>();
        if (duplicateWrites > 0) {
            findings.add(LintFinding.of(
                    LintRule.DUPLICATE_WRITE,
                    duplicateWrites,
                    duplicateExample,
                    CountFormat.of(duplicateWrites, "value")
                            + " written to a key more than once; reads of them do not identify the writer"));
        }
        if (garbageReads > 0) {
            findings.add(LintFinding.of(
                    LintRule.GARBAGE_READ,
                    garbageReads,
                    garbageExample,
                    CountFormat.of(garbageReads, "read") + " of a value that no transaction wrote;"
                            + " if it is the initial value, name it with --initial-value"));
        }
        return findings;
    }

    /** Returns the finding for predicate reads and deletions that the evidence cannot check. */
    public static LintFinding predicatesNotJudged(long count) {
        return LintFinding.of(
                LintRule.PREDICATES_NOT_JUDGED,
                count,
                null,
                "predicates not checked: " + CountFormat.of(count, "operation")
                        + " of kind p, v or d omitted; the rows of predicate reads count as reads of items");
    }

    /**
     * Returns the finding for version numbers of a key that two transactions used.
     *
     * @param description text with the location, if known
     */
    public static LintFinding sharedVersions(long count, @Nullable String example, String description) {
        return LintFinding.of(
                LintRule.VERSION_TIE,
                count,
                example,
                description
                        + "; numbers that begin again, as where a row is deleted and made anew, are no order of versions:"
                        + " leave the column out, or count on for each key");
    }

    /** Returns the finding for anomalies that were counted and not written. */
    public static LintFinding tableCut(long found, long written) {
        return LintFinding.of(
                LintRule.TABLE_CUT,
                found - written,
                null,
                "the tables hold the first " + written + " of " + found
                        + " anomalies in the order of time; counts are exact");
    }

    private static void commitBeforeStart(HistoryFacts facts, List<LintFinding> findings) {
        long count = facts.commitBeforeStartCount;
        if (count > 0) {
            findings.add(LintFinding.of(
                    LintRule.COMMIT_BEFORE_START,
                    count,
                    facts.commitBeforeStartExample,
                    CountFormat.of(count, "committed transaction")
                            + " with commit_ts before start_ts; a check by timestamps reports TIMESTAMP-ORDER"));
        }
    }

    private static void notCommitted(HistoryFacts facts, List<LintFinding> findings) {
        long unknown = facts.txnCount(TxnStatus.UNKNOWN);
        long aborted = facts.txnCount(TxnStatus.ABORTED);
        long all = facts.txnCount();
        if (unknown + aborted == 0) {
            return;
        }
        boolean isMuch = unknown > MUCH_UNKNOWN * all || unknown + aborted > MUCH_NOT_COMMITTED * all;
        findings.add(new LintFinding(
                LintRule.NOT_COMMITTED,
                isMuch ? LintSeverity.WARNING : LintSeverity.INFO,
                unknown + aborted,
                null,
                "not committed: aborted=" + CountFormat.number(aborted) + " (" + CountFormat.percent(aborted, all)
                        + ") unknown=" + CountFormat.number(unknown) + " (" + CountFormat.percent(unknown, all)
                        + "); their reads are not checked"));
    }

    private static void noReads(HistoryFacts facts, List<LintFinding> findings) {
        if (facts.committedReadCount() + facts.predicateCount() == 0 && facts.committedWriteCount() > 0) {
            findings.add(LintFinding.of(
                    LintRule.FEW_READS,
                    1,
                    null,
                    "no reads in committed transactions; anomalies of reads cannot be detected,"
                            + " such as stale reads, read skew or write skew"));
        }
    }

    private static void nothingCommitted(HistoryFacts facts, List<LintFinding> findings) {
        if (facts.committedCount() == 0) {
            findings.add(LintFinding.of(
                    LintRule.NOTHING_COMMITTED,
                    1,
                    null,
                    "no committed transaction among " + CountFormat.number(facts.txnCount())
                            + "; no transaction is checked"));
        }
    }

    private static void timestampsMissing(HistoryFacts facts, List<LintFinding> findings) {
        long missing = facts.committedCount() - facts.timestampedCount();
        if (missing > 0 && facts.timestampedCount() > 0) {
            findings.add(LintFinding.of(
                    LintRule.TIMESTAMPS_MISSING,
                    missing,
                    facts.untimedExample,
                    CountFormat.of(missing, "committed transaction") + " of "
                            + CountFormat.number(facts.committedCount())
                            + " without start_ts, or with writes and without commit_ts;"
                            + " timestamps are evidence only if all have them"));
        }
    }

    private static void setsAndCounters(HistoryFacts facts, List<LintFinding> findings) {
        long count = facts.committedOpCount(OpKind.ADD) + facts.committedOpCount(OpKind.INCREMENT);
        if (count > 0) {
            findings.add(LintFinding.of(
                    LintRule.SETS_AND_COUNTERS,
                    count,
                    facts.setOrCounterExample,
                    CountFormat.of(count, "operation") + " on sets or counters; timestamps cannot decide these"));
        }
    }

    private static void startIsCommit(HistoryFacts facts, List<LintFinding> findings) {
        long count = facts.startIsCommitCount;
        if (count >= FEW_WRITERS && count > MAX_SHARE * facts.committedWriterCount()) {
            findings.add(LintFinding.of(
                    LintRule.START_IS_COMMIT,
                    count,
                    facts.startIsCommitExample,
                    CountFormat.number(count) + " of " + CountFormat.of(facts.committedWriterCount(), "writer")
                            + " with start_ts equal to commit_ts; start_ts is perhaps not the read snapshot"));
        }
    }

    private static void clockSteps(HistoryFacts facts, List<LintFinding> findings) {
        long count = facts.clockStepCount;
        if (count > 0) {
            findings.add(
                    LintFinding.of(
                            LintRule.CLOCK_STEP,
                            count,
                            facts.clockStepExample,
                            CountFormat.of(count, "committed transaction")
                                    + " complete before they are invoked; the client's clock was set back, so its times order nothing"));
        }
    }

    /** Returns the finding for a history whose clients all have one session. */
    static List<LintFinding> oneSession(HistoryFacts facts, long sessionCount) {
        if (sessionCount != 1 || facts.committedCount() < MANY_IN_ONE_SESSION) {
            return List.of();
        }
        return List.of(LintFinding.of(
                LintRule.ONE_SESSION,
                1,
                null,
                "all " + CountFormat.number(facts.txnCount())
                        + " transactions are in one session, so each has to see all before it;"
                        + " if several clients ran them, give each client a separate session"));
    }
}
