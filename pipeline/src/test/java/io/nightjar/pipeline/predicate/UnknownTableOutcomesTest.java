package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.predicate.SmallTables.Txn;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Histories of tables in which a transaction has an unknown outcome: what is violated is so with either outcome. */
@Tag(Seeds.TAG)
class UnknownTableOutcomesTest {

    private static final int HISTORIES = Integer.getInteger("nightjar.tables", 2_000);
    private static final Set<IsolationLevel> LEVELS = EnumSet.of(
            IsolationLevel.PL_1,
            IsolationLevel.PL_2,
            IsolationLevel.PL_2_99,
            IsolationLevel.PL_SI,
            IsolationLevel.PL_3);

    private final Map<String, Integer> met = new TreeMap<>();

    @Test
    void whatIsViolatedIsSoWhateverBecameOfATransaction() {
        for (long seed : Seeds.upTo(HISTORIES)) {
            Random random = new Random(seed);
            SmallTables history = new SmallTables(random, 6);
            List<Txn> writers = history.txns.stream()
                    .filter(txn -> !txn.isAborted && txn.writes() && !(history.hasInitial && txn.index == 0))
                    .toList();
            if (writers.isEmpty()) {
                continue;
            }
            int unknown = writers.get(random.nextInt(writers.size())).index;
            history.forget(unknown);
            String where = "seed=" + seed;
            TableOutcome outcome = TableDefinitionTest.check(
                    history, new TableCheckRequest(LEVELS, false, true, false, false, null), where);
            Set<IsolationLevel> si = Set.of(IsolationLevel.SNAPSHOT_ISOLATION);
            TableOutcome snapshots = history.isTimed
                    ? TableDefinitionTest.check(
                            history, new TableCheckRequest(si, true, true, false, false, null), where)
                    : null;
            check(history, outcome, snapshots, where + " if committed");
            if (!history.isNamed(unknown)) {
                history.takeBack(unknown);
                check(history, outcome, snapshots, where + " if taken back");
            }
        }
        System.out.println("unknown: " + met);
        if (Seeds.areAll()) {
            assertThat(met)
                    .allSatisfy((what, times) -> assertThat(times).as(what).isPositive());
        }
    }

    private void check(SmallTables history, TableOutcome outcome, TableOutcome snapshots, String where) {
        TableDefinition definition = new TableDefinition(history);
        for (IsolationLevel level : LEVELS) {
            boolean isViolated = !outcome.findings().counts(level).isEmpty();
            boolean holds = !isViolated && outcome.answers().get(level).doubt() == null;
            met.merge("violated at " + level, isViolated ? 1 : 0, Integer::sum);
            met.merge("holds at " + level, holds ? 1 : 0, Integer::sum);
            if (isViolated) {
                assertThat(definition.isViolated(level))
                        .as("%s level=%s", where, level)
                        .isTrue();
            }
        }
        if (snapshots != null) {
            Map<Anomaly, Long> found = snapshots.findings().counts(IsolationLevel.SNAPSHOT_ISOLATION);
            Map<Anomaly, Long> expected = new HashMap<>(new TableReplayer(history, null).bySnapshots());
            met.merge("violated by snapshots", found.isEmpty() ? 0 : 1, Integer::sum);
            assertThat(expected.keySet()).as(where).containsAll(found.keySet());
        }
    }
}
