package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PresentationOrderTest {

    private static final Finding LOST = finding(Anomaly.LOST_UPDATE, "x", part(1, Role.SUBJECT), part(2, Role.SUBJECT));
    private static final Finding CYCLE = cycle("x", 1, 2);
    private static final Finding SEARCH = finding(
            Anomaly.COMMIT_ORDER_CYCLE, "x", part(1, Role.ON_CYCLE), part(2, Role.ON_CYCLE), part(9, Role.NEEDED));

    @Test
    void lostUpdateFoundByCycleAndSearchIsOneFault() {
        PresentationOrder order = PresentationOrder.of(List.of(SEARCH, CYCLE, LOST));

        assertThat(order.relatedTo(2)).isNull();
        assertThat(order.relatedTo(0)).isSameAs(LOST);
        assertThat(order.relatedTo(1)).isSameAs(LOST);
        assertThat(order.otherTellings(2)).containsExactlyInAnyOrder("commit-order-cycle", "G2-item");
    }

    @Test
    void cyclesOnOtherKeysAreOtherFaults() {
        PresentationOrder order = PresentationOrder.of(List.of(LOST, cycle("y", 1, 2), cycle("x", 1, 3)));

        assertThat(order.otherTellings(0)).isEmpty();
        assertThat(order.relatedTo(1)).isNull();
        assertThat(order.relatedTo(2)).isNull();
    }

    @Test
    void readWrongAtTwoLevelsIsOneFault() {
        Finding si = read(IsolationLevel.SNAPSHOT_ISOLATION, "1");
        Finding ser = read(IsolationLevel.SERIALIZABLE, "1");

        assertThat(PresentationOrder.of(List.of(si, ser)).relatedTo(1)).isSameAs(si);
        assertThat(PresentationOrder.of(List.of(si, read(IsolationLevel.SERIALIZABLE, "2")))
                        .relatedTo(1))
                .isNull();
    }

    @Test
    void readableFindingsOfEachTypeAreListedFirst() {
        List<Finding> findings = new ArrayList<>(List.of(SEARCH));
        for (long txn = 10; txn < 60; txn += 2) {
            findings.add(cycle("k" + txn, txn, txn + 1));
        }
        findings.add(LOST);

        List<Integer> listed = PresentationOrder.of(findings).listed(4);

        assertThat(listed.stream().map(i -> findings.get(i).anomaly()))
                .containsExactly(Anomaly.LOST_UPDATE, Anomaly.G2_ITEM, Anomaly.G2_ITEM, Anomaly.COMMIT_ORDER_CYCLE);
    }

    @Test
    void noMoreAreListedThanAskedFor() {
        assertThat(PresentationOrder.of(List.of(SEARCH, CYCLE, LOST)).listed(2)).containsExactly(2, 1);
        assertThat(PresentationOrder.of(List.of(SEARCH, CYCLE, LOST)).listed(0)).isEmpty();
    }

    private static Finding cycle(String key, long one, long other) {
        return new Finding(
                Anomaly.G2_ITEM,
                null,
                IsolationLevel.SERIALIZABLE,
                "cycle",
                key,
                List.of(part(one, Role.ON_CYCLE), part(other, Role.ON_CYCLE)),
                null,
                null,
                false,
                List.of(
                        new Edge(one, other, EdgeType.RW, key, "1", "2", EdgeEvidence.VALUE),
                        new Edge(other, one, EdgeType.RW, key, "1", "3", EdgeEvidence.VALUE)));
    }

    private static Finding read(IsolationLevel level, String observed) {
        return new Finding(
                Anomaly.EXT,
                null,
                level,
                "chronos",
                "x",
                List.of(part(3, Role.READER)),
                new Expectation("7", null, observed, null, null),
                null,
                false,
                List.of());
    }

    private static Finding finding(Anomaly anomaly, String key, Participant... participants) {
        return new Finding(
                anomaly,
                null,
                IsolationLevel.SNAPSHOT_ISOLATION,
                "cycle",
                key,
                List.of(participants),
                null,
                null,
                false,
                List.of());
    }

    private static Participant part(long txnId, Role role) {
        return new Participant(txnId, role, 0, 0);
    }
}
