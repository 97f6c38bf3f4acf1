package io.nightjar.pipeline.check;

import static io.nightjar.formats.level.IsolationLevel.CAUSAL;
import static io.nightjar.formats.level.IsolationLevel.PREFIX;
import static io.nightjar.formats.level.IsolationLevel.READ_ATOMIC;
import static io.nightjar.formats.level.IsolationLevel.READ_COMMITTED;
import static io.nightjar.formats.level.IsolationLevel.SERIALIZABLE;
import static io.nightjar.formats.level.IsolationLevel.SNAPSHOT_ISOLATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.infer.ClientHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What papers and their tools say of small histories, and that random ones tell every two neighbouring levels apart. */
class ReferenceLevelsTest {

    @Test
    void serialHistoriesHoldEverywhere() {
        assertHolding("s1 T1: w(x,1)\ns2 T2: r(x,1) w(x,2)\ns3 T3: r(x,2)", SERIALIZABLE);
    }

    @Test
    void writeSkewIsNotSerializable() {
        assertHolding("s1 T1: r(x,_) r(y,_) w(x,1)\ns2 T2: r(x,_) r(y,_) w(y,2)", SNAPSHOT_ISOLATION);
    }

    @Test
    void lostUpdatesAreNotSnapshotIsolation() {
        assertHolding("s1 T1: r(x,_) w(x,1)\ns2 T2: r(x,_) w(x,2)", PREFIX);
    }

    @Test
    void aLongForkHasNoPrefix() {
        assertHolding("s1 T1: w(x,1)\ns2 T2: w(y,1)\ns3 T3: r(x,1) r(y,_)\ns4 T4: r(x,_) r(y,1)", CAUSAL);
    }

    @Test
    void missingACauseIsNotCausal() {
        assertHolding("s1 T1: w(x,1)\ns2 T2: r(x,1) w(y,1)\ns3 T3: r(y,1) r(x,_)", READ_ATOMIC);
    }

    @Test
    void halfATransactionIsNotAtomic() {
        assertHolding("s1 T1: w(x,1) w(y,1)\ns2 T2: r(x,_) r(y,1)", READ_COMMITTED);
    }

    @Test
    void goingBackIsNotEvenReadCommitted() {
        assertHolding("s1 T1: w(x,1) w(y,1)\ns2 T2: r(y,1) r(x,_)", null);
    }

    @Test
    void informationInACircleIsNotEvenReadCommitted() {
        assertHolding("s1 T1: r(y,1) w(x,1)\ns2 T2: r(x,1) w(y,1)", null);
    }

    @Test
    void missingTheOwnSessionsWriteIsReadCommittedOnly() {
        assertHolding("s1 T1: w(x,1)\ns1 T2: r(x,_)", READ_COMMITTED);
    }

    @Test
    void readsOfUnknownTransactionsMakeThemCount() {
        assertHolding("s1 T1?: w(x,1)\ns1 T2: r(x,_)", SERIALIZABLE);
        assertHolding("s1 T1?: w(x,1) w(y,1)\ns2 T2: r(y,1) r(x,_)", null);
        assertHolding("s1 T1?: w(x,1)\ns2 T2?: r(x,1) w(y,1)\ns3 T3: r(y,1)\ns1 T4: r(x,_)", READ_COMMITTED);
    }

    @Test
    void readsOfUnknownTransactionsAreNotJudged() {
        assertHolding("s1 T1: w(x,1)\ns1 T2?: r(x,_) w(y,1)\ns2 T3: r(y,1)", SERIALIZABLE);
    }

    @Test
    void readsThatNoLevelAllowsViolateEveryLevel() {
        assertHolding("s1 T1!: w(x,1)\ns2 T2: r(x,1)", null);
        assertHolding("s1 T1: w(x,1) w(x,2)\ns2 T2: r(x,1)", null);
        assertHolding("s1 T1: r(x,7)", null);
        assertHolding("s1 T1: r(x,1) w(x,1)", null);
        assertHolding("s1 T1: w(x,1) w(x,2) r(x,1)", null);
    }

    @Test
    void initialValueHasNoWriter() {
        assertHolding("# initial-value: 0\ns1 T1: r(x,0)", SERIALIZABLE);
        assertHolding("# initial-value: 0\ns1 T1: w(x,0)\ns2 T2: r(x,0) r(x,_)", null);
    }

    @Test
    void theMinimalPatternsOfPlumeAgree() throws IOException {
        int compared = 0;
        for (Map<String, Object> known : PublishedCases.of("verdicts.json")) {
            String path = JsonTree.at(known, "path");
            if (!path.startsWith("taps/")) {
                continue;
            }
            SmallHistory history = plume(Files.readAllLines(PublishedCases.at(path)));
            ReferenceLevels reference = ReferenceLevels.of(history);
            for (IsolationLevel level : IsolationLevel.all()) {
                boolean expected = Boolean.TRUE.equals(JsonTree.at(known, "verdict", level.shortName()));
                assertThat(reference.holds(level))
                        .as("case=%s level=%s%n%s", path, level, history)
                        .isEqualTo(expected);
            }
            compared++;
        }
        assertThat(compared).isEqualTo(17);
    }

    @Test
    void strongerLevelsHoldOnlyWhereWeakerOnesDo() {
        for (long seed = 1; seed <= 2_000; seed++) {
            SmallHistory history = RandomReads.of(seed);
            List<IsolationLevel> levels = IsolationLevel.all();
            ReferenceLevels reference = ReferenceLevels.of(history);
            for (int stronger = 1; stronger < levels.size(); stronger++) {
                assertThat(!reference.holds(levels.get(stronger)) || reference.holds(levels.get(stronger - 1)))
                        .as("seed=%d%n%s", seed, history)
                        .isTrue();
            }
        }
    }

    @Test
    void randomHistoriesTellEveryTwoNeighbouringLevelsApart() {
        int count = 5_000;
        Map<String, Integer> strongest = new TreeMap<>();
        for (long seed = 1; seed <= count; seed++) {
            Set<IsolationLevel> holding =
                    ReferenceLevels.of(RandomReads.of(seed)).holding();
            strongest.merge(holding.size() + " levels", 1, Integer::sum);
        }

        for (int levels = 0; levels <= IsolationLevel.all().size(); levels++) {
            assertThat(strongest.getOrDefault(levels + " levels", 0))
                    .as("histories with so many levels: %s", strongest)
                    .isGreaterThan(count / 25);
        }
    }

    @Test
    void writersOfValuesDecideAsTheReference() {
        for (long seed = 1; seed <= 2_000; seed++) {
            SmallHistory history = RandomReads.of(seed);
            SmallClientHistory clients = SmallClientHistory.of(history);
            ReferenceLevels reference = ReferenceLevels.of(history);

            assertThat(clients.isWellFormed()).as("seed=%d%n%s", seed, history).isEqualTo(reference.isWellFormed());
            if (clients.isWellFormed()) {
                assertThat(ReferenceLevels.of(clients.history()).holding())
                        .as("seed=%d%n%s", seed, history)
                        .isEqualTo(reference.holding());
            }
        }
    }

    @Test
    void knownOrdersOfVersionsAreKept() {
        ClientHistory.Builder lists = new ClientHistory.Builder();
        lists.beginSession().beginTxn(1).write(0).read(1, 1);
        lists.beginSession().beginTxn(2).write(0).write(1);

        assertThat(ReferenceLevels.of(lists.build()).holding()).hasSize(6);
        assertThat(ReferenceLevels.of(lists.versions(new int[][] {{0, 1}}).build())
                        .holding())
                .isEmpty();
    }

    /** @param strongest the strongest level that holds, and with it all weaker ones; null if none does */
    private static void assertHolding(String notation, IsolationLevel strongest) {
        ReferenceLevels reference = ReferenceLevels.of(SmallHistory.parse(notation));
        for (IsolationLevel level : IsolationLevel.all()) {
            assertThat(reference.holds(level))
                    .as("level=%s%n%s", level, notation)
                    .isEqualTo(strongest != null && level.compareTo(strongest) <= 0);
        }
    }

    /** Lines {@code r|w(key,value,session,txn)}; transaction -1 aborted, value 0 is the initial state. */
    private static SmallHistory plume(List<String> lines) {
        Map<Long, Txn> txns = new TreeMap<>();
        Map<Long, Long> nextSeqOf = new HashMap<>();
        for (String line : lines) {
            String[] fields = line.replaceAll("[rw()\\s]", "").split(",");
            long id = Long.parseLong(fields[3]);
            byte status = id < 0 ? TxnStatus.ABORTED : TxnStatus.COMMITTED;
            Txn txn = txns.computeIfAbsent(id, fresh -> {
                long session = Long.parseLong(fields[2]);
                long seq = nextSeqOf.merge(session, 1L, Long::sum);
                return new Txn(id, session, seq, status, HistorySlice.NONE, HistorySlice.NONE, List.of());
            });
            List<Op> ops = new ArrayList<>(txn.ops());
            ops.add(line.startsWith("w") ? Op.write(fields[0], fields[1]) : Op.read(fields[0], fields[1]));
            txns.put(id, txn.withOps(ops));
        }
        return new SmallHistory(List.copyOf(txns.values()), "0");
    }
}
