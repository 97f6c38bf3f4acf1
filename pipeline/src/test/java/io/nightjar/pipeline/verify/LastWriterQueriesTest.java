package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LastWriterQueriesTest {

    private static final long SEED = Long.getLong("nightjar.seed", 1);

    private record Writer(long ts, int rank, long id) {

        boolean isBefore(Writer other) {
            return LastWriterQueries.compare(ts, rank, id, other.ts, other.rank, other.id) < 0;
        }
    }

    @Test
    void lastWriterBeforePositionMatchesPlainScan() {
        for (long seed = SEED; seed < SEED + 500; seed++) {
            Random random = new Random(seed);
            LastWriterQueries frontier = new LastWriterQueries();
            List<Writer> questions = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(9); i++) {
                Writer question = new Writer(random.nextInt(6), random.nextInt(3), random.nextInt(4));
                questions.add(question);
                frontier.addQuery(question.ts, question.rank, question.id);
            }
            frontier.close();
            List<Writer> writers = new ArrayList<>();
            for (int i = 0; i < random.nextInt(9); i++) {
                Writer writer = new Writer(random.nextInt(6), random.nextInt(2), i);
                writers.add(writer);
                frontier.addWriter(writer.ts, writer.rank, writer.id, 100 + writer.id);
            }
            frontier.resolve();

            for (int question = 0; question < questions.size(); question++) {
                Writer last = last(writers, questions.get(question));
                assertThat(frontier.hasWriter(question)).as("seed=%d", seed).isEqualTo(last != null);
                if (last != null) {
                    assertThat(frontier.writerOf(question)).as("seed=%d", seed).isEqualTo(last.id);
                    assertThat(frontier.commitOf(question)).isEqualTo(last.ts);
                    assertThat(frontier.valueOf(question)).isEqualTo(100 + last.id);
                }
            }
        }
    }

    private static Writer last(List<Writer> writers, Writer before) {
        Writer last = null;
        for (Writer writer : writers) {
            if (writer.isBefore(before) && (last == null || last.isBefore(writer))) {
                last = writer;
            }
        }
        return last;
    }

    @Test
    void nearestCommitsAreThoseOfAPlainScan() {
        for (long seed = SEED; seed < SEED + 500; seed++) {
            Random random = new Random(seed);
            long[] asked = random.longs(1 + random.nextInt(6), 0, 8).toArray();
            long[] commits = random.longs(random.nextInt(7), 0, 8).toArray();
            int except = random.nextInt(4);
            long commitOfExcept = except < commits.length ? commits[except] : random.nextInt(8);
            ValueFacts facts = new ValueFacts();
            int[] questions = new int[asked.length];
            for (int i = 0; i < asked.length; i++) {
                questions[i] = facts.askNearest(asked[i], commitOfExcept, except);
            }
            facts.close();
            for (int id = 0; id < commits.length; id++) {
                facts.offer(commits[id], id);
            }
            facts.resolve();

            for (int question = 0; question < asked.length; question++) {
                long before = HistorySlice.NONE;
                long after = HistorySlice.NONE;
                for (int id = 0; id < commits.length; id++) {
                    if (id != except && commits[id] <= asked[question]) {
                        before = Math.max(before, commits[id]);
                    }
                    if (id != except && commits[id] > asked[question]) {
                        after = after == HistorySlice.NONE ? commits[id] : Math.min(after, commits[id]);
                    }
                }
                assertThat(facts.lastBefore(questions[question], except))
                        .as("seed=%d", seed)
                        .isEqualTo(before);
                assertThat(facts.firstAfter(questions[question], except))
                        .as("seed=%d", seed)
                        .isEqualTo(after);
            }
        }
    }
}
