package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that decide the segments of a large history agree with the local engine, at any parallelism. */
@Tag(Seeds.TAG)
class SegmentAgreementTest {

    private static final List<IsolationLevel> ONLY = List.of(IsolationLevel.SERIALIZABLE);
    private static final List<IsolationLevel> BOTH =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);
    private static final long MEMORY = 1L << 30; // of a dozen slots
    private static final int PER_PARALLELISM = 4; // consecutive histories that TwoEngines checks at one parallelism

    @TempDir
    private static Path scratch;

    private static EmbeddedCluster cluster;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeTheCluster() {
        cluster = TwoEngines.newCluster(scratch);
    }

    @AfterAll
    static void endTheCluster() throws Exception {
        cluster.end();
    }

    @Test
    void randomStoresAreDecidedAlike() throws Exception {
        try (TwoEngines engines = new TwoEngines(folder, cluster, 1)) {
            engines.setMemory(MEMORY);
            List<Path> histories = new ArrayList<>();
            for (long seed : Seeds.upTo(PER_PARALLELISM * Seeds.rounds(10))) {
                histories.add(write(randomStore(new Random(seed)), "store-" + seed));
            }
            while (histories.size() % PER_PARALLELISM != 0) {
                histories.add(histories.get(0));
            }
            for (int first = 0; first < histories.size(); first += PER_PARALLELISM) {
                for (int round = 0; round < TwoEngines.PARALLELISMS.length; round++) {
                    for (int at = first; at < first + PER_PARALLELISM; at++) {
                        Evidence evidence = at % 2 == 0 ? Evidence.TIMESTAMPS : Evidence.AUTO;
                        engines.ask(histories.get(at), evidence, at % 4 < 2 ? ONLY : BOTH, null, 0);
                    }
                }
            }
            engines.compare();
        }
    }

    @Test
    void severalHundredSegmentsAreDecidedByTasks() throws Exception {
        Path file = write(
                GeneratorOptions.builder()
                        .transactions(20_000)
                        .sessions(20)
                        .ops(8)
                        .keys(1_500)
                        .store(StoreKind.SI)
                        .build(),
                "segments");
        CheckOptions options = CheckOptions.of(ONLY)
                .evidence(Evidence.TIMESTAMPS)
                .lake(null)
                .search(new CheckOptions.Search(600_000_000_000L, 600_000_000_000L, false))
                .threadCount(1)
                .memoryBytes(MEMORY)
                .spillParent(folder)
                .build();
        Counting counting = new Counting(cluster);
        RunResult result = new FlinkEngine(options, 2, "test", ProgressListener.NONE, counting, 1).check(file, null);

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat((Long) counting.last.get(JobProgress.total("check-segments")))
                .isGreaterThan(200);
        assertThat(counting.last)
                .containsEntry(
                        JobProgress.done("check-segments"), counting.last.get(JobProgress.total("check-segments")))
                .containsEntry(JobProgress.done("read-segments"), 20_000L);
    }

    private static GeneratorOptions randomStore(Random random) {
        return GeneratorOptions.builder()
                .transactions(12_000)
                .sessions(2 + random.nextInt(30))
                .ops(6 + random.nextInt(6))
                .keys(200 + random.nextInt(2_000))
                .reads(0.3 + random.nextDouble() / 2)
                .store(random.nextInt(4) == 0 ? StoreKind.SER : StoreKind.SI)
                .seed(random.nextLong())
                .build();
    }

    private Path write(GeneratorOptions options, String name) throws IOException {
        Path parts = Files.createDirectories(folder.resolve(name));
        List<Path> files = new ArrayList<>();
        HistoryGenerator.generate(options, slice -> {
            files.add(parts.resolve("part-%04d.jsonl".formatted(files.size())));
            try (HistoryWriter writer = Histories.create(files.get(files.size() - 1), null)) {
                writer.write(slice);
                writer.finish();
            }
        });
        return parts;
    }

    /** Keeps the last counts that tasks report. */
    private static final class Counting extends ForwardingRunner {

        private final Map<String, Object> last = new HashMap<>();

        Counting(JobRunner runner) {
            super(runner);
        }

        @Override
        public JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
                throws Exception {
            return super.run(env, jobName, counts -> {
                last.putAll(counts);
                counted.accept(counts);
            });
        }
    }
}
