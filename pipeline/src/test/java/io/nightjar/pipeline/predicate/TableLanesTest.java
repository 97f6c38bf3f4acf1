package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lanes find together what a check of the whole history finds, or leave it to that. */
@Tag(Seeds.TAG)
class TableLanesTest {

    private static final Set<IsolationLevel> BOTH =
            EnumSet.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);

    private final Map<String, Integer> met = new TreeMap<>();

    private void count(String what, boolean isIt) {
        met.merge(what, isIt ? 1 : 0, Integer::sum);
    }

    @Test
    void lanesAgreeWithWhole() {
        for (long seed : Seeds.upTo(1_000)) {
            Random random = new Random(seed);
            SmallTables history = new SmallTables(random, 7);
            boolean isOrderGiven = random.nextInt(3) == 0;
            long[] ids = history.hidden.stream().mapToLong(txn -> txn + 1L).toArray();
            Set<IsolationLevel> levels = isOrderGiven ? EnumSet.of(IsolationLevel.SERIALIZABLE) : BOTH;
            TableCheckRequest question = new TableCheckRequest(
                    levels, true, random.nextBoolean(), false, isOrderGiven, isOrderGiven ? ids : null);
            if (!TableLanes.fit(question, history.isTimed, 0)) {
                continue;
            }
            TableOutcome whole = TableDefinitionTest.check(history, question, "seed=" + seed);
            TableOutcome lanes = lanes(history, question, 2 + random.nextInt(3));
            count("answered", lanes != null);
            count("left to the whole", lanes == null);
            if (lanes != null) {
                compare(lanes, whole, "seed=" + seed);
            }
        }
        System.out.println("lanes: " + met);
        assertThat(met).allSatisfy((what, times) -> assertThat(times).as(what).isPositive());
    }

    private static TableOutcome lanes(SmallTables history, TableCheckRequest question, int count) {
        List<TableOutcome> outcomes = new ArrayList<>();
        for (int lane = 0; lane < count; lane++) {
            TableCheck check = new TableCheck(1000, new TableLane(lane, count));
            check.add(history.slice);
            outcomes.add(check.check(question));
        }
        return TableLanes.merged(outcomes);
    }

    private void compare(TableOutcome lanes, TableOutcome whole, String where) {
        assertThat(whole.malformed()).as(where).isNull();
        lanes.answers().forEach((level, answer) -> {
            assertThat(whole.answers().get(level)).as(where).isEqualTo(answer);
            assertThat(lanes.findings().counts(level))
                    .as(where)
                    .isEqualTo(whole.findings().counts(level));
            count("violated at " + level, !whole.findings().counts(level).isEmpty());
            count("holds at " + level, whole.findings().counts(level).isEmpty());
        });
        assertThat(differences(lanes, lanes)).as(where).isEqualTo(differences(whole, lanes));
        if (lanes.answers().containsKey(IsolationLevel.SERIALIZABLE)) {
            assertThat(lanes.serialOrder()).as(where).isEqualTo(whole.serialOrder());
        } else {
            count("serializable is left to the whole", true);
        }
    }

    /** The findings of the levels that lanes answer. */
    private static List<String> differences(TableOutcome outcome, TableOutcome lanes) {
        List<String> texts = new ArrayList<>();
        for (Finding finding : outcome.findings().inTime()) {
            if (lanes.answers().containsKey(finding.level())) {
                texts.add(finding.toString());
            }
        }
        Collections.sort(texts); // two reads of one transaction and key are told in any order
        return texts;
    }
}
