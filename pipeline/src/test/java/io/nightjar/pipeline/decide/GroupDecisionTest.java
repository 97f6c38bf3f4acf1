package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.partition.Component;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupDecisionTest {

    private static final Set<IsolationLevel> SIX = EnumSet.copyOf(IsolationLevel.all());

    private static final String FRACTURED_READ =
            """
            s1 T1: w(x,1) w(y,1)
            s1 T2: w(x,2) w(y,2)
            s2 T3: r(x,1) r(y,2)
            """;

    /** Neither saw what the other wrote, and the last reader saw both. */
    private static final String WRITE_SKEW =
            """
            s1 T1: r(x,_) w(y,1)
            s2 T2: r(y,_) w(x,2)
            s3 T3: r(x,2) r(y,1)
            """;

    private static final String ABORTED_READ = """
            s1 T1!: w(x,1)
            s2 T2: r(x,1)
            """;

    @Test
    void writeSkewRulesOutSerializabilityAndNothingElse() {
        ValueOutcome outcome = decide(WRITE_SKEW, SIX, Budget.unlimited());

        assertThat(outcome.findings().countedLevels()).containsExactly(IsolationLevel.SERIALIZABLE);
        assertThat(outcome.doubts()).isEmpty();
        assertThat(outcome.orders().witnesses())
                .extracting(Witness::level)
                .containsExactly(IsolationLevel.SNAPSHOT_ISOLATION);
    }

    @Test
    void faultyReadRulesOutEveryLevelWithoutSearch() {
        GroupDecision decision = decision(ABORTED_READ, SIX, Budget.unlimited());

        PendingComponents open = decision.next();

        assertThat(open.components()).isEmpty();
        decision.accept(List.of());
        assertThat(decision.next()).isNull();
        ValueOutcome outcome = decision.outcome();
        assertThat(outcome.findings().countedLevels()).isEqualTo(SIX);
        assertThat(outcome.refuted().readFaults()).isEqualTo(Map.of(Anomaly.G1A, 1L));
    }

    @Test
    void oversizedSearchLeavesLevelsUndecidedWithRequiredMemory() {
        ValueOutcome outcome = decide(
                WRITE_SKEW,
                EnumSet.of(IsolationLevel.SNAPSHOT_ISOLATION),
                Budget.unlimited().withMemoryBytes(100));

        assertThat(outcome.findings().total()).isZero();
        assertThat(outcome.doubt(IsolationLevel.SNAPSHOT_ISOLATION))
                .matches("the search among 3 transactions needs \\d+ bytes of memory and has 100;"
                        + " give more --memory");
    }

    @Test
    void spentBudgetLeavesPolynomialLevelsDecided() {
        ValueOutcome outcome = decide(WRITE_SKEW, SIX, Budget.ofNanos(0));

        assertThat(outcome.doubts())
                .doesNotContainKeys(IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL);
    }

    @Test
    void spentBudgetLeavesViolationsOfPolynomialLevelsFound() {
        ValueOutcome outcome = decide(FRACTURED_READ, SIX, Budget.ofNanos(0));

        assertThat(outcome.findings().countedLevels()).contains(IsolationLevel.READ_ATOMIC);
        assertThat(outcome.doubts()).doesNotContainKey(IsolationLevel.READ_COMMITTED);
    }

    private static ValueOutcome decide(String history, Set<IsolationLevel> levels, Budget budget) {
        GroupDecision decision = decision(history, levels, budget);
        for (PendingComponents open = decision.next(); open != null; open = decision.next()) {
            List<ComponentAnswer> answers = new ArrayList<>();
            for (Component component : open.components()) {
                answers.add(open.how().decide(answers.size(), component, budget));
            }
            decision.accept(answers);
        }
        return decision.outcome();
    }

    private static GroupDecision decision(String history, Set<IsolationLevel> levels, Budget budget) {
        OperationLogBuilder builder = new OperationLogBuilder(null);
        SmallHistory.parse(history).slices(3).forEach(builder::add);
        OperationLog log = builder.build();
        return new GroupDecision(
                log, new ValueCheckRequest(levels, true, true, Set.of(), 0, true, 100), budget, StageListener.NONE);
    }
}
