package io.nightjar.pipeline.check.frontier;

import static io.nightjar.formats.level.IsolationLevel.PREFIX;
import static io.nightjar.formats.level.IsolationLevel.SERIALIZABLE;
import static io.nightjar.formats.level.IsolationLevel.SNAPSHOT_ISOLATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.check.Witnesses;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.partition.RandomComponents;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Seeds.TAG)
class AntichainSearchPropertyTest {

    private static final List<IsolationLevel> LEVELS = List.of(PREFIX, SNAPSHOT_ISOLATION, SERIALIZABLE);

    @Test
    void theDefinitionIsMet() {
        for (long seed : Seeds.upTo(20_000)) {
            SmallClientHistory small = SmallClientHistory.of(RandomReads.of(seed));
            ClientHistory history = small.history();
            ReferenceLevels reference = ReferenceLevels.of(history);
            check(history, reference, "seed=" + seed);
        }
    }

    @Test
    void theDefinitionIsMetWithKnownVersionsAndManyComponents() {
        for (long seed : Seeds.upTo(20_000)) {
            ClientHistory history = RandomComponents.of(seed, 7);
            check(history, ReferenceLevels.of(history), "seed=" + seed);
        }
    }

    private static void check(ClientHistory history, ReferenceLevels reference, String seed) {
        for (IsolationLevel level : LEVELS) {
            LevelAnswer answer = new AntichainSearch(history, Budget.unlimited()).decide(level);
            assertThat(answer.verdict())
                    .as("%s level=%s", seed, level)
                    .isEqualTo(reference.holds(level) ? Verdict.HOLDS : Verdict.VIOLATED);
            if (answer.verdict() == Verdict.HOLDS) {
                assertThat(Witnesses.complaint(history, level, answer.witness()))
                        .as("%s level=%s", seed, level)
                        .isNull();
            } else {
                checkContradiction(history, answer, seed);
            }
        }
    }

    private static void checkContradiction(ClientHistory history, LevelAnswer answer, String seed) {
        IsolationLevel level = answer.contradictions().get(0).level();
        int[] txns = answer.contradictions().get(0).txns().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        assertThat(ReferenceLevels.of(history.restrictedTo(txns)).holds(level))
                .as("%s level=%s txns=%s", seed, level, txns)
                .isFalse();
        for (int spared = 0; spared < txns.length; spared++) {
            int[] rest = new int[txns.length - 1];
            System.arraycopy(txns, 0, rest, 0, spared);
            System.arraycopy(txns, spared + 1, rest, spared, rest.length - spared);
            assertThat(ReferenceLevels.of(history.restrictedTo(rest)).holds(level))
                    .as("%s level=%s spared=%d", seed, level, txns[spared])
                    .isTrue();
        }
    }
}
