package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The checks agree with the brute-force reading of the definitions, on thousands of random histories. */
class TimestampAgreementTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = 30_000 * Integer.getInteger("nightjar.scale", 1);

    @Test
    void snapshotIsolationAgreesWithTheDefinitions() {
        agree(IsolationLevel.SNAPSHOT_ISOLATION);
    }

    @Test
    void serializabilityAgreesWithTheDefinitions() {
        agree(IsolationLevel.SERIALIZABLE);
    }

    @Test
    void bothLevelsTogetherCountWhatEachCountsAlone() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 5; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            if (ReferenceChronos.canJudge(history)) {
                Findings both = SmallCheck.of(history)
                        .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)
                        .run();

                for (IsolationLevel level : List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)) {
                    assertThat(both.counts(level))
                            .as("seed=%d level=%s%n%s", seed, level, history)
                            .isEqualTo(counts(ReferenceChronos.violations(history, level)));
                }
                assertThat(both.inTime()).as("seed=%d", seed).hasSize(Math.toIntExact(both.total()));
            }
        }
    }

    @Test
    void lanesSpillingSlicesAndRowOrderChangeNothing() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 5; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            SmallCheck plain =
                    SmallCheck.of(history).levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);
            SmallCheck other = SmallCheck.of(history.shuffled(seed))
                    .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)
                    .lanes(8)
                    .txnsPerSlice(2)
                    .encoded();

            assertThat(other.run().inTime())
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(plain.run().inTime());
        }
    }

    @Test
    void partsOfLanesChangeNothing() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 5; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            SmallCheck plain =
                    SmallCheck.of(history).levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);
            SmallCheck parts = SmallCheck.of(history)
                    .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)
                    .lanes(1 << seed % 2)
                    .txnsPerSlice(3)
                    .parts(2 + (int) (seed % 4))
                    .encoded();

            assertThat(parts.run().inTime())
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(plain.run().inTime());
        }
    }

    private static void agree(IsolationLevel level) {
        int judged = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            if (ReferenceChronos.canJudge(history)) {
                judged++;
                String difference = difference(history, level);
                if (difference != null) {
                    SmallHistory smaller = Shrinker.shrink(
                            history, small -> ReferenceChronos.canJudge(small) && difference(small, level) != null);
                    assertThat(difference(smaller, level))
                            .as("seed=%d level=%s shrunk to%n%s", seed, level, smaller)
                            .isNull();
                }
            }
        }
        assertThat(judged).as("histories that can be judged").isGreaterThan(HISTORIES / 2);
    }

    /** What the two say differently, or null. */
    private static String difference(SmallHistory history, IsolationLevel level) {
        List<ExpectedViolation> expected = ReferenceChronos.violations(history, level);
        List<ExpectedViolation> found = new ArrayList<>();
        for (Finding finding : SmallCheck.of(history).levels(level).run().inTime()) {
            found.add(ExpectedViolation.of(finding));
        }
        List<ExpectedViolation> missed = new ArrayList<>(expected);
        found.forEach(missed::remove);
        List<ExpectedViolation> invented = new ArrayList<>(found);
        expected.forEach(invented::remove);
        return missed.isEmpty() && invented.isEmpty()
                ? null
                : "missed " + texts(missed) + "\ninvented " + texts(invented);
    }

    private static List<String> texts(List<ExpectedViolation> violations) {
        return violations.stream().map(ExpectedViolation::toString).toList();
    }

    private static Map<Anomaly, Long> counts(List<ExpectedViolation> violations) {
        Map<Anomaly, Long> counts = new TreeMap<>();
        violations.forEach(violation -> counts.merge(violation.anomaly(), 1L, Long::sum));
        return counts;
    }
}
