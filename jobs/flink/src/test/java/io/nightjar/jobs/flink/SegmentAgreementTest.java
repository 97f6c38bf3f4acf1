package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceBuilder;
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
    private static final int SESSION_FILES = 3;
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
                boolean isInCommitOrder = seed % 2 == 0;
                histories.add(write(randomStore(new Random(seed)), "store-" + seed, isInCommitOrder));
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
    void lanesCheckedWhileTheyArriveAreReadAgain() throws Exception {
        Path file = write(
                GeneratorOptions.builder()
                        .transactions(12_000)
                        .sessions(3)
                        .ops(8)
                        .keys(100_000)
                        .store(StoreKind.SI)
                        .build(),
                "few-conflicts",
                false);
        Counting counting = new Counting(cluster);
        CheckOptions options = options();
        RunResult result = new FlinkEngine(options, 2, "test", ProgressListener.NONE, counting, 1).check(file, null);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(counting.last).containsEntry(JobProgress.done("read-lanes"), 12_000L);
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
                "segments",
                true);
        CheckOptions options = options();
        Counting counting = new Counting(cluster);
        RunResult result = new FlinkEngine(options, 2, "test", ProgressListener.NONE, counting, 1).check(file, null);

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat((Long) counting.last.get(JobProgress.total("check-segments")))
                .isGreaterThan(200);
        assertThat(counting.last)
                .containsEntry(
                        JobProgress.done("check-segments"), counting.last.get(JobProgress.total("check-segments")))
                .containsEntry(JobProgress.done("read-segments"), 20_000L)
                .doesNotContainEntry(JobProgress.done("read-lanes"), 20_000L);
    }

    private CheckOptions options() {
        return CheckOptions.of(ONLY)
                .evidence(Evidence.TIMESTAMPS)
                .lake(null)
                .search(new CheckOptions.Search(600_000_000_000L, 600_000_000_000L, false))
                .threadCount(1)
                .memoryBytes(MEMORY)
                .spillParent(folder)
                .build();
    }

    private static GeneratorOptions randomStore(Random random) {
        return GeneratorOptions.builder()
                .transactions(12_000)
                .sessions(2 + random.nextInt(30))
                .ops(6 + random.nextInt(6))
                .keys(random.nextInt(4) == 0 ? 40_000 : 200 + random.nextInt(2_000))
                .reads(0.3 + random.nextDouble() / 2)
                .store(random.nextInt(4) == 0 ? StoreKind.SER : StoreKind.SI)
                .seed(random.nextLong())
                .build();
    }

    /** Writes a history as slices in commit order, or as files of some sessions each. */
    private Path write(GeneratorOptions options, String name, boolean isInCommitOrder) throws IOException {
        Path parts = Files.createDirectories(folder.resolve(name));
        if (!isInCommitOrder) {
            writeBySession(options, parts);
            return parts;
        }
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

    private static void writeBySession(GeneratorOptions options, Path parts) throws IOException {
        List<HistoryWriter> writers = new ArrayList<>();
        for (int part = 0; part < SESSION_FILES; part++) {
            writers.add(Histories.create(parts.resolve("part-%04d.jsonl".formatted(part)), null));
        }
        HistoryGenerator.generate(options, slice -> {
            for (int part = 0; part < SESSION_FILES; part++) {
                SliceBuilder some = new SliceBuilder(slice.file);
                for (int txn = 0; txn < slice.txnCount; txn++) {
                    if (slice.sessionId[txn] % SESSION_FILES == part) {
                        some.copyTxn(slice, txn);
                    }
                }
                writers.get(part).write(some.build());
            }
        });
        for (HistoryWriter writer : writers) {
            writer.finish();
            writer.close();
        }
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
