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
 * Which rows of a history are enough for findings to be replayed, so that others need not be shown to a {@link FindingReplay}.
 *
 * <p>Where {@link #asksParticipants}, the rows come first that {@link #participants} keeps of all slices, and then those that
 * {@link #sieve} does. Any number of threads may keep rows of different slices, each with a sieve of its own. Findings about tables
 * ask for everything, and are not served here.
 *
 * @param findings none about tables
 * @param initialValue the value that means the initial state as null does, as text; null if there is none
 */
public record ReplayRowSelection(List<Finding> findings, @Nullable String initialValue) implements Serializable {

    private static final String LIST = "[";

    public ReplayRowSelection {
        findings = List.copyOf(findings);
    }

    /** Whether it takes rows of participants to know which others are needed. */
    public boolean asksParticipants() {
        return findings.stream().anyMatch(ReplayRowSelection::isOpen);
    }

    /** Keeps the rows that tell what findings are about, where they do not say so themselves. */
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
     * Keeps the rows that are enough.
     *
     * @param participants what {@link #participants} kept; none unless {@link #asksParticipants}
     */
    public ReplayRowFilter sieve(List<HistorySlice> participants) {
        return new ReplayRowFilter(this, ValueFindingVerifier.named(findings), participants);
    }

    /** Whether it is about a session, or about values that transactions wrote or read, without saying which. */
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
