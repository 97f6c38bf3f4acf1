package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CycleReplayTest {

    private static Edge ww(long from, long to, String key, String older, String newer, EdgeEvidence evidence) {
        return new Edge(from, to, EdgeType.WW, key, older, newer, evidence);
    }

    private static Edge wr(long from, long to, String key, String value) {
        return new Edge(from, to, EdgeType.WR, key, value, value, EdgeEvidence.VALUE);
    }

    private static Edge rw(long from, long to, String key, String read, String newer, EdgeEvidence evidence) {
        return new Edge(from, to, EdgeType.RW, key, read, newer, evidence);
    }

    private static Edge so(long from, long to) {
        return new Edge(from, to, EdgeType.SO, null, null, null, EdgeEvidence.SESSION);
    }

    private static Edge rt(long from, long to) {
        return new Edge(from, to, EdgeType.RT, null, null, null, EdgeEvidence.REALTIME);
    }

    /** The transactions of the edges are on the cycle, and those named besides are needed. */
    private static Finding cycle(Anomaly anomaly, IsolationLevel level, List<Edge> edges, long... needed) {
        List<Participant> participants = new ArrayList<>();
        for (Edge edge : edges) {
            participants.add(new Participant(edge.fromTxnId(), Role.ON_CYCLE, HistorySlice.NONE, HistorySlice.NONE));
        }
        for (long txn : needed) {
            participants.add(new Participant(txn, Role.NEEDED, HistorySlice.NONE, HistorySlice.NONE));
        }
        return new Finding(anomaly, null, level, "cycle", null, participants, null, null, false, edges);
    }

    // ---------------------------------------------------------------- lists

    @Test
    void readSkewOnListsIsConfirmed() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "append(x,2) r(y,_)")
                .txn(2, 2, "append(x,1) append(y,1)")
                .txn(3, 3, "r(x,[1,2])")
                .replayable();
        List<Edge> edges =
                List.of(rw(1, 2, "y", null, "1", EdgeEvidence.LIST), ww(2, 1, "x", "1", "2", EdgeEvidence.LIST));

        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, edges)))
                .isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.SNAPSHOT_ISOLATION, edges, 3)))
                .isEmpty();
    }

    @Test
    void overwritingThatNoListShowsIsRefuted() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "append(x,2) r(y,_)")
                .txn(2, 2, "append(x,1) append(y,1)")
                .replayable();
        List<Edge> edges =
                List.of(rw(1, 2, "y", null, "1", EdgeEvidence.LIST), ww(2, 1, "x", "1", "2", EdgeEvidence.LIST));

        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, edges)))
                .singleElement()
                .asString()
                .startsWith("no list shows the first version before the second");
    }

    @Test
    void overwritingThatListsShowTheOtherWayIsRefuted() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "append(x,2) r(y,_)")
                .txn(2, 2, "append(x,1) append(y,1)")
                .txn(3, 3, "r(x,[2,1])")
                .replayable();
        List<Edge> edges =
                List.of(rw(1, 2, "y", null, "1", EdgeEvidence.LIST), ww(2, 1, "x", "1", "2", EdgeEvidence.LIST));

        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, edges)))
                .isNotEmpty();
    }

    @Test
    void appendThatNoListShowsComesAfterThoseThatAreShown() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "append(x,1) append(y,1)")
                .txn(2, 2, "append(x,2) append(y,2)")
                .txn(3, 3, "r(x,[1])")
                .txn(4, 4, "r(y,[2])")
                .replayable();
        List<Edge> edges =
                List.of(ww(1, 2, "x", "1", "2", EdgeEvidence.LIST), ww(2, 1, "y", "2", "1", EdgeEvidence.LIST));

        assertThat(rows.reasons(cycle(Anomaly.G0, IsolationLevel.PL_1, edges))).isEmpty();
    }

    @Test
    void elementsOfSetsAreMissedWithoutAnyOrder() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "add(s,1) r(t,[])")
                .txn(2, 2, "add(t,1) r(s,[])")
                .replayable();
        List<Edge> edges =
                List.of(rw(1, 2, "t", null, "1", EdgeEvidence.LIST), rw(2, 1, "s", null, "1", EdgeEvidence.LIST));

        assertThat(rows.reasons(cycle(Anomaly.G2_ITEM, IsolationLevel.PL_3, edges)))
                .isEmpty();
    }

    // ---------------------------------------------------------------- classes

    @Test
    void cycleOfAnotherClassIsRefuted() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "w(x,1) r(y,1)")
                .txn(2, 2, "w(y,1) r(x,1)")
                .replayable();
        List<Edge> edges = List.of(wr(1, 2, "x", "1"), wr(2, 1, "y", "1"));

        assertThat(rows.reasons(cycle(Anomaly.G1C, IsolationLevel.PL_2, edges))).isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G1C, IsolationLevel.READ_COMMITTED, edges)))
                .isEmpty();
        for (Anomaly other : List.of(Anomaly.G0, Anomaly.G_SINGLE_ITEM, Anomaly.G1C_PROCESS, Anomaly.G2_ITEM)) {
            assertThat(rows.reasons(cycle(other, IsolationLevel.PL_3, edges)))
                    .as(other.spelling())
                    .isNotEmpty();
        }
        assertThat(rows.reasons(cycle(Anomaly.G1C, IsolationLevel.PL_1, edges))).isNotEmpty();
    }

    @Test
    void writeSkewRulesOutSerializabilityOnly() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "r(x,_) w(y,1)")
                .txn(2, 2, "r(y,_) w(x,1)")
                .replayable();
        List<Edge> edges =
                List.of(rw(1, 2, "x", null, "1", EdgeEvidence.VALUE), rw(2, 1, "y", null, "1", EdgeEvidence.VALUE));

        assertThat(rows.reasons(cycle(Anomaly.G2_ITEM, IsolationLevel.SERIALIZABLE, edges)))
                .isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G2_ITEM, IsolationLevel.PL_3, edges)))
                .isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G2_ITEM, IsolationLevel.SNAPSHOT_ISOLATION, edges)))
                .isNotEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G2_ITEM, IsolationLevel.PL_SI, edges)))
                .isNotEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_NONADJACENT_ITEM, IsolationLevel.PL_SI, edges)))
                .isNotEmpty();
    }

    @Test
    void longForkHasNoNeighbouringMisses() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "w(x,1)")
                .txn(2, 2, "w(y,1)")
                .txn(3, 3, "r(x,1) r(y,_)")
                .txn(4, 4, "r(x,_) r(y,1)")
                .replayable();
        List<Edge> edges = List.of(
                wr(1, 3, "x", "1"),
                rw(3, 2, "y", null, "1", EdgeEvidence.VALUE),
                wr(2, 4, "y", "1"),
                rw(4, 1, "x", null, "1", EdgeEvidence.VALUE));

        assertThat(rows.reasons(cycle(Anomaly.G_NONADJACENT_ITEM, IsolationLevel.PREFIX, edges)))
                .isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_NONADJACENT_ITEM, IsolationLevel.CAUSAL, edges)))
                .isNotEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G2_ITEM, IsolationLevel.PL_3, edges)))
                .isNotEmpty();
    }

    @Test
    void sessionOrderAndRealTimeMustBeThere() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, 10, 20, "w(x,1)")
                .txn(2, 1, 30, 40, "r(x,_)")
                .replayable();
        Edge miss = rw(2, 1, "x", null, "1", EdgeEvidence.VALUE);

        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM_PROCESS, null, List.of(so(1, 2), miss))))
                .isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM_REALTIME, null, List.of(rt(1, 2), miss))))
                .isEmpty();
        assertThat(rows.reasons(
                        cycle(Anomaly.G_SINGLE_ITEM_PROCESS, IsolationLevel.READ_ATOMIC, List.of(so(1, 2), miss))))
                .isEmpty();
        assertThat(rows.reasons(
                        cycle(Anomaly.G_SINGLE_ITEM_REALTIME, IsolationLevel.SERIALIZABLE, List.of(rt(1, 2), miss))))
                .isNotEmpty();
        assertThat(rows.reasons(cycle(
                        Anomaly.G_SINGLE_ITEM_REALTIME, IsolationLevel.STRICT_SERIALIZABLE, List.of(rt(1, 2), miss))))
                .isEmpty();
    }

    @Test
    void overlappingTransactionsHaveNoRealTimeOrder() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, 10, 30, "w(x,1)")
                .txn(2, 2, 30, 40, "r(x,_)")
                .replayable();
        List<Edge> edges = List.of(rt(1, 2), rw(2, 1, "x", null, "1", EdgeEvidence.VALUE));

        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM_REALTIME, null, edges)))
                .singleElement()
                .asString()
                .startsWith("the first had not ended when the second began");
    }

    // ---------------------------------------------------------------- registers

    @Test
    void versionThatWasReadPrecedesTheOneItsReaderWrote() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "w(x,1)")
                .txn(2, 2, "r(x,1) w(x,2) w(y,1)")
                .txn(3, 3, "r(x,1) r(y,1)")
                .replayable();
        List<Edge> edges = List.of(wr(2, 3, "y", "1"), rw(3, 2, "x", "1", "2", EdgeEvidence.VALUE));

        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.READ_ATOMIC, edges)))
                .isEmpty();
        List<Edge> bySession = List.of(wr(2, 3, "y", "1"), rw(3, 2, "x", "1", "2", EdgeEvidence.SESSION));
        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, bySession)))
                .isEmpty();
    }

    @Test
    void blindWritesHaveNoOrderUnlessOneIsAssumed() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, 1, 2, "w(x,1)")
                .txn(2, 1, 3, 4, "w(x,2) w(y,1)")
                .txn(3, 3, 5, 6, "r(x,1) r(y,1)")
                .replayable();

        List<Edge> byValue = List.of(wr(2, 3, "y", "1"), rw(3, 2, "x", "1", "2", EdgeEvidence.VALUE));
        List<Edge> bySession = List.of(wr(2, 3, "y", "1"), rw(3, 2, "x", "1", "2", EdgeEvidence.SESSION));
        List<Edge> byTime = List.of(wr(2, 3, "y", "1"), rw(3, 2, "x", "1", "2", EdgeEvidence.REALTIME));

        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, byValue, 1)))
                .isNotEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, bySession, 1)))
                .isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, bySession)))
                .isNotEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.PL_SI, byTime, 1)))
                .isEmpty();
        assertThat(rows.reasons(cycle(Anomaly.G_SINGLE_ITEM, IsolationLevel.SNAPSHOT_ISOLATION, bySession, 1)))
                .as("an assumed order proves nothing about commit order")
                .isNotEmpty();
    }

    @Test
    void circleOfVersionsIsShownLinkByLink() {
        RowsByHand.Replayed rows = new RowsByHand()
                .txn(1, 1, "r(x,1) w(x,2)")
                .txn(2, 2, "r(x,2)")
                .txn(3, 2, "r(x,1)")
                .replayable();
        List<Edge> circle =
                List.of(ww(1, 1, "x", "1", "2", EdgeEvidence.VALUE), ww(2, 3, "x", "2", "1", EdgeEvidence.SESSION));
        List<Participant> parts = List.of(
                new Participant(1, Role.SUBJECT, HistorySlice.NONE, HistorySlice.NONE),
                new Participant(2, Role.SUBJECT, HistorySlice.NONE, HistorySlice.NONE),
                new Participant(3, Role.SUBJECT, HistorySlice.NONE, HistorySlice.NONE));
        Finding finding = new Finding(
                Anomaly.CYCLIC_VERSIONS, null, IsolationLevel.PL_1, "cycle", "x", parts, null, null, false, circle);
        Finding torn = new Finding(
                Anomaly.CYCLIC_VERSIONS,
                null,
                IsolationLevel.PL_1,
                "cycle",
                "x",
                parts,
                null,
                null,
                false,
                List.of(circle.get(0), ww(2, 3, "x", "2", "1", EdgeEvidence.REALTIME)));

        assertThat(rows.reasons(finding)).isEmpty();
        assertThat(rows.reasons(torn)).isNotEmpty();
    }
}
