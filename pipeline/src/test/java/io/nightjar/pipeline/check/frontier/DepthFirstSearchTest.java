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
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.check.Witnesses;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.partition.RandomComponents;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The walk with nothing derived beforehand, so that choices, undoing and memory are used. */
@Tag(Seeds.TAG)
class DepthFirstSearchTest {

    private static final List<IsolationLevel> LEVELS = List.of(PREFIX, SNAPSHOT_ISOLATION, SERIALIZABLE);
    private static final long MEMO_BYTES = 1 << 24;

    @Test
    void theWalkAloneMeetsTheDefinition() {
        for (long seed : Seeds.upTo(20_000)) {
            ClientHistory history = seed % 2 == 0
                    ? SmallClientHistory.of(RandomReads.of(seed)).history()
                    : RandomComponents.of(seed, 7);
            ReferenceLevels reference = ReferenceLevels.of(history);
            for (IsolationLevel level : LEVELS) {
                assertThat(walk(history, level, false, MEMO_BYTES).verdict())
                        .as("seed=%d level=%s", seed, level)
                        .isEqualTo(reference.holds(level) ? Verdict.HOLDS : Verdict.VIOLATED);
            }
        }
    }

    @Test
    void derivedEdgesChangeNoVerdict() {
        long states = 0;
        for (long seed : Seeds.upTo(3_000)) {
            ClientHistory history = RandomComponents.of(seed, 24);
            for (IsolationLevel level : LEVELS) {
                DepthFirstSearch alone = walk(history, level, false, MEMO_BYTES);
                assertThat(walk(history, level, true, MEMO_BYTES).verdict())
                        .as("seed=%d level=%s", seed, level)
                        .isEqualTo(alone.verdict());
                states += alone.stateCount();
                if (alone.verdict() == Verdict.HOLDS) {
                    assertThat(Witnesses.complaint(history, level, alone.witness()))
                            .as("seed=%d level=%s", seed, level)
                            .isNull();
                }
            }
        }
        assertThat(states).isGreaterThan(Seeds.upTo(3_000).length);
    }

    @Test
    void withoutMemoryTheWalkIsRightAllTheSame() {
        for (long seed : Seeds.upTo(2_000)) {
            ClientHistory history = RandomComponents.of(seed, 16);
            for (IsolationLevel level : LEVELS) {
                assertThat(walk(history, level, false, 0).verdict())
                        .as("seed=%d level=%s", seed, level)
                        .isEqualTo(walk(history, level, false, MEMO_BYTES).verdict());
            }
        }
    }

    private static DepthFirstSearch walk(
            ClientHistory history, IsolationLevel level, boolean saturates, long memoBytes) {
        DepthFirstSearch walk = new DepthFirstSearch(history, level, null, memoBytes, Budget.unlimited());
        walk.run(saturates);
        return walk;
    }
}
