package io.nightjar.pipeline.check.weak;

import static io.nightjar.pipeline.check.Contradiction.NONE;
import static io.nightjar.pipeline.infer.ClientHistory.INITIAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Rule;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.infer.ClientHistory;
import org.junit.jupiter.api.Test;

class WeakLevelsTest {

    @Test
    void anEmptyHistoryHolds() {
        WeakLevels weak = of(new ClientHistory.Builder().build());

        assertThat(weak.readCommitted().verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(weak.readAtomic().verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(weak.causal().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void aSpentBudgetLeavesLevelsUndecided() {
        ClientHistory history = parse("s1 T1: w(x,1)\ns2 T2: r(x,1)");
        Budget spent = Budget.unlimited();
        spent.cancel();

        WeakLevels weak = new WeakLevels(history, spent);

        assertThat(weak.causal())
                .isEqualTo(LevelAnswer.undecided("the time budget ran out before causal was decided", 0));
        assertThat(weak.readCommitted().verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(weak.readAtomic().verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void goingBackIsExplainedByTheReadThatWentBack() {
        // session 1: T1 (0), T2 (1)    session 2: T3 (2)
        WeakLevels weak = of(parse("s1 T1: w(x,1)\ns1 T2: w(x,2) w(y,1)\ns2 T3: r(y,1) r(x,1)"));

        Contradiction contradiction = only(weak.readCommitted());

        assertThat(contradiction.level()).isEqualTo(IsolationLevel.READ_COMMITTED);
        assertThat(contradiction.anomaly()).isEqualTo(Anomaly.COMMIT_ORDER_CYCLE);
        assertThat(contradiction.algorithm()).isEqualTo("read-committed");
        assertThat(contradiction.txns()).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(contradiction.steps())
                .containsExactlyInAnyOrder(
                        Step.of(0, 1, Rule.SESSION_ORDER, NONE, NONE), Step.of(1, 0, Rule.OVERWRITTEN, 0, 2));
    }

    @Test
    void violationOfWeakerLevelViolatesStrongerLevels() {
        WeakLevels weak = of(parse("s1 T1: w(x,1)\ns1 T2: w(x,2) w(y,1)\ns2 T3: r(y,1) r(x,1)"));

        assertThat(weak.causal().contradictions())
                .isEqualTo(weak.readCommitted().contradictions());
    }

    @Test
    void readsOfTheInitialStateGoRoundThroughIt() {
        // T1 (0)    T2 (1)
        WeakLevels weak = of(parse("s1 T1: w(x,1) w(y,1)\ns2 T2: r(x,_) r(y,1)"));

        assertThat(weak.readCommitted().verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(only(weak.readAtomic()).steps())
                .containsExactly(
                        Step.of(INITIAL, 0, Rule.SESSION_ORDER, NONE, NONE),
                        Step.of(0, INITIAL, Rule.OVERWRITTEN, 0, 1));
    }

    @Test
    void aMissedCauseNamesTheTransactionsThatCarriedIt() {
        // T1 (0)    T2 (1)    T3 (2)    T4 (3)
        WeakLevels weak = of(parse("s1 T1: w(x,1)\ns2 T2: r(x,1) w(x,2)\ns3 T3: r(x,2) w(y,1)\ns4 T4: r(y,1) r(x,1)"));

        assertThat(weak.readAtomic().verdict()).isEqualTo(Verdict.HOLDS);
        Contradiction contradiction = only(weak.causal());
        assertThat(contradiction.level()).isEqualTo(IsolationLevel.CAUSAL);
        assertThat(contradiction.txns()).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(contradiction.steps())
                .containsExactlyInAnyOrder(
                        Step.of(0, 1, Rule.READ_FROM, 0, NONE), Step.of(1, 0, Rule.OVERWRITTEN, 0, 3));
    }

    @Test
    void readsInACircleViolateEveryLevel() {
        WeakLevels weak = of(parse("s1 T1: r(y,1) w(x,1)\ns2 T2: r(x,1) w(y,1)"));

        assertThat(only(weak.causal()).level()).isEqualTo(IsolationLevel.READ_COMMITTED);
    }

    @Test
    void everyKnotOfTransactionsGivesOneContradiction() {
        WeakLevels weak = of(parse("s1 T1: w(x,1) w(y,1)\ns2 T2: r(y,1) r(x,_)\ns3 T3: w(a,1)\ns3 T4: w(a,2) w(b,1)\n"
                + "s4 T5: r(b,1) r(a,1)\ns5 T6: r(f,1) w(e,1)\ns6 T7: r(e,1) w(f,1)"));

        assertThat(weak.readCommitted().contradictions()).hasSize(3);
    }

    @Test
    void aTransactionThatWritesAllKeysCostsItsReadersLittle() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession().beginTxn(0);
        for (int key = 0; key < 50_000; key++) {
            builder.write(key);
        }
        for (int reader = 1; reader <= 50_000; reader++) {
            builder.beginSession().beginTxn(reader).read(reader - 1, 0).read(reader % 50_000, 0);
        }

        assertThat(of(builder.build()).causal().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void longCyclesDoNotOverflowTheStack() {
        int count = 100_000;
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int txn = 0; txn < count; txn++) {
            builder.beginSession().beginTxn(txn).read(txn, (txn + 1) % count).write((txn + count - 1) % count);
        }

        assertThat(only(of(builder.build()).causal()).steps()).hasSize(count);
    }

    private static Contradiction only(LevelAnswer answer) {
        assertThat(answer.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(answer.contradictions()).hasSize(1);
        return answer.contradictions().get(0);
    }

    private static WeakLevels of(ClientHistory history) {
        return new WeakLevels(history, Budget.unlimited());
    }

    private static ClientHistory parse(String notation) {
        return SmallClientHistory.of(SmallHistory.parse(notation)).history();
    }
}
