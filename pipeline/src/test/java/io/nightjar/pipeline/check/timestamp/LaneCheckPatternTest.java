package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.FindingReplay;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The verifier gives findings from timestamps the classic name where one fits. */
class LaneCheckPatternTest {

    @Test
    void overwriteOfEarlierReadVersionIsLostUpdate() {
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
    void differingSecondReadIsNonRepeatable() {
        assertThat(
                        patterns(
                                """
                        s1 T1 [1,2]: w(x,1)
                        s2 T2 [3,4]: r(x,1) r(x,2)
                        """))
                .containsExactly("non-repeatable-read");
    }

    @Test
    void aFindingThatNamesItselfOtherwiseIsRefuted() {
        SmallHistory history = SmallHistory.parse("s1 T1 [1,3]: w(x,1)\ns2 T2 [2,4]: w(x,2)");
        List<Finding> claimed = findings(history).stream()
                .map(finding -> finding.withPattern("lost-update"))
                .toList();

        assertThat(ReferenceFindings.refuted(claimed, history, 2))
                .singleElement()
                .satisfies(refuted -> assertThat(refuted.reason()).startsWith("another pattern"));
    }

    private static List<String> patterns(String text) {
        SmallHistory history = SmallHistory.parse(text);
        FindingReplay replay = new FindingReplay(
                findings(history),
                history.initialValue(),
                level -> LongSets.EMPTY_SET,
                level -> LongSets.EMPTY_SET,
                LongSets.EMPTY_SET,
                null);
        do {
            history.slices(2).forEach(replay::observe);
        } while (replay.endOfPass());
        assertThat(replay.refuted()).isEmpty();
        return replay.named().stream().map(Finding::pattern).toList();
    }

    private static List<Finding> findings(SmallHistory history) {
        return SmallCheck.of(history)
                .levels(IsolationLevel.SNAPSHOT_ISOLATION)
                .run()
                .inTime();
    }
}
