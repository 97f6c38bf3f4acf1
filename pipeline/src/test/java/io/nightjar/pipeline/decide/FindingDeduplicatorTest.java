package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FindingDeduplicatorTest {

    private static final IsolationLevel LEVEL = IsolationLevel.SERIALIZABLE;

    private final Findings findings = new Findings(10);
    private final FindingDeduplicator known = new FindingDeduplicator();

    @Test
    void cyclesThroughTheSameTransactionsCountOnce() {
        known.keepNew(List.of(cycle(1, 2), cycle(2, 1), cycle(1, 3)));
        known.count(findings, Anomaly.G2_ITEM, 3, level -> 3, EnumSet.of(LEVEL));
        known.giveTo(findings);

        assertThat(findings.counts(LEVEL)).containsEntry(Anomaly.G2_ITEM, 2L);
        assertThat(findings.total()).isEqualTo(findings.keptCount()).isEqualTo(2);
    }

    @Test
    void cyclesOfTwoChecksCountOnce() {
        known.keepNew(List.of(cycle(1, 2)));
        known.count(findings, Anomaly.G2_ITEM, 1, level -> 1, EnumSet.of(LEVEL));
        known.keepNew(List.of(cycle(1, 2), cycle(1, 3)));
        known.count(findings, Anomaly.G2_ITEM, 2, level -> 2, EnumSet.of(LEVEL));
        known.giveTo(findings);

        assertThat(findings.counts(LEVEL)).containsEntry(Anomaly.G2_ITEM, 2L);
        assertThat(findings.total()).isEqualTo(findings.keptCount()).isEqualTo(2);
    }

    private static Finding cycle(long... txns) {
        List<Participant> participants = LongStream.of(txns)
                .mapToObj(txn -> new Participant(txn, Role.ON_CYCLE, 0, 0))
                .toList();
        return new Finding(Anomaly.G2_ITEM, null, LEVEL, "cycle", null, participants, null, null, false, List.of());
    }
}
