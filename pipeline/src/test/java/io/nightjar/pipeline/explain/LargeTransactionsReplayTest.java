package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.ClassicPattern;
import io.nightjar.pipeline.verify.OrderRules;
import io.nightjar.pipeline.verify.OrderSearch;
import io.nightjar.pipeline.verify.SubHistory;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Findings whose transactions have so many operations that a replay of quadratic cost would not end. */
@Tag("slow")
class LargeTransactionsReplayTest {

    private static final int COUNT = 200_000;

    @Test
    void readsFromTwoWritersAreDecidedAtEveryLevel() {
        SubHistory part = new SubHistory();
        int first = part.txn(1, 1);
        int second = part.txn(2, 1);
        int reader = part.txn(3, 1);
        for (int key = 0; key < COUNT; key++) {
            part.write(first, key).write(second, key);
            part.read(reader, key, key, key % 2 == 0 ? first : second);
        }

        for (OrderRules.Axiom axiom : OrderRules.Axiom.values()) {
            assertThat(OrderSearch.decide(part, new OrderRules(axiom, true, false), () -> false))
                    .as("%s", axiom)
                    .isEqualTo(OrderSearch.Answer.IMPOSSIBLE);
        }
        assertThat(ClassicPattern.of(part, () -> false)).isEqualTo(ClassicPattern.NON_MONOTONIC_READ);
    }

    /** Two chains of reads, each of which ends at a reader that sees one writer of a key and read the other. */
    private static SubHistory chains(int length) {
        SubHistory part = new SubHistory();
        for (int txn = 0; txn < 2 * length; txn++) {
            part.txn(txn, 1);
        }
        part.write(0, 0).write(length, 0);
        for (int i = 1; i < length; i++) {
            part.write(i - 1, i).read(i, 0, i, i - 1);
            part.write(length + i - 1, length + i).read(length + i, 0, length + i, length + i - 1);
        }
        part.read(length - 1, 1, 0, length).read(2 * length - 1, 1, 0, 0);
        return part;
    }

    @Test
    void longSearchesEndWhenTimeIsOver() {
        OrderRules rules = new OrderRules(OrderRules.Axiom.SERIAL, true, false);

        assertThat(OrderSearch.decide(chains(1_000), rules, () -> true)).isEqualTo(OrderSearch.Answer.UNDECIDED);
        assertThat(OrderSearch.decide(chains(1_000), rules, () -> false)).isEqualTo(OrderSearch.Answer.IMPOSSIBLE);
        assertThat(OrderSearch.decide(chains(40_000), rules, () -> false)).isEqualTo(OrderSearch.Answer.UNDECIDED);
    }

    @Test
    void shortAndPolynomialSearchesIgnoreTime() {
        OrderRules causal = new OrderRules(OrderRules.Axiom.CAUSAL, true, false);
        OrderRules serial = new OrderRules(OrderRules.Axiom.SERIAL, true, false);

        assertThat(OrderSearch.decide(chains(1_000), causal, () -> true)).isEqualTo(OrderSearch.Answer.IMPOSSIBLE);
        assertThat(OrderSearch.decide(chains(50), serial, () -> true)).isEqualTo(OrderSearch.Answer.IMPOSSIBLE);
    }

    @Test
    void findingsOfEndedSearchesAreNeitherConfirmedNorRefuted() {
        StringBuilder left = new StringBuilder("s0 T1: w(z,1) w(a1,1)\n");
        StringBuilder right = new StringBuilder("t0 T1001: w(z,2) w(b1,1)\n");
        for (int i = 1; i < 1_000; i++) {
            left.append("s%d T%d: r(a%d,1) w(a%d,1)".formatted(i, i + 1, i, i + 1))
                    .append(i == 999 ? " r(z,2)" : "")
                    .append('\n');
            right.append("s%d T%d: r(b%d,1) w(b%d,1)".formatted(1000 + i, 1001 + i, i, i + 1))
                    .append(i == 999 ? " r(z,1)" : "")
                    .append('\n');
        }
        ReplayedHistory history = ReplayedHistory.parse(left + right.toString().replace("t0", "s1000"));
        List<Finding> findings = history.orderFindings(IsolationLevel.SERIALIZABLE);

        assertThat(findings).hasSize(1);
        assertThat(history.open(findings, () -> true)).isEqualTo(findings);
        assertThat(history.open(findings, () -> false)).isEmpty();
    }

    @Test
    void oneStaleReadBehindManyReadsIsAFracturedRead() {
        SubHistory part = new SubHistory();
        int first = part.txn(1, 1);
        int second = part.txn(2, 1);
        int reader = part.txn(3, 1);
        for (int key = 0; key < COUNT; key++) {
            part.write(first, key).write(second, key);
            part.read(reader, key, key, first);
        }
        part.write(first, COUNT).write(second, COUNT).read(reader, COUNT, COUNT, second);

        assertThat(OrderSearch.decide(part, new OrderRules(OrderRules.Axiom.READ_COMMITTED, true, false), () -> false))
                .isEqualTo(OrderSearch.Answer.POSSIBLE);
        assertThat(ClassicPattern.of(part, () -> false)).isEqualTo(ClassicPattern.FRACTURED_READ);
    }

    @Test
    void manyWritesMissedByEachOtherAreAWriteSkew() {
        SubHistory part = new SubHistory();
        int left = part.txn(1, 1);
        int right = part.txn(2, 1);
        for (int key = 0; key < COUNT; key++) {
            part.read(left, 2 * key, key, SubHistory.INITIAL);
            part.write(right, key);
            part.read(right, 2 * key, COUNT + key, SubHistory.INITIAL);
            part.write(left, COUNT + key);
        }

        assertThat(ClassicPattern.of(part, () -> false)).isEqualTo(ClassicPattern.WRITE_SKEW);
    }

    @Test
    void manyReadsBySeparateReadersAreLongFork() {
        SubHistory part = new SubHistory();
        int left = part.txn(1, 1);
        int right = part.txn(2, 1);
        int one = part.txn(3, 1);
        int other = part.txn(4, 1);
        for (int key = 0; key < COUNT; key++) {
            part.write(left, key).write(right, COUNT + key);
            part.read(one, 2 * key, key, left).read(one, 2 * key + 1, COUNT + key, SubHistory.INITIAL);
            part.read(other, 2 * key, key, SubHistory.INITIAL).read(other, 2 * key + 1, COUNT + key, right);
        }

        assertThat(ClassicPattern.of(part, () -> false)).isEqualTo(ClassicPattern.LONG_FORK);
    }

    @Test
    void abortedReadsOfManyKeysAreConfirmed() {
        ReplayedHistory history = ReplayedHistory.parse(
                "s0 T1!: " + ops(i -> "w(k%d,1)".formatted(i)), "s1 T2: " + ops(i -> "r(k%d,1)".formatted(i)));

        assertConfirmed(history, Anomaly.G1A);
    }

    @Test
    void abortedReadsOfOneKeyAreConfirmed() {
        ReplayedHistory history = ReplayedHistory.parse(
                "s0 T1!: " + ops(i -> "w(x,%d)".formatted(i)),
                "s1 T2: r(x,%d) ".formatted(COUNT - 1) + ops(i -> "r(x,%d)".formatted(COUNT - 1)));

        assertConfirmed(history, Anomaly.G1A);
    }

    @Test
    void futureReadsBeforeManyWritesAreConfirmed() {
        ReplayedHistory history = ReplayedHistory.parse(
                "s0 T1: " + ops(i -> "r(x,%d)".formatted(COUNT - 1)) + " " + ops(i -> "w(x,%d)".formatted(i)));

        assertConfirmed(history, Anomaly.FUTURE_READ);
    }

    @Test
    void commitOrderCycleOfManyReadsIsConfirmed() {
        ReplayedHistory history = ReplayedHistory.parse(
                "s0 T1: " + ops(i -> "w(k%d,1)".formatted(i)),
                "s1 T2: " + ops(i -> "w(k%d,2)".formatted(i)),
                "s2 T3: " + ops(i -> "r(k%d,%d)".formatted(i, 1 + i % 2)));
        List<Finding> findings = history.orderFindings(IsolationLevel.READ_ATOMIC, IsolationLevel.SERIALIZABLE);

        assertThat(findings).extracting(Finding::anomaly).contains(Anomaly.COMMIT_ORDER_CYCLE);
        assertThat(history.refuted(findings)).isEmpty();
    }

    @Test
    void oneAbsentReadOfALargeTransactionIsConfirmed() {
        ReplayedHistory history = ReplayedHistory.parse(
                "s0 T1: " + ops(i -> "w(k%d,1)".formatted(i)),
                "s1 T2: " + ops(i -> "r(k%d,1)".formatted(i)),
                "s2 T3: r(k1,_) r(k2,1)");
        List<Finding> findings = history.orderFindings(IsolationLevel.READ_ATOMIC, IsolationLevel.SERIALIZABLE);

        assertThat(findings).extracting(Finding::anomaly).contains(Anomaly.COMMIT_ORDER_CYCLE);
        assertThat(history.refuted(findings)).isEmpty();
    }

    @Test
    void garbageInALongListIsConfirmed() {
        String list = IntStream.range(0, COUNT).mapToObj(String::valueOf).collect(Collectors.joining(","));

        assertConfirmed(ReplayedHistory.parse("s0 T1: r(l,[%s])".formatted(list)), Anomaly.GARBAGE_READ);
    }

    private static void assertConfirmed(ReplayedHistory history, Anomaly anomaly) {
        List<Finding> findings = history.dependencyFindings(IsolationLevel.all());

        assertThat(findings).extracting(Finding::anomaly).contains(anomaly);
        assertThat(history.refuted(findings)).isEmpty();
    }

    private static String ops(IntFunction<String> op) {
        return IntStream.range(0, COUNT).mapToObj(op).collect(Collectors.joining(" "));
    }
}
