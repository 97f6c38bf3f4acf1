package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a running job say what the table of stages says afterwards. */
@Tag("slow")
@Tag("slow")
class MetricsTest {

    private static final int PARALLELISM = 2;
    private static final int TXNS = 400;

    @TempDir
    Path folder;

    private Map<String, Object> progress;

    @AfterEach
    void forget() {
        KeptMetrics.clear();
    }

    @Test
    void timestampsAreCountedAsTheyAreChecked() throws Exception {
        Map<String, Long> sums = check(Evidence.TIMESTAMPS);

        assertThat(sums).containsEntry("txns_read", (long) TXNS).containsEntry("ops_read", 2L * TXNS);
        assertThat(sums).containsEntry("dead_letters", 2L).containsEntry("anomalies", 1L);
        assertThat(sums.get("components_done"))
                .isEqualTo(sums.get("components_total"))
                .isPositive();
        assertThat(progress)
                .containsEntry("done read", (long) TXNS)
                .containsEntry("done validate", (long) TXNS)
                .containsEntry("done check-lanes", sums.get("components_total"))
                .containsEntry("total check-lanes", sums.get("components_total"))
                .containsEntry("done fetch-participants", 0L)
                .containsEntry("done fetch", (long) TXNS)
                .doesNotContainKey("done check-values"); // nothing could have sent any to it
        assertThat((Long) progress.get("done write")).as("rows sent").isBetween(2L, TXNS / 4L); // its key's writers
    }

    @Test
    void valuesAreCountedAsTheyAreChecked() throws Exception {
        Map<String, Long> sums = check(Evidence.VALUES);

        assertThat(sums).containsEntry("txns_read", (long) TXNS).containsEntry("ops_read", 2L * TXNS);
        assertThat(sums).containsEntry("dead_letters", 2L);
        assertThat(sums.get("components_done"))
                .isEqualTo(sums.get("components_total"))
                .isPositive();
        assertThat(progress)
                .containsEntry("done split", (long) TXNS)
                .containsEntry("done check-values", (long) TXNS)
                .containsEntry("done check-components", 0L);
        assertThat(StageRows.sumOf("read", folder.resolve("lake"), "bytes_read"))
                .isPositive();
        assertThat(StageRows.sumOf("split", folder.resolve("lake"), "bytes_read"))
                .as("bytes read again of what the first reading kept")
                .isZero();
    }

    /** The finding names no session: two rows tell which one it is, and then who stands between them would be fetched. */
    @Test
    void rowsOfParticipantsComeFirstWhereTheyTellWhatElseIsNeeded() throws Exception {
        Path file = folder.resolve("back.jsonl");
        List<String> lines = new ArrayList<>();
        for (int txn = 0; txn < TXNS; txn++) {
            int start = txn == TXNS - 1 ? 1 : 10 * txn + 1; // the last one goes back
            lines.add("{\"txn\":%d,\"session\":%d,\"seq\":%d,\"start\":%d,\"commit\":%d,\"ops\":[[\"w\",%d,%d]]}"
                    .formatted(txn, txn % 4, txn / 4, start, 10 * txn + 5, txn, txn));
        }
        Files.write(file, lines);

        check(Evidence.TIMESTAMPS, file);

        assertThat(progress)
                .containsEntry("done fetch-participants", (long) TXNS)
                .containsEntry("done fetch", (long) TXNS)
                .containsEntry("done write", 2L);
    }

    /** Returns the metrics' final values after comparing them with the table. */
    private Map<String, Long> check(Evidence evidence) throws Exception {
        return check(evidence, history());
    }

    private Map<String, Long> check(Evidence evidence, Path history) throws Exception {
        Configuration settings = new Configuration();
        settings.set(MetricOptions.REPORTERS_LIST, "kept");
        settings.setString("metrics.reporter.kept.factory.class", KeptMetrics.class.getName());
        EmbeddedCluster cluster = new EmbeddedCluster(PARALLELISM, folder, settings);
        try (FlinkEngine engine = new FlinkEngine(
                options(evidence), PARALLELISM, "test", ProgressListener.NONE, new Watched(cluster), 1)) {
            engine.check(history, null);
        }
        Map<String, Long> sums = KeptMetrics.sums();
        for (String column :
                List.of("txns_read", "ops_read", "dead_letters", "components_done", "components_total", "anomalies")) {
            assertThat(StageRows.sum(folder.resolve("lake"), column)).as(column).isEqualTo(sums.get(column));
        }
        assertThat(StageRows.sum(folder.resolve("lake"), "bytes_spilled"))
                .isEqualTo(sums.getOrDefault("spilled_bytes", 0L));
        return sums;
    }

    /** Keeps what tasks have counted. */
    private final class Watched extends ForwardingRunner {

        Watched(JobRunner runner) {
            super(runner);
        }

        @Override
        public JobReply run(StreamExecutionEnvironment env, String jobName, Consumer<Map<String, Object>> counted)
                throws Exception {
            return super.run(env, jobName, counts -> {
                progress = counts;
                counted.accept(counts);
            });
        }
    }

    private CheckOptions options(Evidence evidence) {
        return CheckOptions.of(List.of(IsolationLevel.SNAPSHOT_ISOLATION))
                .evidence(evidence)
                .maxDeadLetters(2)
                .lake(folder.resolve("lake"))
                .search(new CheckOptions.Search(60_000_000_000L, 0, false))
                .threadCount(1)
                .memoryBytes(64L << 20)
                .spillParent(folder)
                .build();
    }

    /** Four sessions that write keys of their own in two files, two bad rows, and one stale read at the end. */
    private Path history() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("history"));
        List<String> lines = new ArrayList<>();
        for (int txn = 0; txn < TXNS; txn++) {
            int session = txn % 4;
            Integer before = txn < 4 || txn == TXNS - 1 ? null : txn - 4;
            lines.add(
                    "{\"txn\":%d,\"session\":%d,\"seq\":%d,\"start\":%d,\"commit\":%d,\"ops\":[[\"r\",%d,%s],[\"w\",%d,%d]]}"
                            .formatted(
                                    txn, session, txn / 4, 10 * txn + 1, 10 * txn + 5, session, before, session, txn));
        }
        List<String> first = new ArrayList<>(lines.subList(0, TXNS / 2));
        List<String> second = new ArrayList<>(lines.subList(TXNS / 2, TXNS));
        first.add("not json");
        second.add(3, "{\"txn\":1,");
        Files.write(parts.resolve("a.jsonl"), first);
        Files.write(parts.resolve("b.jsonl"), second);
        return parts;
    }
}
