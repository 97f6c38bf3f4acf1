package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selection of the rows of a history that a {@link FindingReplay} needs.
 *
 * <p>If {@link #asksParticipants}, a first pass retains the rows of {@link #participants}, and a second the rows of
 * {@link #sieve}. Several threads may filter different slices, each with a separate sieve. Findings about tables need
 * all rows, and are not supported.
 *
 * @param findings none about tables
 * @param initialValue the value that means the initial state as null does, as text; null if none does
 */
public record ReplayRowSelection(List<Finding> findings, @Nullable String initialValue) implements Serializable {

    private static final String LIST = "[";

    public ReplayRowSelection {
        findings = List.copyOf(findings);
    }

    /** Returns whether the rows of participants must be read before the other necessary rows are determined. */
    public boolean asksParticipants() {
        return findings.stream().anyMatch(ReplayRowSelection::isOpen);
    }

    /** Returns a filter for the rows that complete findings without all keys and values they concern. */
    public ReplayRowFilter participants() {
        LongSet txns = new LongOpenHashSet();
        for (Finding finding : findings) {
            if (isOpen(finding)) {
                finding.participants().forEach(participant -> txns.add(participant.txnId()));
            }
        }
        return new ReplayRowFilter(new ReplayRowSelection(List.of(), null), txns, List.of());
    }

    /**
     * Returns a filter for all necessary rows.
     *
     * @param participants the rows retained by {@link #participants}; empty unless {@link #asksParticipants}
     */
    public ReplayRowFilter sieve(List<HistorySlice> participants) {
        return new ReplayRowFilter(this, ValueFindingVerifier.named(findings), participants);
    }

    /** Returns whether it is about a session, or about values that transactions wrote or read, without saying which. */
    private static boolean isOpen(Finding finding) {
        Expectation read = finding.expectation();
        return switch (finding.anomaly()) {
            case SESSION, DIRTY_UPDATE, LOST_UPDATE -> true;
            default ->
                OrderReplay.takes(finding.anomaly())
                        || !finding.isByTimestamps()
                                && read != null
                                && read.observed() != null
                                && read.observed().startsWith(LIST);
        };
    }
}
