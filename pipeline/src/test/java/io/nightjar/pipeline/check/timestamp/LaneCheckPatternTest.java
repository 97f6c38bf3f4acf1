package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Findings carry the classic name where one fits. */
class LaneCheckPatternTest {

    @Test
    void anOverwriteOfWhatWasReadBeforeIsALostUpdate() {
        assertThat(
                        patterns(
                                """
                        s1 T1 [1,2]: w(x,1)
                        s2 T2 [3,5]: r(x,1) w(x,2)
                        s3 T3 [4,6]: r(x,1) w(x,3)
                        """))
                .containsExactly("lost-update");
    }

    @Test
    void aBlindOverwriteHasNoClassicName() {
        assertThat(
                        patterns(
                                """
                        s2 T2 [3,5]: w(x,2)
                        s3 T3 [4,6]: w(x,3)
                        """))
                .containsExactly((String) null);
    }

    @Test
    void aSecondReadThatDiffersFromTheFirstIsNonRepeatable() {
        assertThat(
                        patterns(
                                """
                        s1 T1 [1,2]: w(x,1)
                        s2 T2 [3,4]: r(x,1) r(x,2)
                        """))
                .containsExactly("non-repeatable-read");
    }

    private static List<String> patterns(String history) {
        return SmallCheck.of(SmallHistory.parse(history))
                .levels(IsolationLevel.SNAPSHOT_ISOLATION)
                .run()
                .inTime()
                .stream()
                .map(Finding::pattern)
                .toList();
    }
}
