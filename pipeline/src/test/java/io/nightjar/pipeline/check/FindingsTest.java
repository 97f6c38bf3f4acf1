package io.nightjar.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Findings that need not be made are those that would not be kept. */
@Tag(Seeds.TAG)
class FindingsTest {

    private static Finding finding(long txnId, Anomaly anomaly) {
        return new Finding(
                anomaly,
                null,
                IsolationLevel.SERIALIZABLE,
                "test",
                null,
                List.of(new Participant(txnId, Role.READER, 0, 0)),
                null,
                null,
                false,
                List.of());
    }

    @Test
    void findingPastLimitIsNotKept() {
        List<Anomaly> types = List.of(Anomaly.EXT, Anomaly.INT, Anomaly.RESULT_SET_MISMATCH);
        long spared = 0;
        for (long seed : Seeds.upTo(300)) {
            Random random = new Random(seed);
            int limit = random.nextInt(6);
            Findings all = new Findings(limit);
            Findings lazy = new Findings(limit);
            for (int i = random.nextInt(60); i > 0; i--) {
                long at = random.nextInt(40);
                Anomaly anomaly = types.get(random.nextInt(random.nextInt(types.size()) + 1));
                all.keep(at, finding(at, anomaly));
                if (lazy.isPast(at, anomaly)) {
                    spared++;
                } else {
                    lazy.keep(at, finding(at, anomaly));
                }
            }
            assertThat(lazy.inTime()).as("seed=" + seed).isEqualTo(all.inTime());
        }
        assertThat(spared).isPositive();
    }

    @Test
    void withdrawnFindingsAreSubtractedFromLevelCounts() {
        Findings findings = new Findings(10);
        Finding first = finding(1, Anomaly.COMMIT_ORDER_CYCLE);
        Finding second = finding(2, Anomaly.COMMIT_ORDER_CYCLE);
        findings.keep(0, first);
        findings.keep(1, second);
        findings.countRows(2);
        findings.count(IsolationLevel.SNAPSHOT_ISOLATION, Anomaly.COMMIT_ORDER_CYCLE, 1);
        findings.count(IsolationLevel.SERIALIZABLE, Anomaly.COMMIT_ORDER_CYCLE, 2);
        findings.count(IsolationLevel.STRICT_SERIALIZABLE, Anomaly.COMMIT_ORDER_CYCLE, 1);

        assertThat(findings.withdraw(first))
                .containsExactly(IsolationLevel.SERIALIZABLE, IsolationLevel.STRICT_SERIALIZABLE);
        assertThat(findings.inTime()).containsExactly(second);
        assertThat(findings.total()).isEqualTo(1);
        assertThat(findings.counts(IsolationLevel.SNAPSHOT_ISOLATION)).hasSize(1);
        assertThat(findings.counts(IsolationLevel.SERIALIZABLE)).containsEntry(Anomaly.COMMIT_ORDER_CYCLE, 1L);
        assertThat(findings.counts(IsolationLevel.STRICT_SERIALIZABLE)).isEmpty();
    }
}
