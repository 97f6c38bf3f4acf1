package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomLists;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SideBySide;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Verdicts that follow from those of another history, whatever they are. */
@Tag(Seeds.TAG)
class VerdictRelationsTest {

    private static final int HISTORIES = 500;

    private static final Set<IsolationLevel> LEVELS = EnumSet.copyOf(IsolationLevel.all());

    static {
        LEVELS.addAll(EnumSet.of(
                IsolationLevel.PL_1,
                IsolationLevel.PL_2,
                IsolationLevel.PL_2_99,
                IsolationLevel.PL_SI,
                IsolationLevel.PL_3));
    }

    /** Counted by looking at each read for itself, whatever the order of transactions. */
    private static final Set<Anomaly> COUNTED = EnumSet.of(
            Anomaly.G1A,
            Anomaly.G1B,
            Anomaly.GARBAGE_READ,
            Anomaly.FUTURE_READ,
            Anomaly.INTERNAL,
            Anomaly.DUPLICATE_ELEMENTS);

    @FunctionalInterface
    private interface Change {

        SmallHistory of(SmallHistory history, long seed);
    }

    @Test
    void permutedRowsKeepVerdictsAndCounts() {
        compare("rows permuted", SmallHistory::shuffled);
    }

    @Test
    void renamedKeysKeepVerdictsAndCounts() {
        compare("keys renamed", VerdictRelationsTest::withOtherKeys);
    }

    @Test
    void renumberedSessionsKeepVerdictsAndCounts() {
        compare("sessions renumbered", VerdictRelationsTest::withOtherSessions);
    }

    private static void compare(String relation, Change change) {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        int compared = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            compared++;
            SmallHistory history = history(seed);
            if (difference(history, change.of(history, seed)) != null) {
                SmallHistory smaller =
                        Shrinker.shrink(history, fewer -> difference(fewer, change.of(fewer, seed)) != null);
                assertThat(difference(smaller, change.of(smaller, seed)))
                        .as("nightjar.seed=%d %s, shrunk to%n%s%n%s", seed, relation, smaller, change.of(smaller, seed))
                        .isNull();
            }
            decide(history).verdicts().values().forEach(verdict -> counts.merge(verdict, 1, Integer::sum));
        }
        report(relation, compared, counts);
    }

    private static String difference(SmallHistory history, SmallHistory changed) {
        SmallDecision one = decide(history);
        SmallDecision other = decide(changed);
        if (one.refuted() != null || other.refuted() != null) {
            return one.refuted() + " " + other.refuted();
        }
        if (!one.verdicts().equals(other.verdicts())) {
            return one.verdicts() + " " + one.reasons() + " " + other.verdicts() + " " + other.reasons();
        }
        for (IsolationLevel level : LEVELS) {
            if (!counted(one, level).equals(counted(other, level))) {
                return level.longName() + ": " + counted(one, level) + " " + counted(other, level);
            }
        }
        return null;
    }

    @Test
    void unionHasWorstVerdictOfItsParts() {
        checkUnions("disjoint unions", (whole, seed) -> whole);
    }

    /** A session of the first and one of the second become one, whose transactions alternate in any way. */
    @Test
    void unionJoinedBySessionHasWorstVerdictOfItsParts() {
        checkUnions("unions joined by a session", VerdictRelationsTest::withJoinedSessions);
    }

    /** A session on keys of its own stands between all others. */
    @Test
    void unionWithSeparateSessionHasWorstVerdictOfParts() {
        checkUnions("unions with a session on its own keys", VerdictRelationsTest::withOwnSession);
    }

    /** No client saw the order of versions that commit timestamps give. */
    @Test
    void commitTimestampsViolateNoLevelThatValuesProve() {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        int compared = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            compared++;
            SmallHistory history = RandomHistory.of(seed);
            SmallDecision byValues = decide(history);
            SmallDecision decision = SmallDecision.of(
                    history.slices(3),
                    new OperationLogBuilder(history.initialValue()),
                    history.initialValue(),
                    LEVELS,
                    true);
            assertThat(decision.refuted())
                    .as("nightjar.seed=%d%n%s", seed, history)
                    .isNull();
            for (IsolationLevel level : LEVELS) {
                Verdict verdict = decision.verdict(level);
                if (byValues.verdict(level) != Verdict.UNDECIDED) {
                    assertThat(verdict)
                            .as("nightjar.seed=%d %s%n%s", seed, level, history)
                            .isEqualTo(byValues.verdict(level));
                }
                counts.merge(verdict, 1, Integer::sum);
            }
        }
        assertThat(counts).containsKeys(Verdict.HOLDS, Verdict.VIOLATED);
        report("commit timestamps used", compared, counts);
    }

    private static void checkUnions(String relation, Change bridge) {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        int compared = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            compared++;
            SideBySide union = SideBySide.of(List.of(ofNumbers(2 * seed), ofNumbers(2 * seed + 1)), seed);
            SmallHistory whole = bridge.of(union.whole(), seed);
            SmallDecision decision = decide(whole);
            SmallDecision first = decide(union.parts().get(0));
            SmallDecision second = decide(union.parts().get(1));

            assertThat(decision.refuted())
                    .as("nightjar.seed=%d%n%s", seed, whole)
                    .isNull();
            for (IsolationLevel level : LEVELS) {
                Verdict worst = first.verdict(level).worse(second.verdict(level));
                boolean isOpen = decision.verdict(level) == Verdict.UNDECIDED
                        && !IsolationLevel.all()
                                .contains(level); // its proofs and searches are of groups without faulty reads
                if (isOpen) {
                    counts.merge(Verdict.UNDECIDED, 1, Integer::sum);
                    continue;
                }
                assertThat(decision.verdict(level))
                        .as("nightjar.seed=%d %s %s%n%s", seed, level, decision.reasons(), whole)
                        .isEqualTo(worst);
                Map<Anomaly, Long> sum = new EnumMap<>(counted(first, level));
                counted(second, level).forEach((anomaly, count) -> sum.merge(anomaly, count, Long::sum));
                assertThat(counted(decision, level))
                        .as("nightjar.seed=%d %s%n%s", seed, level, whole)
                        .isEqualTo(sum);
                counts.merge(worst, 1, Integer::sum);
            }
        }
        report(relation, compared, counts);
    }

    private static void report(String relation, int compared, Map<Verdict, Integer> counts) {
        if (Seeds.areOfCampaign()) {
            System.out.println(
                    "relations, " + relation + ": " + compared + " histories, verdicts: " + new TreeMap<>(counts));
        }
    }

    private static EnumMap<Anomaly, Long> counted(SmallDecision decision, IsolationLevel level) {
        EnumMap<Anomaly, Long> counted = new EnumMap<>(Anomaly.class);
        counted.putAll(decision.counts().get(level));
        counted.keySet().retainAll(COUNTED);
        return counted;
    }

    private static SmallDecision decide(SmallHistory history) {
        return SmallDecision.of(history.slices(3), history.initialValue(), LEVELS);
    }

    // ---------------------------------------------------------------- histories

    private static SmallHistory history(long seed) {
        return seed % 3 == 0 ? RandomHistory.of(seed) : ofNumbers(seed);
    }

    /** Keys and values are numbers, and the initial state has no value. */
    private static SmallHistory ofNumbers(long seed) {
        SmallHistory history = seed % 2 == 0 ? RandomLists.of(seed) : RandomReads.of(seed);
        return history.initialValue() == null ? history : RandomLists.of(seed);
    }

    private static SmallHistory withOtherKeys(SmallHistory history, long seed) {
        List<String> names = new ArrayList<>(history.keys());
        for (int i = 0; i < names.size(); i += 2) {
            names.set(i, "9" + names.get(i));
        }
        Collections.shuffle(names, new Random(seed));
        Map<String, String> nameOf = new HashMap<>();
        history.keys().forEach(key -> nameOf.put(key, names.get(nameOf.size())));
        return history.withTxns(history.txns().stream()
                .map(txn -> txn.withOps(txn.ops().stream()
                        .map(op -> new Op(op.kind(), nameOf.get(op.key()), op.value(), op.elements()))
                        .toList()))
                .toList());
    }

    private static SmallHistory withOtherSessions(SmallHistory history, long seed) {
        List<Long> sessions = new ArrayList<>(
                history.txns().stream().map(Txn::session).distinct().toList());
        List<Long> numbers = new ArrayList<>();
        sessions.forEach(session -> numbers.add(100L - 7 * numbers.size()));
        Collections.shuffle(numbers, new Random(seed));
        return history.withTxns(history.txns().stream()
                .map(txn -> inSession(txn, numbers.get(sessions.indexOf(txn.session())), txn.seq()))
                .toList());
    }

    private static SmallHistory withJoinedSessions(SmallHistory whole, long seed) {
        long first = whole.txns().stream().mapToLong(Txn::session).min().orElseThrow();
        long second = whole.txns().stream().mapToLong(Txn::session).max().orElseThrow();
        List<Long> turns = new ArrayList<>();
        whole.txns().stream()
                .map(Txn::session)
                .filter(session -> session == first || session == second)
                .forEach(turns::add);
        Collections.shuffle(turns, new Random(seed));
        Map<Long, Integer> positionOf = new HashMap<>(); // by transaction
        for (long session : Set.of(first, second)) {
            List<Txn> ofSession = new ArrayList<>(whole.txns().stream()
                    .filter(txn -> txn.session() == session)
                    .toList());
            ofSession.sort((one, other) -> Long.compare(one.seq(), other.seq()));
            int next = 0;
            for (int turn = 0; turn < turns.size(); turn++) {
                if (turns.get(turn) == session) {
                    positionOf.put(ofSession.get(next++).id(), turn);
                }
            }
        }
        return whole.withTxns(whole.txns().stream()
                .map(txn -> positionOf.containsKey(txn.id()) ? inSession(txn, first, positionOf.get(txn.id())) : txn)
                .toList());
    }

    private static SmallHistory withOwnSession(SmallHistory whole, long seed) {
        List<Txn> rows = new ArrayList<>(whole.txns());
        Random random = new Random(seed);
        String last = null;
        for (int seq = 0; seq < 3; seq++) {
            String value = Integer.toString(1000 + seq);
            List<Op> ops = List.of(Op.read("7777", last), Op.write("7777", value));
            last = value;
            int row = random.nextInt(rows.size() + 1);
            rows.add(
                    row,
                    new Txn(9_000 + seq, 9_000, seq, TxnStatus.COMMITTED, HistorySlice.NONE, HistorySlice.NONE, ops));
        }
        return whole.withTxns(rows);
    }

    private static Txn inSession(Txn txn, long session, long seq) {
        return new Txn(txn.id(), session, seq, txn.status(), txn.start(), txn.commit(), txn.ops());
    }
}
