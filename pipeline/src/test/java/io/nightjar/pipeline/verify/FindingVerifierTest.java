package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a refutation says; that every true finding is confirmed and every wrong one refuted is tested at random elsewhere. */
class FindingVerifierTest {

    private static final Participant FIRST = new Participant(1, Role.OBSERVED_WRITER, 1, 2);
    private static final Participant SECOND = new Participant(2, Role.EXPECTED_WRITER, 3, 4);
    private static final Participant READER = new Participant(3, Role.READER, 7, 8);

    @Test
    void staleReadIsConfirmed() {
        assertThat(refuted(stale("2", 2L, -4L))).isEmpty();
    }

    @Test
    void wrongExpectedValueIsNamed() {
        assertThat(refuted(stale("5", 2L, -4L))).containsExactly("the last writer wrote another value: claimed=5");
    }

    @Test
    void wrongSlackIsNamed() {
        assertThat(refuted(stale("2", 2L, -5L))).containsExactly("a smaller shift back explains the read: slack=-5");
    }

    @Test
    void shiftToAnotherValueIsNamed() {
        assertThat(refuted(stale("2", 2L, -3L)))
                .containsExactly("the shifted snapshot does not show the observed value: slack=-3");
    }

    @Test
    void sameFindingTwiceIsRefutedOnce() {
        assertThat(refuted(stale("2", 2L, -4L), stale("2", 2L, -4L))).containsExactly("reported twice");
    }

    @Test
    void unknownTransactionIsNamed() {
        Finding finding = read(
                List.of(new Participant(9, Role.READER, 7, 8), SECOND, FIRST),
                new Expectation("2", 2L, "1", 1L, Origin.STALE),
                -4L,
                List.of());

        assertThat(refuted(finding)).singleElement().asString().startsWith("a transaction that is not in the history");
    }

    @Test
    void edgeBetweenStrangersIsRefuted() {
        Finding finding = read(
                List.of(READER, SECOND, FIRST),
                new Expectation("2", 2L, "1", 1L, Origin.STALE),
                -4L,
                List.of(new Edge(1, 8, EdgeType.WR, "x", "1", "1", EdgeEvidence.VALUE)));

        assertThat(refuted(finding)).singleElement().asString().startsWith("an edge that does not belong here");
    }

    @Test
    void sessionNeedsAnotherPass() {
        HistorySlice slice = new SliceRowsWritten("a.jsonl")
                .txn(1, 5, 0, 1, 9)
                .txn(2, 5, 2, 3, 10)
                .txn(3, 5, 1, 9, 9)
                .slice();
        FindingReplay verifier = replay(new Finding(
                Anomaly.SESSION,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                null,
                List.of(new Participant(2, Role.SUBJECT, 3, 10), new Participant(1, Role.PREVIOUS, 1, 9)),
                null,
                6L,
                false,
                List.of()));

        verifier.observe(slice);
        assertThat(verifier.endOfPass()).isTrue();
        verifier.observe(slice);
        assertThat(verifier.endOfPass()).isFalse();

        assertThat(verifier.refuted())
                .extracting(RefutedFinding::reason)
                .containsExactly("another transaction lies between the two in their session: txn=3");
    }

    @Test
    void readsNeedOnePassOnly() {
        FindingReplay verifier = replay(stale("2", 2L, -4L));

        verifier.observe(history());

        assertThat(verifier.endOfPass()).isFalse();
        assertThat(verifier.refuted()).isEmpty();
    }

    @Test
    void listLongerThanItsTextIsCompared() {
        SliceRowsWritten rows = new SliceRowsWritten("a.jsonl").txn(1, 1, 2);
        long[] all = new long[1500];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
            rows.append("l", i);
        }
        HistorySlice slice =
                rows.txn(2, 3, 4).readList("l", Arrays.copyOf(all, 1400)).slice();
        String expected = ListText.of(1500, i -> Long.toString(i));
        String observed = ListText.of(1400, i -> Long.toString(i));
        Finding finding = new Finding(
                Anomaly.EXT,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                "l",
                List.of(
                        new Participant(2, Role.READER, 3, 4),
                        new Participant(1, Role.EXPECTED_WRITER, 1, 2),
                        new Participant(1, Role.OBSERVED_WRITER, 1, 2)),
                new Expectation(expected, 1L, observed, 1L, Origin.STALE),
                null,
                false,
                List.of());
        FindingReplay verifier = replay(finding);

        verifier.observe(slice);

        assertThat(verifier.endOfPass()).isFalse();
        assertThat(verifier.refuted()).isEmpty();
    }

    private static HistorySlice history() {
        return new SliceRowsWritten("a.jsonl")
                .txn(1, 1, 2)
                .write("x", 1)
                .txn(2, 3, 4)
                .write("x", 2)
                .txn(3, 7, 8)
                .read("x", 1)
                .slice();
    }

    private static Finding stale(String expected, Long expectedWriter, Long slack) {
        return read(
                List.of(READER, SECOND, FIRST),
                new Expectation(expected, expectedWriter, "1", 1L, Origin.STALE),
                slack,
                List.of());
    }

    private static Finding read(List<Participant> participants, Expectation read, Long slack, List<Edge> edges) {
        return new Finding(
                Anomaly.EXT,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "chronos-si",
                "x",
                participants,
                read,
                slack,
                false,
                edges);
    }

    private static List<String> refuted(Finding... findings) {
        FindingReplay verifier = replay(findings);
        do {
            verifier.observe(history());
        } while (verifier.endOfPass());
        List<String> reasons = new ArrayList<>();
        verifier.refuted().forEach(refutation -> reasons.add(refutation.reason()));
        return reasons;
    }

    private static FindingReplay replay(Finding... findings) {
        return new FindingReplay(
                List.of(findings),
                null,
                level -> LongSets.EMPTY_SET,
                level -> LongSets.EMPTY_SET,
                LongSets.EMPTY_SET,
                null);
    }
}
