package io.nightjar.pipeline.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.GeneratedClients;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.CausalOrder;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Histories of some hundred transactions in many sessions: clocks and sweeps agree with plain closures. */
class CausalWaysAgreeTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = 160;
    private static final long CLOCKS = 1L << 24;

    @Test
    void verdictsAgreeWithPlainClosures() {
        Map<IsolationLevel, Integer> holding = new EnumMap<>(IsolationLevel.class);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            ClientHistory history = history(seed);
            NaiveWeakLevels naive = new NaiveWeakLevels(history);
            long sweep = 8L * history.txnCount * (1 + seed % 2); // blocks of 64 or 128 writers
            for (long maxBytes : new long[] {CLOCKS, sweep}) {
                WeakLevels weak = new WeakLevels(history, Budget.unlimited(), maxBytes);
                assertAgree(weak.readCommitted(), naive, IsolationLevel.READ_COMMITTED, history, seed);
                assertAgree(weak.readAtomic(), naive, IsolationLevel.READ_ATOMIC, history, seed);
                assertAgree(weak.causal(), naive, IsolationLevel.CAUSAL, history, seed);
            }
            for (IsolationLevel level : IsolationLevel.all().subList(0, 3)) {
                holding.merge(level, naive.holds(level) ? 1 : 0, Integer::sum);
            }
        }

        for (IsolationLevel level : holding.keySet()) {
            assertThat(holding.get(level)).as("%s", holding).isBetween(HISTORIES / 20, HISTORIES - HISTORIES / 20);
        }
    }

    @Test
    void thinningOutEdgesChangesNoVerdict() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            ClientHistory history = history(seed);
            LevelEdges edges = new LevelEdges(history);
            new ReadAtomicRule(history, new WriteSets(history))
                    .derive(0, history.sessionCount, edges, Budget.unlimited());
            int before = edges.count();
            boolean hasOrder = hasOrder(history, edges);

            edges.thinOut(Chains.ofSessions(history), history.txnCount);

            assertThat(hasOrder(history, edges)).as("seed=%d", seed).isEqualTo(hasOrder);
            assertThat(edges.count()).as("seed=%d", seed).isLessThanOrEqualTo(before);
        }
    }

    private static boolean hasOrder(ClientHistory history, LevelEdges edges) {
        edges.sort(history.txnCount);
        return CausalOrder.of(history, edges.firstBeforeOf, edges.before) != null;
    }

    private static void assertAgree(
            LevelAnswer answer, NaiveWeakLevels naive, IsolationLevel level, ClientHistory history, long seed) {
        assertThat(answer.verdict() == Verdict.HOLDS)
                .as("seed=%d level=%s %s", seed, level, answer)
                .isEqualTo(naive.holds(level));
        for (Contradiction contradiction : answer.contradictions()) {
            int[] txns = contradiction.txns().stream()
                    .mapToInt(Integer::intValue)
                    .sorted()
                    .toArray();
            assertThat(new NaiveWeakLevels(history.restrictedTo(txns)).holds(contradiction.level()))
                    .as("seed=%d %s", seed, contradiction)
                    .isFalse();
        }
    }

    /** What a snapshot store answered, with a few reads turned to other writers. */
    private static ClientHistory history(long seed) {
        SeededRandom random = new SeededRandom(seed);
        ClientHistory honest = GeneratedClients.of(GeneratorOptions.builder()
                .transactions(150 + random.below(150))
                .sessions(random.below(3) == 0 ? 5 : 120)
                .ops(2 + random.below(8))
                .keys(5 + random.below(60))
                .concurrency(1 + random.below(8))
                .seed(seed)
                .build());
        int faults = random.below(4);
        for (int fault = 0; fault < faults && honest.readCount > 0; fault++) {
            int read = random.below(honest.readCount);
            int writer = random.below(honest.txnCount + 1) - 1;
            for (int tried = 0; tried < honest.txnCount; tried++) {
                int other = (writer + 1 + tried) % (honest.txnCount + 1) - 1;
                if (other == ClientHistory.INITIAL || honest.writes(other, honest.keyOfRead[read])) {
                    honest.writerOf[read] = isOwn(honest, read, other) ? honest.writerOf[read] : other;
                    break;
                }
            }
        }
        return honest;
    }

    private static boolean isOwn(ClientHistory history, int read, int writer) {
        return writer != ClientHistory.INITIAL
                && history.firstReadOf[writer] <= read
                && read < history.firstReadOf[writer + 1];
    }
}
