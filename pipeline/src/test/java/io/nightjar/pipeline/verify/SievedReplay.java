package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Replays findings on all rows of a history and on those that are said to be enough, and compares. */
public final class SievedReplay {

    private SievedReplay() {}

    /**
     * Returns what all rows refute.
     *
     * @param newReplay of the findings
     */
    public static List<RefutedFinding> refuted(
            List<Finding> findings,
            @Nullable String initialValue,
            List<HistorySlice> slices,
            Supplier<FindingReplay> newReplay) {
        FindingReplay whole = replayed(slices, newReplay.get());
        List<RefutedFinding> refuted = whole.refuted();
        if (findings.stream().noneMatch(Finding::isOfTables)) {
            FindingReplay sieved = newReplay.get();
            enough(findings, initialValue, slices).forEach(sieved::observe);
            if (sieved.endOfPass()) {
                (sieved.needsAllRows() ? slices : enough(findings, initialValue, slices)).forEach(sieved::observe);
            }
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

    private static List<HistorySlice> enough(
            List<Finding> findings, @Nullable String initialValue, List<HistorySlice> slices) {
        ReplayRowSelection rows = new ReplayRowSelection(findings, initialValue);
        return kept(rows.sieve(rows.asksParticipants() ? kept(rows.participants(), slices) : List.of()), slices);
    }

    private static List<HistorySlice> kept(ReplayRowFilter sieve, List<HistorySlice> slices) {
        return slices.stream().map(sieve::keep).filter(Objects::nonNull).toList();
    }
}
