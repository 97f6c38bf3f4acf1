package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.UnknownOutcomes.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The checks agree with the brute-force reading of the definitions, on thousands of random histories. */
@Tag(Seeds.TAG)
class TimestampAgreementTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(15_000);

    private static final IsolationLevel[][] LEVELS_IN_TURN = {
        {IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE},
        {IsolationLevel.SNAPSHOT_ISOLATION},
        {IsolationLevel.COMMIT_ORDER_SERIALIZABLE}
    };

    @Test
    void snapshotIsolationAgreesWithTheDefinitions() {
        agree(IsolationLevel.SNAPSHOT_ISOLATION);
    }

    @Test
    void serializabilityAgreesWithTheDefinitions() {
        agree(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
    }

    @Test
    void whoCountsAgreesWithEveryWayInWhichUnknownTransactionsMayHaveEnded() {
        int open = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            SmallHistory history = withUnknown(RandomHistory.of(seed), seed);
            if (ReferenceChronos.canCheck(history)) {
                for (IsolationLevel level :
                        List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
                    assertAgrees(history, level, seed);
                    open += UnknownOutcomes.of(history, level).answer() == Answer.OPEN ? 1 : 0;
                }
            }
        }
        assertThat(open).as("answers that depend on who committed").isPositive();
    }

    /** The history with two in five of its committed writers unknown. */
    private static SmallHistory withUnknown(SmallHistory history, long seed) {
        Random random = new Random(seed);
        List<Txn> rows = new ArrayList<>();
        for (Txn txn : history.txns()) {
            boolean isUnknown = random.nextInt(5) < 2 && !txn.isReadOnly();
            byte status = isUnknown ? TxnStatus.UNKNOWN : txn.status();
            boolean isPlaced = txn.commit() != HistorySlice.NONE;
            rows.add(new Txn(
                    txn.id(),
                    txn.session(),
                    txn.seq(),
                    isPlaced ? status : txn.status(),
                    txn.start(),
                    txn.commit(),
                    txn.ops()));
        }
        return history.withTxns(rows);
    }

    @Test
    void bothLevelsTogetherCountWhatEachCountsAlone() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 5; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            if (ReferenceChronos.canCheck(history)) {
                Findings both = SmallCheck.of(history)
                        .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                        .run();

                for (IsolationLevel level :
                        List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
                    if (!UnknownOutcomes.of(history, level).isCertain()) {
                        continue;
                    }
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
            SmallCheck plain = SmallCheck.of(history)
                    .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
            SmallCheck other = SmallCheck.of(history.shuffled(seed))
                    .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
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
            SmallCheck plain = SmallCheck.of(history)
                    .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
            SmallCheck parts = SmallCheck.of(history)
                    .levels(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                    .lanes(1 << seed % 2)
                    .txnsPerSlice(3)
                    .parts(2 + (int) (seed % 4))
                    .encoded();

            assertThat(parts.run().inTime())
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(plain.run().inTime());
        }
    }

    @Test
    void checkingRowsInTheirOrderChangesNothing() {
        long beyondDoubt = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 2; seed++) {
            SmallHistory any = RandomHistory.of(seed);
            SmallHistory history = seed % 4 == 0 ? any.shuffled(seed) : nearlyInOrder(any, seed);
            if (!ReferenceChronos.canCheck(history)) {
                continue;
            }
            IsolationLevel[] levels = LEVELS_IN_TURN[(int) (seed % 3)];
            SmallCheck plain = SmallCheck.of(history).levels(levels);
            SmallCheck swept = SmallCheck.of(history)
                    .levels(levels)
                    .txnsPerSlice(1 + (int) (seed % 5))
                    .inOrder(1 + (int) (seed % 7), 1 << seed / 3 % 3);

            assertThat(swept.run().inTime())
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(plain.run().inTime());
            for (IsolationLevel level : levels) {
                assertThat(swept.isDoubtful(level))
                        .as("seed=%d%n%s", seed, history)
                        .isEqualTo(plain.isDoubtful(level));
                assertThat(swept.unknown().counted(level))
                        .isEqualTo(plain.unknown().counted(level));
            }
            beyondDoubt += swept.sweep().keyCount() - swept.sweep().suspectKeys();
        }
        assertThat(beyondDoubt).as("keys that no lane had to check").isGreaterThan(HISTORIES / 4);
    }

    @Test
    void rowsThatComeWhenOthersOfTheirTimestampHaveLeftChangeNothing() {
        long beyondDoubt = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 5; seed++) {
            SmallHistory history = nearlyInOrder(tied(RandomHistory.of(seed), seed), seed, 2);
            if (!ReferenceChronos.canCheck(history)) {
                continue;
            }
            IsolationLevel[] levels = LEVELS_IN_TURN[(int) (seed % 3)];
            SmallCheck plain = SmallCheck.of(history).levels(levels);
            SmallCheck swept = SmallCheck.of(history)
                    .levels(levels)
                    .txnsPerSlice(1)
                    .inOrder(1 + (int) Math.max(0, seed / 3 % 8 - 4), 1 << seed % 2);

            assertThat(swept.run().inTime())
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(plain.run().inTime());
            beyondDoubt += swept.sweep().keyCount() - swept.sweep().suspectKeys();
        }
        assertThat(beyondDoubt).as("keys that no lane had to check").isGreaterThan(HISTORIES / 20);
    }

    /** The history by a clock that moves rarely, so that many commit at one timestamp and some start at it too. */
    private static SmallHistory tied(SmallHistory history, long seed) {
        Random random = new Random(~seed);
        long tick = 1 + random.nextInt(4);
        List<Txn> rows = new ArrayList<>();
        for (Txn txn : history.txns()) {
            long commit = txn.commit() == HistorySlice.NONE ? txn.commit() : txn.commit() / tick;
            long start = txn.start() == HistorySlice.NONE ? txn.start() : txn.start() / tick;
            boolean isAtOnce = commit != HistorySlice.NONE && start != HistorySlice.NONE && random.nextInt(3) > 0;
            rows.add(new Txn(
                    txn.id(), txn.session(), txn.seq(), txn.status(), isAtOnce ? commit : start, commit, txn.ops()));
        }
        return history.withTxns(rows);
    }

    /** The history in the order of commits, but for some rows that stand a little behind. */
    private static SmallHistory nearlyInOrder(SmallHistory history, long seed) {
        return nearlyInOrder(history, seed, 6);
    }

    private static SmallHistory nearlyInOrder(SmallHistory history, long seed, int rowsForOneLater) {
        Random random = new Random(seed);
        List<Txn> rows = new ArrayList<>(history.txns());
        rows.sort(Comparator.comparingLong(txn -> txn.commit() == HistorySlice.NONE ? txn.start() : txn.commit()));
        for (int i = 0; i + 1 < rows.size(); i++) {
            if (random.nextInt(rowsForOneLater) == 0) {
                Collections.swap(rows, i, Math.min(rows.size() - 1, i + 1 + random.nextInt(4)));
            }
        }
        return history.withTxns(rows);
    }

    private static void agree(IsolationLevel level) {
        int judged = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            if (ReferenceChronos.canCheck(history)) {
                judged++;
                assertAgrees(history, level, seed);
            }
        }
        assertThat(judged).as("histories that can be judged").isGreaterThan(HISTORIES / 2);
    }

    private static void assertAgrees(SmallHistory history, IsolationLevel level, long seed) {
        if (difference(history, level) != null) {
            SmallHistory smaller = Shrinker.shrink(
                    history, small -> ReferenceChronos.canCheck(small) && difference(small, level) != null);
            assertThat(difference(smaller, level))
                    .as("seed=%d level=%s shrunk to%n%s", seed, level, smaller)
                    .isNull();
        }
    }

    /** What the two say differently, or null. */
    private static String difference(SmallHistory history, IsolationLevel level) {
        UnknownOutcomes outcomes = UnknownOutcomes.of(history, level);
        SmallCheck check = SmallCheck.of(history).levels(level);
        List<ExpectedViolation> found = new ArrayList<>();
        for (Finding finding : check.run().inTime()) {
            found.add(ExpectedViolation.of(finding));
        }
        Answer answer = !found.isEmpty() ? Answer.VIOLATED : check.isDoubtful(level) ? Answer.OPEN : Answer.HOLDS;
        boolean mayBeOpen = outcomes.dependsOnSessions() && answer == Answer.OPEN;
        if (answer != outcomes.answer() && !mayBeOpen) {
            return "answer=" + answer + " expected=" + outcomes.answer() + " counted="
                    + check.unknown().counted(level) + " smallest=" + outcomes.smallest() + " found=" + texts(found);
        }
        if (!outcomes.isCertain()) {
            return null;
        }
        if (!check.unknown().counted(level).equals(outcomes.counted())) {
            return "counted=" + check.unknown().counted(level) + " expected=" + outcomes.counted();
        }
        List<ExpectedViolation> expected = ReferenceChronos.violations(history, level);
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
