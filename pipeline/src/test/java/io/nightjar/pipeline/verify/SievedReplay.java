package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** Replays findings on all rows of a history and on those that are said to be enough, and compares. */
public final class SievedReplay {

    private SievedReplay() {}

    /**
     * Returns what all rows refute.
     *
     * @param newReplay of the findings
     */
    public static List<RefutedFinding> refuted(
            List<Finding> findings, List<HistorySlice> slices, Supplier<FindingReplay> newReplay) {
        FindingReplay whole = replayed(slices, newReplay.get());
        List<RefutedFinding> refuted = whole.refuted();
        if (findings.stream().noneMatch(Finding::isOfTables)) {
            FindingReplay sieved = replayed(enough(findings, slices), newReplay.get());
            assertThat(findings(sieved.refuted()))
                    .isEqualTo(findings(refuted)); // without rows the reason may be another
            assertThat(sieved.named()).isEqualTo(whole.named());
        }
        return refuted;
    }

    private static List<Finding> findings(List<RefutedFinding> refuted) {
        return refuted.stream().map(RefutedFinding::finding).toList();
    }

    private static FindingReplay replayed(List<HistorySlice> slices, FindingReplay replay) {
        do {
            slices.forEach(replay::observe);
        } while (replay.endOfPass());
        return replay;
    }

    private static List<HistorySlice> enough(List<Finding> findings, List<HistorySlice> slices) {
        RowsToReplay rows = RowsToReplay.of(findings);
        if (rows.asksParticipants()) {
            kept(rows.ofParticipants(), slices).forEach(rows::learn);
        }
        return kept(rows, slices);
    }

    private static List<HistorySlice> kept(RowsToReplay rows, List<HistorySlice> slices) {
        RowsToReplay.Sieve sieve = rows.newSieve();
        return slices.stream().map(sieve::keep).filter(Objects::nonNull).toList();
    }
}
