package io.nightjar.pipeline.check.commitorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The solver against the definition: all orders of many small histories. */
@Tag(Seeds.TAG)
class OrderAgreementTest {

    static final List<IsolationLevel> LEVELS =
            List.of(IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);

    @Test
    void answersAreThoseOfTheDefinition() {
        for (long seed : Seeds.upTo(20_000)) {
            SmallClientHistory clients = SmallClientHistory.of(RandomReads.of(seed));
            if (clients.isWellFormed()) {
                compare(seed, clients.history());
            }
        }
    }

    @Test
    void verdictsWithKnownVersionOrdersMatchDefinition() {
        for (long seed : Seeds.upTo(5_000)) {
            SmallClientHistory clients = SmallClientHistory.of(RandomReads.of(seed));
            if (clients.isWellFormed()) {
                compare(seed, withVersions(clients.history(), new Random(seed)));
            }
        }
    }

    /** Some keys get an order of some of their writers; mostly one that later transactions come later in. */
    private static ClientHistory withVersions(ClientHistory history, Random random) {
        int[][] versions = new int[history.keyCount][];
        for (int key = 0; key < history.keyCount; key++) {
            if (random.nextInt(3) == 0) {
                continue;
            }
            List<Integer> writers = new ArrayList<>();
            for (int txn = 0; txn < history.txnCount; txn++) {
                if (history.writes(txn, key) && random.nextInt(4) > 0) {
                    writers.add(random.nextInt(writers.size() + 1), txn);
                }
            }
            versions[key] = writers.stream().mapToInt(Integer::intValue).toArray();
        }
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int session = 0; session < history.sessionCount; session++) {
            builder.beginSession();
            for (int txn = history.firstTxnOf[session]; txn < history.firstTxnOf[session + 1]; txn++) {
                builder.beginTxn(history.txnIdOf[txn]);
                for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                    builder.read(
                            random.nextInt(10) == 0 ? ClientHistory.NO_KEY : history.keyOfRead[read],
                            history.writerOf[read]);
                }
                for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                    builder.write(history.keyOfWrite[write]);
                }
            }
        }
        return builder.versions(versions).build();
    }

    @Test
    void answersOnLargerHistoriesProveThemselves() {
        for (long seed : Seeds.upTo(1_500)) {
            Random random = new Random(seed);
            int txns = 15 + random.nextInt(45);
            ClientHistory history = RandomClients.of(
                    seed,
                    2 + random.nextInt(6),
                    txns,
                    2 + random.nextInt(txns / 3),
                    1 + random.nextInt(4),
                    0.1 + 0.5 * random.nextDouble(),
                    random.nextInt(3),
                    random.nextInt(3) == 0 ? 5 : 0);
            OrderChecker checker = new OrderChecker(history, Budget.unlimited());
            for (IsolationLevel level : LEVELS) {
                checkProof("seed=" + seed, history, level, checker.decide(level));
            }
        }
    }

    /** A witness must satisfy the level, a few transactions violate it by definition. */
    static void checkProof(String name, ClientHistory history, IsolationLevel level, LevelAnswer answer) {
        assertThat(answer.verdict()).as("%s level=%s", name, level).isNotEqualTo(Verdict.UNDECIDED);
        if (answer.verdict() == Verdict.HOLDS) {
            assertThat(WitnessAxioms.fault(history, level, answer.witness()))
                    .as("%s level=%s", name, level)
                    .isNull();
        } else if (answer.contradictions().get(0).txns().size() <= ReferenceLevels.MAX_TXNS) {
            checkContradiction(name, history, level, answer.contradictions().get(0));
        }
    }

    private static void compare(long seed, ClientHistory history) {
        ReferenceLevels reference = ReferenceLevels.of(history);
        OrderChecker checker = new OrderChecker(history, Budget.unlimited());
        for (IsolationLevel level : LEVELS) {
            LevelAnswer answer = checker.decide(level);
            assertThat(answer.verdict() == Verdict.HOLDS)
                    .as("seed=%d level=%s", seed, level)
                    .isEqualTo(reference.holds(level));
            checkProof("seed=" + seed, history, level, answer);
        }
    }

    private static void checkContradiction(
            String name, ClientHistory history, IsolationLevel level, Contradiction found) {
        int[] txns = found.txns().stream()
                .mapToInt(Integer::intValue)
                .sorted()
                .distinct()
                .toArray();
        ReferenceLevels alone = ReferenceLevels.of(history.restrictedTo(txns));
        assertThat(txns).as("%s", name).hasSize(found.txns().size());
        assertThat(found.level()).as("%s", name).isLessThanOrEqualTo(level);
        assertThat(LEVELS.stream().filter(weaker -> !alone.holds(weaker)).findFirst())
                .as("weakest level that is violated alone, %s level=%s", name, level)
                .contains(found.level());
        for (int step = 0; step < found.steps().size(); step++) {
            Contradiction.Step next =
                    found.steps().get((step + 1) % found.steps().size());
            assertThat(found.steps().get(step).to()).as("%s", name).isEqualTo(next.from());
            assertThat(found.txns()).contains(next.from());
        }
    }
}
