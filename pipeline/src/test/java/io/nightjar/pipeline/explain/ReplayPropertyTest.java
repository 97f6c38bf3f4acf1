package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.verify.OrderRules;
import io.nightjar.pipeline.verify.OrderSearch;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The verifier's own search agrees with the definitions, and what inference and the ladder find is confirmed. */
@Tag(Seeds.TAG)
class ReplayPropertyTest {

    private static final int HISTORIES = 3_000;

    @Test
    void theVerifiersSearchAgreesWithTheDefinitions() {
        for (long seed : Seeds.upTo(HISTORIES)) {
            ReplayedHistory history = new ReplayedHistory(RandomReads.of(seed));
            ReferenceLevels reference = ReferenceLevels.of(history.history());
            for (IsolationLevel level : IsolationLevel.all()) {
                OrderSearch.Answer answer = OrderSearch.decide(history.part(), OrderRules.of(level), () -> false);

                assertThat(answer)
                        .as("nightjar.seed=%d level=%s%n%s", seed, level, history.small)
                        .isEqualTo(
                                reference.holds(level) ? OrderSearch.Answer.POSSIBLE : OrderSearch.Answer.IMPOSSIBLE);
            }
        }
    }

    @Test
    void findingsAreConfirmed() {
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallHistory history = RandomReads.of(seed);
            if (isRefuted(history)) {
                SmallHistory smallest = Shrinker.shrink(history, ReplayPropertyTest::isRefuted);
                ReplayedHistory replayed = new ReplayedHistory(smallest);
                assertThat(replayed.refuted(findings(replayed)))
                        .as("nightjar.seed=%d, smallest history:%n%s", seed, smallest)
                        .isEmpty();
            }
        }
    }

    @Test
    void anyChangeIsRefuted() {
        for (long seed : Seeds.upTo(HISTORIES / 3)) {
            ReplayedHistory history = new ReplayedHistory(RandomReads.of(seed));
            for (Finding honest : findings(history)) {
                for (Finding changed : FindingChanges.of(honest)) {
                    assertThat(history.refuted(List.of(changed)))
                            .as("nightjar.seed=%d honest=%s%nchanged=%s%n%s", seed, honest, changed, history.small)
                            .isNotEmpty();
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void everyKindOccurs() {
        Map<Anomaly, Integer> countBy = new EnumMap<>(Anomaly.class);
        for (long seed : Seeds.upTo(HISTORIES)) {
            for (Finding finding : findings(new ReplayedHistory(RandomReads.of(seed)))) {
                countBy.merge(finding.anomaly(), 1, Integer::sum);
            }
        }

        assertThat(countBy)
                .containsKeys(
                        Anomaly.G1A,
                        Anomaly.G1B,
                        Anomaly.GARBAGE_READ,
                        Anomaly.INTERNAL,
                        Anomaly.FUTURE_READ,
                        Anomaly.COMMIT_ORDER_CYCLE);
    }

    private static boolean isRefuted(SmallHistory history) {
        ReplayedHistory replayed = new ReplayedHistory(history);
        return !replayed.refuted(findings(replayed)).isEmpty();
    }

    static List<Finding> findings(ReplayedHistory history) {
        Set<Finding> findings = new LinkedHashSet<>(history.readFindings());
        findings.addAll(history.orderFindings(
                IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE));
        return List.copyOf(findings);
    }
}
