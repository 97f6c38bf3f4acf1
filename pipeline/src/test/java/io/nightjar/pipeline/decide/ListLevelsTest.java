package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomLists;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.ListDefinition;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists at the six levels, against their definition, and at Elle's levels. */
class ListLevelsTest {

    private static final int HISTORIES = 4_000;
    private static final Set<IsolationLevel> SIX = EnumSet.copyOf(IsolationLevel.all());
    private static final Set<IsolationLevel> RC_TO_PC = EnumSet.of(
            IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL, IsolationLevel.PREFIX);
    private static final Set<IsolationLevel> WITH_ELLE = EnumSet.copyOf(IsolationLevel.all());

    static {
        WITH_ELLE.addAll(EnumSet.of(
                IsolationLevel.PL_1,
                IsolationLevel.PL_2,
                IsolationLevel.PL_SI,
                IsolationLevel.PL_3,
                IsolationLevel.STRICT_SERIALIZABLE));
    }

    @Test
    void intermediateListBehindLongerListIsRead() {
        SmallDecision decision = decide(
                """
                s1 T1: append(x,1) append(x,2)
                s2 T2: r(x,[1,2]) r(x,[1])
                """);

        assertThat(decision.counts().get(IsolationLevel.READ_COMMITTED)).isEqualTo(Map.of(Anomaly.G1B, 1L));
        assertThat(decision.counts().get(IsolationLevel.PL_2)).isEqualTo(Map.of(Anomaly.G1B, 1L));
    }

    @Test
    void intermediateListIsCountedOncePerTransactionAndKey() {
        SmallDecision decision = decide(
                """
                s1 T1: append(x,1) append(x,2)
                s2 T2: r(x,[1]) r(x,[1,2]) r(x,[1])
                """);

        assertThat(decision.counts().get(IsolationLevel.READ_COMMITTED)).isEqualTo(Map.of(Anomaly.G1B, 1L));
    }

    @Test
    void permutedListBeforeOwnAppendIsViolatedAtEveryLevel() {
        SmallDecision decision = decide(
                """
                s1 T1: append(x,1) append(x,2)
                s2 T2: append(x,3) r(x,[2,1,3])
                """);

        assertThat(decision.refuted()).isNull();
        assertThat(SIX).allMatch(level -> decision.verdict(level) == Verdict.VIOLATED);
    }

    @Test
    void ownAppendAtEndOfListProvesNoCommitOrder() {
        SmallDecision decision = decide(
                """
                s1 T1: append(x,1)
                s2 T2: append(x,2) r(x,[2])
                s3 T3: r(x,[1,2])
                """);

        assertThat(holding(decision)).isEqualTo(RC_TO_PC);
        assertThat(decision.counts().get(IsolationLevel.PL_2)).isEqualTo(Map.of(Anomaly.INCOMPATIBLE_ORDER, 1L));
        assertThat(decision.verdict(IsolationLevel.STRICT_SERIALIZABLE)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void repeatedElementsAroundAnotherAreConfirmedAsCycle() {
        SmallDecision decision = decide(
                """
                s1 T3: append(x,1) r(x,[2,2,1,2])
                s2 T1: append(x,2) append(x,2)
                """);

        assertThat(decision.refuted()).isNull();
        assertThat(SIX).allMatch(level -> decision.verdict(level) == Verdict.VIOLATED);
    }

    @Test
    void ownAppendsOnTwoKeysMakeNoCycleOfOverwrites() {
        SmallDecision decision = decide(
                """
                s1 T1: append(x,1) append(y,1) r(x,[1])
                s2 T2: append(y,2) append(x,2) r(y,[2])
                """);

        assertThat(holding(decision)).isEqualTo(RC_TO_PC);
    }

    @Tag(Seeds.TAG)
    @Test
    void everyLevelOfListsIsDecidedAsDefined() {
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallHistory history = RandomLists.of(seed);
            Set<IsolationLevel> levels = seed % 3 == 0 ? WITH_ELLE : SIX;
            if (difference(history, levels) != null) {
                SmallHistory smaller = Shrinker.shrink(history, fewer -> difference(fewer, levels) != null);
                assertThat(difference(smaller, levels))
                        .as("nightjar.seed=%d shrunk to%n%s", seed, smaller)
                        .isNull();
            }
            counts.merge(ListDefinition.holding(history).size() + " of six hold", 1, Integer::sum);
        }
        if (Seeds.areOfCampaign()) {
            System.out.println("lists: " + sum(counts) + " histories, " + counts);
        }

        for (int holding = 0; holding <= SIX.size() && Seeds.areAll(); holding++) {
            assertThat(counts.getOrDefault(holding + " of six hold", 0))
                    .as("%s", counts)
                    .isGreaterThan(HISTORIES / 500);
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void noLevelOfRepeatedElementsIsDecidedOtherwiseThanDefined() {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        for (long seed : Seeds.upTo(HISTORIES / 2)) {
            SmallHistory history = RandomLists.withRepeats(seed);
            if (contradiction(history) != null) {
                SmallHistory smaller = Shrinker.shrink(history, fewer -> contradiction(fewer) != null);
                assertThat(contradiction(smaller))
                        .as("nightjar.seed=%d shrunk to%n%s", seed, smaller)
                        .isNull();
            }
            decide(history, SIX).verdicts().values().forEach(verdict -> counts.merge(verdict, 1, Integer::sum));
        }
        if (Seeds.areOfCampaign()) {
            System.out.println(
                    "lists with repeated elements: " + sum(counts) / SIX.size() + " histories, verdicts: " + counts);
        }
    }

    private static int sum(Map<?, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Null if no verdict is wrong and every finding is confirmed. */
    private static String contradiction(SmallHistory history) {
        SmallDecision decision;
        try {
            decision = decide(history, WITH_ELLE);
        } catch (AssertionError bug) {
            return bug.toString();
        }
        if (decision.refuted() != null) {
            return decision.refuted().toString();
        }
        Set<IsolationLevel> defined = ListDefinition.holding(history);
        for (IsolationLevel level : SIX) {
            Verdict wrong = defined.contains(level) ? Verdict.VIOLATED : Verdict.HOLDS;
            if (decision.verdict(level) == wrong) {
                return level.longName() + ": decided=" + wrong;
            }
        }
        return null;
    }

    /** Null if everything is as it should be. */
    private static String difference(SmallHistory history, Set<IsolationLevel> levels) {
        SmallDecision decision;
        try {
            decision = decide(history, levels);
        } catch (AssertionError bug) {
            return bug.toString();
        }
        if (decision.refuted() != null) {
            return decision.refuted().toString();
        }
        Set<IsolationLevel> defined = ListDefinition.holding(history);
        for (IsolationLevel level : SIX) {
            Verdict verdict = decision.verdict(level);
            boolean isOpen = verdict == Verdict.UNDECIDED
                    && decision.reasons()
                            .get(level)
                            .contains("returned a list with only some of a transaction's appends");
            if (!isOpen && verdict != (defined.contains(level) ? Verdict.HOLDS : Verdict.VIOLATED)) {
                return level.longName() + ": defined=" + defined.contains(level) + " decided=" + verdict;
            }
            if (isOpen && defined.contains(level)) {
                return level.longName() + ": undecided though it holds";
            }
        }
        boolean isStrict = decision.verdicts().get(IsolationLevel.STRICT_SERIALIZABLE) == Verdict.VIOLATED;
        if (isStrict && defined.contains(IsolationLevel.SERIALIZABLE)) {
            return "strict serializability is violated without times though a serial order is there";
        }
        return null;
    }

    private static Set<IsolationLevel> holding(SmallDecision decision) {
        Set<IsolationLevel> holding = EnumSet.copyOf(SIX);
        holding.removeIf(level -> decision.verdict(level) != Verdict.HOLDS);
        return holding;
    }

    private static SmallDecision decide(String history) {
        return decide(SmallHistory.parse(history), WITH_ELLE);
    }

    private static SmallDecision decide(SmallHistory history, Set<IsolationLevel> levels) {
        return SmallDecision.of(history.slices(3), history.initialValue(), levels);
    }
}
