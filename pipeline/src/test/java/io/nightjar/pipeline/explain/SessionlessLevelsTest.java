package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.commitorder.OrderChecker;
import io.nightjar.pipeline.check.cycle.DependencyAnswer;
import io.nightjar.pipeline.check.cycle.DependencyChecker;
import io.nightjar.pipeline.explain.ContradictionFindings.Ruling;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.ReadResolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elle's levels without session order are those of commit order with a session for each transaction. */
@Tag(Seeds.TAG)
class SessionlessLevelsTest {

    private static final int SEEDS = 4000;

    private static final Map<IsolationLevel, IsolationLevel> WITH_ORDER_OF = Map.of(
            IsolationLevel.PL_SI, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.PL_3, IsolationLevel.SERIALIZABLE);

    @Test
    void ordersAgreeWithCycles() {
        int violated = 0;
        int held = 0;
        for (long seed : Seeds.upTo(SEEDS)) {
            ReplayedHistory replayed = history(seed);
            if (isUnjudged(replayed)) {
                continue;
            }
            DependencyAnswer cycles = DependencyChecker.check(
                    ReadResolution.of(replayed.log), DependencyChecker.Options.plain(), Budget.unlimited());
            for (IsolationLevel level : WITH_ORDER_OF.keySet()) {
                Verdict byCycles = verdict(cycles, level);
                if (byCycles != Verdict.UNDECIDED) {
                    assertThat(decide(replayed.history(), level).verdict())
                            .as("seed=%d %s%n%s", seed, level, replayed.small)
                            .isEqualTo(byCycles);
                    violated += byCycles == Verdict.VIOLATED ? 1 : 0;
                    held += byCycles == Verdict.HOLDS ? 1 : 0;
                }
            }
        }
        assertThat(violated).isGreaterThan(10);
        assertThat(held).isGreaterThan(10);
    }

    @Test
    void whatIsFoundIsBorneOutByTheRows() {
        int found = 0;
        for (long seed : Seeds.upTo(SEEDS)) {
            ReplayedHistory replayed = history(seed);
            if (isUnjudged(replayed)) {
                continue;
            }
            ClientHistory sessionless = replayed.history().withoutSessions();
            for (IsolationLevel level : WITH_ORDER_OF.keySet()) {
                List<Ruling> rulings = new ArrayList<>();
                decide(replayed.history(), level)
                        .contradictions()
                        .forEach(contradiction -> rulings.add(new Ruling(contradiction, sessionless, level)));
                List<Finding> findings = ContradictionFindings.of(rulings, replayed.log);
                found += findings.size();

                assertThat(findings).allMatch(finding -> finding.level() == level);
                assertThat(replayed.refuted(findings))
                        .as("seed=%d %s%n%s", seed, level, replayed.small)
                        .isEmpty();
            }
        }
        assertThat(found).isGreaterThan(10);
    }

    @Test
    void sessionOrderAloneRulesOutNoLevelWithoutIt() {
        ClientHistory history = ReplayedHistory.parse(
                        "s0 T1: w(x,1)", "s0 T2: r(x,_)", "s1 T3: w(x,2)", "s2 T4: r(x,1)")
                .history();

        assertThat(new OrderChecker(history, Budget.unlimited())
                        .decide(IsolationLevel.SERIALIZABLE)
                        .verdict())
                .isEqualTo(Verdict.VIOLATED);
        assertThat(decide(history, IsolationLevel.PL_3).verdict()).isEqualTo(Verdict.HOLDS);
    }

    private static ReplayedHistory history(long seed) {
        SmallHistory small = seed % 3 == 0 ? RandomReads.of(seed) : RandomHistory.of(seed, 6);
        return new ReplayedHistory(small);
    }

    private static boolean isUnjudged(ReplayedHistory replayed) {
        return replayed.inference.faultyReads() > 0
                || replayed.inference.ambiguousReads() > 0
                || replayed.inference.unjudgedKeys() > 0;
    }

    private static LevelAnswer decide(ClientHistory history, IsolationLevel level) {
        return new OrderChecker(history.withoutSessions(), Budget.unlimited()).decide(WITH_ORDER_OF.get(level));
    }

    private static Verdict verdict(DependencyAnswer cycles, IsolationLevel level) {
        Set<Anomaly> found = LevelLattice.forbiddenBy(level);
        Set<Anomaly> open = LevelLattice.forbiddenBy(level);
        found.retainAll(cycles.found());
        open.retainAll(cycles.unproved());
        return !found.isEmpty() ? Verdict.VIOLATED : open.isEmpty() ? Verdict.HOLDS : Verdict.UNDECIDED;
    }
}
