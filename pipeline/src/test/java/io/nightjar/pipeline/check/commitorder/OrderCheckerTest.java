package io.nightjar.pipeline.check.commitorder;

import static io.nightjar.formats.level.IsolationLevel.PREFIX;
import static io.nightjar.formats.level.IsolationLevel.SERIALIZABLE;
import static io.nightjar.formats.level.IsolationLevel.SNAPSHOT_ISOLATION;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Half;
import io.nightjar.pipeline.check.Contradiction.Rule;
import io.nightjar.pipeline.check.GeneratedClients;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OrderCheckerTest {

    private static ClientHistory history(String notation) {
        return SmallClientHistory.of(SmallHistory.parse(notation)).history();
    }

    private static LevelAnswer decide(ClientHistory history, IsolationLevel level) {
        return new OrderChecker(history, Budget.unlimited(), false).decide(level);
    }

    private static Contradiction contradiction(String notation, IsolationLevel level) {
        return decide(history(notation), level).contradictions().get(0);
    }

    @Test
    void writeSkewIsACycleOfTwoOverwrites() {
        Contradiction found = contradiction("s1 T1: r(x,_) w(y,1)\ns2 T2: r(y,_) w(x,1)", SERIALIZABLE);

        assertThat(found.level()).isEqualTo(SERIALIZABLE);
        assertThat(found.anomaly()).isEqualTo(Anomaly.COMMIT_ORDER_CYCLE);
        assertThat(found.algorithm()).isEqualTo("saturation");
        assertThat(found.steps())
                .containsExactlyInAnyOrder(
                        Contradiction.Step.of(0, 1, Rule.OVERWRITES, 0, ClientHistory.INITIAL),
                        Contradiction.Step.of(1, 0, Rule.OVERWRITES, 1, ClientHistory.INITIAL));
    }

    @Test
    void lostUpdateTellsSnapshotsFromCommits() {
        Contradiction found = contradiction("s1 T1: r(x,_) w(x,1)\ns2 T2: r(x,_) w(x,2)", SNAPSHOT_ISOLATION);

        assertThat(found.level()).isEqualTo(SNAPSHOT_ISOLATION);
        assertThat(found.steps()).extracting(Contradiction.Step::rule).containsOnly(Rule.NO_OVERLAP, Rule.OVERWRITES);
        assertThat(found.steps().get(0).fromHalf())
                .isEqualTo(found.steps().get(0).rule() == Rule.NO_OVERLAP ? Half.COMMIT : Half.SNAPSHOT);
    }

    @Test
    void theWeakestLevelRuledOutIsNamed() {
        String longFork = "s1 T1: w(x,1)\ns2 T2: w(y,1)\ns3 T3: r(x,1) r(y,_)\ns4 T4: r(x,_) r(y,1)";

        assertThat(contradiction(longFork, SERIALIZABLE).level()).isEqualTo(PREFIX);
        assertThat(contradiction(longFork, SERIALIZABLE).txns()).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void transactionsThatAreNotNeededAreLeftOut() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession();
        for (int txn = 0; txn < 50; txn++) {
            builder.beginTxn(txn).write(2 + txn % 5).read(2 + txn % 5, txn < 5 ? ClientHistory.INITIAL : txn - 5);
        }
        builder.beginTxn(50).read(0, ClientHistory.INITIAL).write(1);
        builder.beginSession().beginTxn(51).read(1, ClientHistory.INITIAL).write(0);

        Contradiction found =
                decide(builder.build(), SERIALIZABLE).contradictions().get(0);

        assertThat(found.txns()).containsExactlyInAnyOrder(50, 51);
    }

    @Test
    void stepsNameKeysOfTheWholeHistory() {
        ClientHistory history = new ClientHistory.Builder()
                .beginSession()
                .beginTxn(1)
                .read(7, ClientHistory.INITIAL)
                .write(3)
                .beginSession()
                .beginTxn(2)
                .read(3, ClientHistory.INITIAL)
                .write(7)
                .logKeys(new int[] {10, 11, 12, 13, 14, 15, 16, 17})
                .build();

        assertThat(decide(history, SERIALIZABLE).contradictions().get(0).steps())
                .extracting(Contradiction.Step::key)
                .containsExactlyInAnyOrder(3, 7);
    }

    @Test
    void readsAndSessionsInACircleNeedNoClocks() {
        Contradiction found = contradiction("s1 T1: r(x,2)\ns1 T2: w(y,1)\ns2 T3: r(y,1) w(x,2)", PREFIX);

        assertThat(found.steps())
                .extracting(Contradiction.Step::rule)
                .containsExactlyInAnyOrder(Rule.SESSION_ORDER, Rule.READ_FROM, Rule.READ_FROM);
    }

    @Test
    void spentBudgetLeavesTheLevelUndecided() {
        LevelAnswer answer = new OrderChecker(history("s1 T1: w(x,1)\ns2 T2: r(x,1)"), Budget.ofNanos(0), false)
                .decide(SERIALIZABLE);

        assertThat(answer.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(answer.reason()).startsWith("the time budget ran out");
    }

    @Test
    void emptyHistoryHolds() {
        assertThat(decide(new ClientHistory.Builder().build(), SNAPSHOT_ISOLATION)
                        .verdict())
                .isEqualTo(Verdict.HOLDS);
    }

    @Test
    void guessesThatFailAreTakenBack() {
        int guessed = 0;
        for (long seed = 1; seed <= 300; seed++) {
            ClientHistory history = GuessGadgets.of(seed, 8 + (int) (seed % 20), 10 + (int) (seed % 31));
            for (IsolationLevel level : OrderAgreementTest.LEVELS) {
                LevelAnswer answer = decide(history, level);
                guessed += answer.searchStates() > 0 ? 1 : 0;
                OrderAgreementTest.checkProof("seed=" + seed, history, level, answer);
            }
        }
        assertThat(guessed).isGreaterThan(300);
    }

    @Test
    void sessionsOfOneTransactionAreJoinedToChains() {
        ClientHistory history = GeneratedClients.of(GeneratorOptions.builder()
                .transactions(600)
                .sessions(300)
                .ops(6)
                .keys(20)
                .recordAborted(false)
                .build());

        for (IsolationLevel level : OrderAgreementTest.LEVELS) {
            OrderAgreementTest.checkProof(level.longName(), history, level, decide(history, level));
        }
        assertThat(decide(history, SNAPSHOT_ISOLATION).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(decide(history, SERIALIZABLE).verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void violationsOfALargeHistoryAreSmall() {
        ClientHistory history = GeneratedClients.of(GeneratorOptions.builder()
                .transactions(12_000)
                .sessions(20)
                .ops(8)
                .keys(2_000)
                .recordAborted(false)
                .build());

        Contradiction found = decide(history, SERIALIZABLE).contradictions().get(0);

        assertThat(found.txns()).hasSizeLessThan(5);
        assertThat(decide(history, SNAPSHOT_ISOLATION).verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void ordersDerivedFromRepeatedValuesStayWithinTheMemory() {
        ClientHistory history = GeneratedClients.of(GeneratorOptions.builder()
                .transactions(2_000)
                .sessions(10)
                .ops(8)
                .keys(200)
                .values(10)
                .recordAborted(false)
                .build());
        Set<String> reasons = new TreeSet<>();
        LevelAnswer answer;
        long bytes = 500_000;
        do {
            Budget budget = Budget.ofNanos(60_000_000_000L).withMemoryBytes(bytes);
            answer = new OrderChecker(history, budget, false).decide(SNAPSHOT_ISOLATION);
            if (answer.verdict() != Verdict.HOLDS) {
                reasons.add(answer.verdict() + ": "
                        + requireNonNull(answer.reason()).replaceFirst(": [0-9]+ .*", ""));
            }
            bytes += bytes / 4;
        } while (answer.verdict() != Verdict.HOLDS && bytes < 1L << 28);

        assertThat(answer.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(reasons)
                .containsExactly(
                        "UNDECIDED: the orders that follow from reads of repeated values do not fit into memory");
    }

    @Test
    void orderThatTheSourceSuggestsIsTakenOnlyIfItIsAWitness() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession().beginTxn(1).write(0);
        builder.beginSession().beginTxn(2).read(0, 0);
        ClientHistory history = builder.hints(new long[][] {{2, 1}, {1, 2}}).build();

        assertThat(OrderChecker.guess(history, SERIALIZABLE).commitOf).containsExactly(0, 1);
        assertThat(CandidateOrder.tryHint(history, SERIALIZABLE, history.hints[0]))
                .isNull();
    }

    @Test
    void aStoreIsServedByItsOwnOrder() {
        ClientHistory history = GeneratedClients.of(GeneratorOptions.builder()
                .store(StoreKind.SER)
                .transactions(500)
                .sessions(7)
                .keys(50)
                .recordAborted(false)
                .build());

        assertThat(WitnessAxioms.fault(history, SERIALIZABLE, OrderChecker.guess(history, SERIALIZABLE)))
                .isNull();
        assertThat(WitnessAxioms.fault(history, PREFIX, OrderChecker.guess(history, PREFIX)))
                .isNull();
    }
}
