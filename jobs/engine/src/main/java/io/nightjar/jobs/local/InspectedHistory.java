package io.nightjar.jobs.local;

import io.nightjar.formats.file.IncompleteRecording;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.registry.RecordingRemarks;
import io.nightjar.pipeline.validate.CostForecast;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.HistoryLint;
import io.nightjar.pipeline.validate.Inspection;
import io.nightjar.pipeline.validate.LintFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@code inspect} for one history.
 *
 * @param inspection the inspection, with all its passes complete
 * @param components the components of a check from values
 * @param setAside rows that are no transactions
 * @param remarks diagnostics of its source
 */
public record InspectedHistory(
        Stored stored,
        Inspection inspection,
        InspectedComponents components,
        SetAside setAside,
        List<SourceDiagnostic> remarks,
        double seconds) {

    private static final Set<String> COLUMNAR_FORMATS = Set.of("parquet", "arrow");

    /**
     * The history that was inspected, as it is stored.
     *
     * @param bytes its size, encoded
     * @param initialValue the value that, besides null, reads return for the initial state, as text; null if only null
     * does
     */
    public record Stored(String uri, String format, long bytes, @Nullable String initialValue) {}

    /**
     * Rows that were skipped.
     *
     * @param first the first of them and its reason, or null
     * @param problems their problems, by kind
     */
    public record SetAside(long count, @Nullable String first, List<InspectedProblem> problems) {}

    /** Returns all lint findings in the order of rule ids. */
    public List<LintFinding> findings() {
        List<LintFinding> findings = new ArrayList<>(inspection.findings());
        if (setAside.count > 0) {
            findings.add(HistoryLint.rowsSetAside(setAside.count, setAside.first));
        }
        if (IncompleteRecording.isAt(stored.uri())) {
            findings.add(HistoryLint.incompleteRecording(stored.uri()));
        }
        List<String> unseen = RecordingRemarks.at(stored.uri());
        if (!unseen.isEmpty()) {
            findings.add(HistoryLint.unseen(stored.uri(), unseen));
        }
        return HistoryLint.with(findings, remarks);
    }

    /** Returns the expected cost of a check. */
    public CostForecast forecast() {
        return forecast(isCheckedByValues());
    }

    /**
     * Returns the expected cost of a check with the given evidence.
     *
     * @param isByValues whether values decide
     */
    public CostForecast forecast(boolean isByValues) {
        HistoryFacts facts = inspection.facts();
        return CostForecast.of(
                facts.txnCount(),
                facts.opCount(),
                inspection.keys().keyCount(),
                inspection.validation().sessionCount(),
                stored.bytes(),
                COLUMNAR_FORMATS.contains(stored.format()),
                isByValues);
    }

    /** Returns whether a check with automatic evidence uses values, because timestamps are missing. */
    public boolean isCheckedByValues() {
        return !inspection.facts().areTimestampsComplete();
    }
}
