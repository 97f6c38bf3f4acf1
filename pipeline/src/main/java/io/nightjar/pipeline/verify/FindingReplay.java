package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Replays findings of every kind against the raw history, each by the verifier that knows its theory.
 *
 * <p>Show every slice with {@link #observe}, then call {@link #endOfPass}, again from the start while that says so; then
 * ask for {@link #refuted}. One thread.
 */
public final class FindingReplay {

    private final List<Finding> findings;
    private final FindingVerifier byTimestamps;
    private final ValueFindingVerifier byValues;
    private boolean wantsTimestamps;
    private boolean wantsValues;

    /**
     * @param initialValue the value that means the initial state as null does, as text; null if there is none
     * @param countedByTimestamps ids of unknown transactions that something committed read from, as timestamps tell
     * @param countedByValues the same as values tell, where every read counts and not only the first of a key
     */
    public FindingReplay(
            List<Finding> findings, String initialValue, LongSet countedByTimestamps, LongSet countedByValues) {
        this.findings = findings;
        List<Finding> timestamps = new ArrayList<>();
        List<Finding> values = new ArrayList<>();
        for (Finding finding : findings) {
            (finding.isByTimestamps() ? timestamps : values).add(finding);
        }
        byTimestamps = new FindingVerifier(timestamps, initialValue, countedByTimestamps);
        byValues = new ValueFindingVerifier(values, initialValue, countedByValues);
        wantsTimestamps = !timestamps.isEmpty();
        wantsValues = !values.isEmpty();
    }

    /** The columns that a pass needs; the others may be left out. */
    public Set<Column> wantedColumns() {
        Set<Column> columns = EnumSet.copyOf(byTimestamps.wantedColumns());
        columns.addAll(byValues.wantedColumns());
        return columns;
    }

    /** Takes every slice of the history, once for each pass, in the order of the rows. */
    public void observe(HistorySlice slice) {
        if (wantsTimestamps) {
            byTimestamps.observe(slice);
        }
        if (wantsValues) {
            byValues.observe(slice);
        }
    }

    /** Every slice was shown; true if every slice must be shown once more before {@link #refuted} can answer. */
    public boolean endOfPass() {
        wantsTimestamps &= byTimestamps.endOfPass();
        wantsValues &= byValues.endOfPass();
        return wantsTimestamps || wantsValues;
    }

    /** The findings that could not be confirmed, with the reason; empty if the history bears out every one. */
    public List<RefutedFinding> refuted() {
        List<RefutedFinding> refuted = new ArrayList<>(byTimestamps.refuted());
        refuted.addAll(byValues.refuted());
        return refuted;
    }

    /** The findings in their order, with the classic names of what was replayed; asked after {@link #refuted}. */
    public List<Finding> named() {
        Iterator<String> ofTimestamps = byTimestamps.patterns().iterator();
        Iterator<String> ofValues = byValues.patterns().iterator();
        List<Finding> named = new ArrayList<>(findings.size());
        for (Finding finding : findings) {
            String pattern = finding.isByTimestamps() ? ofTimestamps.next() : ofValues.next();
            named.add(pattern == null ? finding : finding.withPattern(pattern));
        }
        return named;
    }
}
