package io.nightjar.jobs.local;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.ParticipantRows;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.Confirmation;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.decide.TimestampOutcome;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Checks a segment of a history by timestamps, against the carry-over of the segments before it. */
public final class SegmentChecker {

    /*
     * The carry-over of earlier segments consists of their rows, so that the check finds the conflicts among them
     * again. These were reported before: a check of the carry-over alone finds the conflicts not to be counted again.
     */

    private final CheckOptions options;
    private final ProgressListener watcher;

    public SegmentChecker(CheckOptions options, ProgressListener watcher) {
        this.options = options;
        this.watcher = watcher;
    }

    /**
     * The result of checking one segment.
     *
     * @param findings all findings that concern it, confirmed and named
     */
    public record Segment(
            Findings findings,
            HistorySummary summary,
            TimestampOutcome timestamps,
            Map<IsolationLevel, LongSet> countedUnknown) {

        /** Returns the contribution of this segment to the outcome of all. */
        public TimestampOutcome outcome() {
            return new TimestampOutcome(
                    findings,
                    0,
                    timestamps.unjudgedKeys(),
                    timestamps.unfitKeys(),
                    timestamps.memoryBytes(),
                    new PromotedTxns(
                            Map.of(),
                            Map.of(),
                            Map.of(),
                            LongSets.EMPTY_SET,
                            timestamps.unknown().unplaceable()),
                    timestamps.openChoices());
        }
    }

    /**
     * Checks a segment.
     *
     * @param source the carry-over of earlier segments, and the rows of this segment
     * @param left the carry-over of earlier segments, alone
     * @param before transactions that represent the initial state of the history
     */
    public Segment check(HistorySource source, HistorySource left, LongSet leftIds, LongSet before) throws IOException {
        try (ValidatingScanner rows = rows(source);
                ValidatingScanner rowsLeft = rows(left)) {
            Conclusion conclusion = conclude(rows);
            conclusion.leaveOut(before, 0);
            conclusion.mayLackWriters();
            TimestampOutcome known =
                    leftIds.isEmpty() ? null : conclude(rowsLeft).timestamps();
            Findings findings = named(conclusion, rows, leftIds);
            count(conclusion.findings(), known == null ? new Findings(0) : known.findings(), findings);
            TimestampOutcome timestamps =
                    requireNonNull(conclusion.timestamps()); // timestamps are the only evidence for segments
            return new Segment(
                    findings, rows.summary(), timestamps, timestamps.unknown().countedAt());
        }
    }

    private ValidatingScanner rows(HistorySource source) {
        return new ValidatingScanner(source, options.threadCount(), options.memoryBytes(), options.spillParent());
    }

    private Conclusion conclude(ValidatingScanner rows) throws IOException {
        DeadLetters none = new DeadLetters(0);
        return new HistoryCheck(rows, options, none, new StageMetrics(watcher), watcher).run();
    }

    private Findings named(Conclusion conclusion, ValidatingScanner rows, LongSet leftIds) throws IOException {
        List<Finding> found = conclusion.findings().inTime().stream()
                .filter(finding -> !isKnown(finding, leftIds))
                .toList();
        Findings findings = new Findings(options.findingLimit());
        if (found.isEmpty()) {
            return findings;
        }
        ParticipantRows evidence = new ParticipantRows(); // the watch stores the rows
        List<Finding> named = new Confirmation(conclusion, rows, new StageMetrics(watcher)).confirm(found, evidence);
        Map<Finding, Finding> nameOf = new IdentityHashMap<>();
        for (int i = 0; i < found.size(); i++) {
            nameOf.put(found.get(i), conclusion.reported(named.get(i)));
        }
        conclusion.findings().forEachKept((at, finding) -> {
            if (nameOf.containsKey(finding)) {
                findings.keep(at, nameOf.get(finding));
            }
        });
        return findings;
    }

    private static boolean isKnown(Finding finding, LongSet leftIds) {
        return finding.participants().stream().mapToLong(Participant::txnId).allMatch(leftIds::contains);
    }

    private static void count(Findings all, Findings known, Findings into) {
        for (IsolationLevel level : all.countedLevels()) {
            for (Map.Entry<Anomaly, Long> type : all.counts(level).entrySet()) {
                long before = known.counts(level).getOrDefault(type.getKey(), 0L);
                into.count(level, type.getKey(), type.getValue() - before);
            }
        }
        into.countRows(all.total() - known.total());
    }
}
