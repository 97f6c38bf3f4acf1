package io.nightjar.pipeline.partition;

import static io.nightjar.formats.level.IsolationLevel.CAUSAL;
import static io.nightjar.formats.level.IsolationLevel.PREFIX;
import static io.nightjar.formats.level.IsolationLevel.READ_ATOMIC;
import static io.nightjar.formats.level.IsolationLevel.READ_COMMITTED;
import static io.nightjar.formats.level.IsolationLevel.SERIALIZABLE;
import static io.nightjar.formats.level.IsolationLevel.SNAPSHOT_ISOLATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is said of components is said of the whole history, by the definition of the levels. */
@Tag(Seeds.TAG)
class ComponentsPropertyTest {

    private static final int HISTORIES = 20_000;
    private static final int MAX_TXNS = 7;
    private static final List<IsolationLevel> SPLIT =
            List.of(READ_ATOMIC, CAUSAL, PREFIX, SNAPSHOT_ISOLATION, SERIALIZABLE);

    @Test
    void aLevelHoldsExactlyWhenItHoldsInEveryComponent() {
        Map<IsolationLevel, Integer> violated = new EnumMap<>(IsolationLevel.class);
        int splitCount = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            ClientHistory whole = RandomComponents.of(seed, MAX_TXNS);
            List<Component> components = ComponentSplitter.split(whole);
            if (components.size() < 2) {
                continue;
            }
            splitCount++;
            Set<IsolationLevel> holding = EnumSet.allOf(IsolationLevel.class);
            components.forEach(component ->
                    holding.retainAll(ReferenceLevels.of(component.history).holding()));

            ReferenceLevels reference = ReferenceLevels.of(whole);
            for (IsolationLevel level : SPLIT) {
                assertThat(holding.contains(level))
                        .as("seed=%d level=%s", seed, level)
                        .isEqualTo(reference.holds(level));
                violated.merge(level, reference.holds(level) ? 0 : 1, Integer::sum);
            }
        }
        if (Seeds.areAll()) {
            assertThat(splitCount).isGreaterThan(HISTORIES / 2);
            assertThat(violated.values()).allMatch(count -> count > HISTORIES / 50);
        }
    }

    @Test
    void readCommittedMustNotBeSplit() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession();
        builder.beginTxn(1).write(0).write(1);
        builder.beginTxn(2).read(0, 0).read(1, ClientHistory.INITIAL);
        builder.beginSession();
        builder.beginTxn(3).write(0);
        builder.beginSession();
        builder.beginTxn(4).write(1);
        ClientHistory whole = builder.build();

        List<Component> components = ComponentSplitter.split(whole);

        assertThat(components).hasSize(2).allSatisfy(component -> assertThat(
                        ReferenceLevels.of(component.history).holds(READ_COMMITTED))
                .isTrue());
        assertThat(ReferenceLevels.of(whole).holds(READ_COMMITTED)).isFalse();
    }

    @Test
    void everyOperationIsInOneComponent() {
        for (long seed : Seeds.upTo(1_000)) {
            ClientHistory whole = RandomComponents.of(seed, 30);

            List<Component> components = ComponentSplitter.split(whole);

            assertThat(components.stream()
                            .mapToInt(component -> component.history.readCount)
                            .sum())
                    .as("seed=%d", seed)
                    .isEqualTo(whole.readCount);
            assertThat(components.stream()
                            .mapToInt(component -> component.history.writeCount)
                            .sum())
                    .as("seed=%d", seed)
                    .isEqualTo(whole.writeCount);
        }
    }
}
