package io.nightjar.jobs.run;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.ParticipantRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.verify.FindingReplay;
import io.nightjar.pipeline.verify.RefutedFinding;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replays findings against the rows of a history. */
public final class Confirmation {

    private final Conclusion conclusion;
    private final ValidatingScanner rows;
    private final ValidatingScanner allRows;
    private final StageMetrics stages;

    /** @param conclusion determines the committed transactions */
    public Confirmation(Conclusion conclusion, ValidatingScanner rows, StageMetrics stages) {
        this(conclusion, rows, rows, stages);
    }

    /**
     * @param rows a sufficient subset of the rows, see {@link io.nightjar.pipeline.verify.ReplayRowSelection}
     * @param allRows all rows of the history, for findings that the subset leaves open
     */
    Confirmation(Conclusion conclusion, ValidatingScanner rows, ValidatingScanner allRows, StageMetrics stages) {
        this.conclusion = conclusion;
        this.rows = rows;
        this.allRows = allRows;
        this.stages = stages;
    }

    /**
     * Names findings; a finding that cannot be confirmed is a bug of the checkers. A finding whose replay takes too
     * long is withdrawn from the conclusion.
     *
     * @param evidence collects the rows of their transactions
     */
    public List<Finding> confirm(List<Finding> findings, ParticipantRows evidence) throws IOException {
        FindingReplay verifier = replayOf(conclusion, conclusion.options().initialValueOf(rows.source()), findings);
        try (StageMetrics.Stage stage =
                stages.begin("explain", "transactions", StageMetrics.txnCount(rows.source()), findings.size())) {
            rows.pass(columnsOf(verifier), BadRowHandler.PASS_OVER, new Showing(verifier, evidence, stage));
            if (verifier.endOfPass()) {
                ValidatingScanner again = verifier.needsAllRows() ? allRows : rows;
                again.pass(
                        verifier.wantedColumns(),
                        BadRowHandler.PASS_OVER,
                        new Showing(verifier, new ParticipantRows(), null));
            }
        }
        Budget budget =
                Budget.ofNanos(conclusion.options().search().budgetNanos()).rest();
        verifier.endWhen(budget::isSpent);
        List<RefutedFinding> refuted = verifier.refuted();
        if (!refuted.isEmpty()) {
            RefutedFinding first = refuted.get(0);
            throw new AssertionError("finding not confirmed by the history: refuted=" + refuted.size() + " of="
                    + findings.size() + " reason=" + first.reason() + " finding=" + first.finding());
        }
        verifier.open().forEach(conclusion::withdraw);
        return verifier.named();
    }

    /** Returns the columns by which findings are replayed and reported. */
    public static Set<ColumnGroup> columns(
            Conclusion conclusion, @Nullable String initialValue, List<Finding> findings) {
        return columnsOf(replayOf(conclusion, initialValue, findings));
    }

    private static Set<ColumnGroup> columnsOf(FindingReplay verifier) {
        Set<ColumnGroup> columns = EnumSet.copyOf(verifier.wantedColumns());
        columns.add(ColumnGroup.EXTRA);
        columns.add(ColumnGroup.CLIENT_TIMES);
        return columns;
    }

    private static FindingReplay replayOf(
            Conclusion conclusion, @Nullable String initialValue, List<Finding> findings) {
        CheckOptions options = conclusion.options();
        return new FindingReplay(
                findings,
                initialValue,
                conclusion::promotedByTimestamps,
                conclusion::interchangeableByTimestamps,
                conclusion.promotedByValues(),
                options.order() == null ? null : options.order().ids());
    }

    /**
     * A slice that readers have inspected.
     *
     * @param wanted its transactions that are evidence
     */
    private record Seen(FindingReplay.Seen seen, int[] wanted) {}

    /**
     * Passes every row to the replay of findings and to the collectors of evidence.
     *
     * @param stage null if the rows were counted before
     */
    private record Showing(FindingReplay verifier, ParticipantRows evidence, StageMetrics.@Nullable Stage stage)
            implements ScanPass<Seen> {

        @Override
        public Work<Seen> newWork() {
            FindingReplay.ReplayCursor cursor = verifier.newCursor();
            return slice -> new Seen(cursor.at(slice), evidence.wantedIn(slice));
        }

        @Override
        public void take(Seen seen) {
            HistorySlice slice = seen.seen().slice();
            verifier.observe(seen.seen());
            evidence.observe(slice.whole().shown(), seen.wanted());
            if (stage != null) {
                stage.advance(slice.txnCount);
            }
        }
    }

    /** Fetches only the rows of findings that were confirmed before. */
    List<Finding> gather(List<Finding> findings, ParticipantRows evidence) throws IOException {
        rows.pass(
                EnumSet.allOf(ColumnGroup.class),
                slice -> evidence.observe(slice.whole().shown()));
        return findings;
    }
}
