package io.nightjar.pipeline.check;

import static io.nightjar.formats.level.IsolationLevel.PREFIX;
import static io.nightjar.formats.level.IsolationLevel.SERIALIZABLE;
import static io.nightjar.formats.level.IsolationLevel.SNAPSHOT_ISOLATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.commitorder.OrderChecker;
import io.nightjar.pipeline.check.frontier.AntichainSearch;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.partition.RandomComponents;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two searches that share no code say the same of histories too large for the definition, and believe each other. */
@Tag(Seeds.TAG)
class SearchesAgreeTest {

    private static final List<IsolationLevel> LEVELS = List.of(PREFIX, SNAPSHOT_ISOLATION, SERIALIZABLE);
    private static final int HISTORIES = 3_000;

    @Test
    void ordersAndFrontiersAgree() {
        Map<IsolationLevel, Integer> violated = new EnumMap<>(IsolationLevel.class);
        for (long seed : Seeds.upTo(HISTORIES)) {
            ClientHistory history = RandomStores.of(seed, 8, 40);
            for (IsolationLevel level : LEVELS) {
                Verdict verdict = agree(history, level, seed);
                violated.merge(level, verdict == Verdict.VIOLATED ? 1 : 0, Integer::sum);
            }
        }
        if (Seeds.areAll()) {
            assertThat(violated.values()).allMatch(count -> count > HISTORIES / 20 && count < HISTORIES * 19 / 20);
        }
    }

    @Test
    void theyAgreeWhereVersionsAreKnown() {
        for (long seed : Seeds.upTo(HISTORIES)) {
            ClientHistory history = RandomComponents.of(seed, 30);
            for (IsolationLevel level : LEVELS) {
                agree(history, level, seed);
            }
        }
    }

    private static Verdict agree(ClientHistory history, IsolationLevel level, long seed) {
        LevelAnswer byOrders = new OrderChecker(history, Budget.unlimited()).decide(level);
        LevelAnswer byFrontiers = new AntichainSearch(history, Budget.unlimited()).decide(level);

        assertThat(byFrontiers.verdict()).as("seed=%d level=%s", seed, level).isEqualTo(byOrders.verdict());
        for (LevelAnswer answer : List.of(byOrders, byFrontiers)) {
            if (answer.verdict() == Verdict.HOLDS) {
                assertThat(Witnesses.complaint(history, level, answer.witness()))
                        .as("seed=%d level=%s", seed, level)
                        .isNull();
            }
        }
        if (byOrders.verdict() == Verdict.VIOLATED) {
            Contradiction ofOrders = byOrders.contradictions().get(0);
            assertThat(new AntichainSearch(rest(history, ofOrders), Budget.unlimited())
                            .decide(ofOrders.level())
                            .verdict())
                    .as("seed=%d level=%s contradiction=%s", seed, level, ofOrders)
                    .isEqualTo(Verdict.VIOLATED);
            Contradiction ofFrontiers = byFrontiers.contradictions().get(0);
            assertThat(new OrderChecker(rest(history, ofFrontiers), Budget.unlimited())
                            .decide(ofFrontiers.level())
                            .verdict())
                    .as("seed=%d level=%s contradiction=%s", seed, level, ofFrontiers)
                    .isEqualTo(Verdict.VIOLATED);
        }
        return byOrders.verdict();
    }

    private static ClientHistory rest(ClientHistory history, Contradiction contradiction) {
        return history.restrictedTo(contradiction.txns().stream()
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray());
    }
}
