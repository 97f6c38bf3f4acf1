package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.server.MockDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The twelve assertions of the TPC-C-like workload, over JDBC: 3 sessions, one warehouse with 2 districts, as in the
 * paper.
 */
@Tag(Seeds.TAG)
class TpccOnMockTest {

    private static final int TRANSACTIONS = 120;

    @TempDir
    private Path directory;

    private final Map<String, Integer> broken = new TreeMap<>();

    @Test
    void asInThePaperAssertionsBreakAtReadCommittedAndAtCausal() throws IOException {
        Set<String> often = Set.of("A1", "A4", "A6", "A8", "A9", "A10");
        // thread schedules differ: the assertions that break in nearly each run, and most of the rest
        assertThat(brokenAt(IsolationLevel.READ_COMMITTED, 4).keySet())
                .containsAll(often)
                .hasSizeGreaterThan(8);
        assertThat(brokenAt(IsolationLevel.CAUSAL, 3).keySet()).containsAll(often);
    }

    @Test
    void noneBreaksAtSerializable() throws IOException {
        assertThat(brokenAt(IsolationLevel.SERIALIZABLE, 1)).isEmpty();
    }

    private Map<String, Integer> brokenAt(IsolationLevel level, int runs) throws IOException {
        broken.clear();
        double seconds = 0;
        double maxSeconds = 0;
        long[] seeds = Seeds.upTo(runs);
        for (long seed : seeds) {
            double took = run(level, seed);
            seconds += took;
            maxSeconds = Math.max(maxSeconds, took);
        }
        if (Seeds.areOfCampaign()) {
            System.out.println("TPC-C over JDBC as in the paper at " + level + ", " + seeds.length + " runs of "
                    + seconds / seeds.length + " s, the longest " + maxSeconds + " s: broken " + broken);
        }
        return broken;
    }

    /** Runs it once against a fresh mock; returns the duration. */
    private double run(IsolationLevel level, long seed) throws IOException {
        // sessions that seldom observe each other break more; at rc, where they do not even observe their own writes,
        // all versions are old enough
        ChoiceMode choice = level == IsolationLevel.CAUSAL ? ChoiceMode.MIXED : ChoiceMode.UNIFORM;
        MockOptions asInThePaper = new MockOptions(
                level,
                seed,
                new MockOptions.Reads(choice, false, false, Integer.MAX_VALUE),
                new MockOptions.Schedule(true, 10_000),
                MockFaults.NONE);
        AnswerChooser chooser = new AnswerChooser(choice, seed, false);
        Path archive = directory.resolve("mock.jsonl");
        long begin = System.nanoTime();
        try (MockDatabase database =
                new MockDatabase(asInThePaper, chooser, MockArchive.of(archive), "127.0.0.1", 0, 0, note -> {})) {
            CommandRun run = CommandRun.of(
                    "record",
                    directory.resolve("seen.jsonl").toString(),
                    "--jdbc",
                    "jdbc:postgresql://127.0.0.1:" + database.port() + "/any?user=any",
                    "--workload",
                    "tpcc",
                    "--certify",
                    "none",
                    "--isolation",
                    "read-committed",
                    "--transactions",
                    Integer.toString(TRANSACTIONS),
                    "--sessions",
                    "3",
                    "--keys",
                    "100",
                    "--seed",
                    Long.toString(seed),
                    "--assert",
                    "--json");
            database.finish();
            assertThat(run.code())
                    .as("nightjar.seed=%d %s %s", seed, level, run)
                    .isLessThanOrEqualTo(1);
            List<?> names = (List<?>) JsonTree.lines(run.out()).get(0).get("broken");
            names.forEach(name -> broken.merge((String) name, 1, Integer::sum));
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
