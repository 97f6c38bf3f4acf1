package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Snapshot isolation by replays of timestamps and by the graph of versions and starts, on the same histories. */
@Tag(Seeds.TAG)
class StartDependencyCheckTest {

    private static final int HISTORIES = 5_000;

    /** What only replays see: rows left out, wrong answers, own rows, and the order in sessions. */
    private static final Set<Anomaly> OF_REPLAYS_ALONE =
            EnumSet.of(Anomaly.RESULT_SET_MISMATCH, Anomaly.INT, Anomaly.SESSION);

    private static String difference(SmallTables small) {
        TableHistory history = new TableHistory(null);
        history.add(small.slice);
        history.finish();
        return StartDependencyCheck.difference(history, new TableVersions(history));
    }

    private static TableOutcome check(SmallTables small, boolean crossChecks) {
        TableCheck check = new TableCheck(0);
        check.add(small.slice);
        Set<IsolationLevel> si = Set.of(IsolationLevel.SNAPSHOT_ISOLATION);
        return check.check(new TableCheckRequest(si, true, true, crossChecks, false, null));
    }

    @Test
    void cleanGraphImpliesCleanReplay() {
        int clean = 0;
        int wrong = 0;
        int open = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallTables small = new SmallTables(new Random(seed), 7);
            if (!small.isTimed) {
                continue;
            }
            String difference = difference(small);
            TableOutcome checked = check(small, true);
            Set<Anomaly> found =
                    checked.findings().counts(IsolationLevel.SNAPSHOT_ISOLATION).keySet();
            if (difference == null) {
                assertThat(found).as("seed=" + seed).isSubsetOf(OF_REPLAYS_ALONE);
            }
            boolean isOpen =
                    checked.answers().get(IsolationLevel.SNAPSHOT_ISOLATION).doubt() != null;
            assertThat(isOpen && found.isEmpty() && difference == null)
                    .as("seed=" + seed)
                    .isFalse();
            clean += difference == null && found.isEmpty() ? 1 : 0;
            wrong += difference != null && !found.isEmpty() ? 1 : 0;
            open += difference != null && found.isEmpty() ? 1 : 0; // the same row again, in another version
        }
        System.out.printf("starts: clean %d, wrong %d, apart %d%n", clean, wrong, open);
        if (Seeds.areAll()) {
            assertThat(clean).isGreaterThan(10 * open);
            assertThat(wrong).isGreaterThan(10 * open);
        }
    }
}
