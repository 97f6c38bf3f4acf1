package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.ResultCodecTest;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Seeds.TAG)
class FindingsOnTheWireTest {

    @Test
    void valueFindingsSurviveEncoding() {
        int count = 0;
        for (long seed : Seeds.upTo(1_000)) {
            SmallHistory small = seed % 3 == 0 ? RandomReads.of(seed) : RandomHistory.of(seed);
            ReplayedHistory history = new ReplayedHistory(small);
            List<Finding> all = new ArrayList<>(history.readFindings());
            all.addAll(history.orderFindings(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE));
            all.addAll(history.dependencyFindings(
                    List.of(IsolationLevel.values()), VersionSource.WRITES_FOLLOW_READS, VersionSource.SESSION));
            Findings findings = new Findings(1_000);
            for (int i = 0; i < all.size(); i++) {
                findings.keep(i, all.get(i));
            }

            List<Finding> decoded = ResultCodecTest.throughBytes(findings).inTime();

            assertThat(decoded).as("seed=%d", seed).isEqualTo(all);
            count += all.size();
        }
        assertThat(count).isGreaterThan(Seeds.upTo(1_000).length / 10);
    }
}
