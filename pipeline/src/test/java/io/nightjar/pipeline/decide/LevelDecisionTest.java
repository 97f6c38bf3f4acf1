package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.check.Witnesses;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.partition.RandomComponents;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Seeds.TAG)
class LevelDecisionTest {

    private static final Set<IsolationLevel> ALL = EnumSet.copyOf(IsolationLevel.all());
    private static final long COMPONENT_NANOS = 60_000_000_000L;

    @Test
    void allLevelsOfAHistoryAreWhatTheDefinitionSays() {
        for (long seed : Seeds.upTo(10_000)) {
            checkAll(SmallClientHistory.of(RandomReads.of(seed)).history(), seed);
        }
    }

    @Test
    void allLevelsOfManyComponentsAreWhatTheDefinitionSays() {
        for (long seed : Seeds.upTo(10_000)) {
            checkAll(RandomComponents.of(seed, 7), seed);
        }
    }

    @Test
    void aLevelAskedForAloneIsDecidedAsAmongAll() {
        IsolationLevel[] levels = ALL.toArray(IsolationLevel[]::new);
        for (long seed : Seeds.upTo(6_000)) {
            ClientHistory history = RandomComponents.of(seed, 7);
            IsolationLevel level = levels[(int) (seed % levels.length)];

            ValueVerdicts decided = decide(history, EnumSet.of(level), false);

            assertThat(decided.answers()).as("seed=%d", seed).containsOnlyKeys(level);
            assertThat(decided.answers().get(level).verdict())
                    .as("seed=%d level=%s", seed, level)
                    .isEqualTo(ReferenceLevels.of(history).holds(level) ? Verdict.HOLDS : Verdict.VIOLATED);
        }
    }

    @Test
    void transactionsWithoutOperationsHoldHoweverTheyAreSearched() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession().beginTxn(1);
        ClientHistory history = builder.build();

        for (boolean crossChecks : new boolean[] {false, true}) {
            assertThat(decide(history, ALL, crossChecks).answers().values())
                    .extracting(ValueVerdicts.Answer::verdict)
                    .containsOnly(Verdict.HOLDS);
        }
    }

    @Test
    void zeroBudgetReportsNothingWrong() {
        int undecided = 0;
        for (long seed : Seeds.upTo(3_000)) {
            ClientHistory history = RandomComponents.of(seed, 7);
            ReferenceLevels reference = ReferenceLevels.of(history);
            ValueVerdicts unchecked = decide(history, ALL, false, Budget.ofNanos(0), COMPONENT_NANOS);
            ValueVerdicts bySome = decide(history, ALL, seed % 2 == 0, Budget.unlimited(), 0);
            for (ValueVerdicts decided : List.of(unchecked, bySome)) {
                for (IsolationLevel level : ALL) {
                    ValueVerdicts.Answer answer = decided.answers().get(level);
                    assertThat(answer.verdict())
                            .as("seed=%d level=%s", seed, level)
                            .isIn(Verdict.UNDECIDED, reference.holds(level) ? Verdict.HOLDS : Verdict.VIOLATED);
                    assertThat(answer.reason() != null)
                            .as("seed=%d level=%s", seed, level)
                            .isEqualTo(answer.verdict() == Verdict.UNDECIDED);
                    undecided += answer.verdict() == Verdict.UNDECIDED ? 1 : 0;
                }
            }
        }
        assertThat(undecided).isPositive();
    }

    private static void checkAll(ClientHistory history, long seed) {
        ReferenceLevels reference = ReferenceLevels.of(history);
        ValueVerdicts decided = decide(history, ALL, seed % 2 == 0);
        for (IsolationLevel level : ALL) {
            assertThat(decided.answers().get(level).verdict())
                    .as("seed=%d level=%s", seed, level)
                    .isEqualTo(reference.holds(level) ? Verdict.HOLDS : Verdict.VIOLATED);
        }
        if (decided.witness() != null) {
            assertThat(Witnesses.complaint(history, decided.witnessLevel(), decided.witness()))
                    .as("seed=%d level=%s", seed, decided.witnessLevel())
                    .isNull();
        }
        assertThat(decided.witness() != null).as("seed=%d", seed).isEqualTo(reference.holds(IsolationLevel.PREFIX));
        for (ValueVerdicts.Refutation refutation : decided.refutations()) {
            int[] txns = refutation.contradiction().txns().stream()
                    .mapToInt(Integer::intValue)
                    .sorted()
                    .toArray();
            assertThat(ReferenceLevels.of(refutation.history().restrictedTo(txns))
                            .holds(refutation.contradiction().level()))
                    .as("seed=%d contradiction=%s", seed, refutation.contradiction())
                    .isFalse();
        }
    }

    private static ValueVerdicts decide(ClientHistory history, Set<IsolationLevel> wanted, boolean crossChecks) {
        return decide(history, wanted, crossChecks, Budget.unlimited(), COMPONENT_NANOS);
    }

    private static ValueVerdicts decide(
            ClientHistory history,
            Set<IsolationLevel> wanted,
            boolean crossChecks,
            Budget budget,
            long componentNanos) {
        LevelDecision decision = new LevelDecision(history, wanted, false, componentNanos, crossChecks);
        List<Component> components = decision.begin(budget);
        List<ComponentAnswer> answers = new ArrayList<>();
        for (int number = 0; number < components.size(); number++) {
            answers.add(decision.decide(number, budget));
        }
        return decision.finish(answers);
    }
}
