package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.source.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.cluster.ClusterOptions;
import io.nightjar.jobs.cluster.LocalCluster;
import io.nightjar.jobs.cluster.RemoteCluster;
import io.nightjar.jobs.local.CheckOptions;
import io.nightjar.jobs.local.CheckOptions.Evidence;
import io.nightjar.jobs.local.Watcher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history larger than all that the TaskManagers may hold together is checked all the same. */
class SmallTaskManagersITCase {

    private static final int TASK_MANAGERS = 2;
    private static final long MEMORY = 680L << 20;

    /** Task heap and managed memory of one, see docs/flink.md. */
    private static final long FOR_DATA = (64L + 68) << 20;

    private static final int TXNS = Integer.getInteger("nightjar.transactions", 1_600_000);
    private static final int BYTES_PER_OP = 17;
    private static final int BYTES_PER_TXN = 41;

    @TempDir
    Path folder;

    @Test
    void aHistoryLargerThanTheClusterIsChecked() throws Exception {
        Path history = folder.resolve("history.parquet");
        assertThat(generate(history)).isGreaterThan(TASK_MANAGERS * FOR_DATA * 3 / 2);
        RunResult result;
        try (LocalCluster cluster =
                LocalCluster.start(new ClusterOptions(TASK_MANAGERS, 1, 0, MEMORY, folder.resolve("cluster")))) {
            assertThat(RemoteCluster.connect(cluster.restAddress()).taskManagers())
                    .hasSize(TASK_MANAGERS)
                    .allSatisfy(one -> assertThat(one.heapBytes()).isBetween(100L << 20, FOR_DATA))
                    .allSatisfy(one -> assertThat(one.slots()).isEqualTo(1));
            FlinkOptions flink = new FlinkOptions(TASK_MANAGERS, cluster.restAddress());
            try (FlinkEngine engine = new FlinkEngine(options(), flink, "test", Watcher.NOBODY)) {
                result = engine.check(history, null);
            }
        }
        assertThat(result.transactions()).isEqualTo(TXNS);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).types())
                .isEqualTo(Map.of("EXT", 3L, "NOCONFLICT", 2L, "SESSION", 1L));
        assertThat(StageRows.sum(folder.resolve("lake"), "bytes_spilled")).isPositive();
    }

    private CheckOptions options() {
        return new CheckOptions(
                List.of(IsolationLevel.SNAPSHOT_ISOLATION),
                Evidence.AUTO,
                null,
                0,
                100,
                folder.resolve("lake"),
                null,
                new CheckOptions.Search(600_000_000_000L, 0, false),
                Set.of(),
                null,
                null,
                1,
                Runtime.getRuntime().maxMemory(),
                folder);
    }

    /** Returns about how many bytes its columns take in memory. */
    private static long generate(Path file) throws IOException {
        GeneratorOptions options = GeneratorOptions.builder()
                .transactions(TXNS)
                .keys(200_000)
                .faults(Fault.parseCounts("stale-read=3,lost-update=2,session-break=1"))
                .build();
        long[] bytes = {0};
        try (HistoryWriter writer = Histories.create(file, null)) {
            HistoryGenerator.generate(options, slice -> {
                bytes[0] += bytesOf(slice);
                writer.write(slice);
            });
            writer.finish();
        }
        return bytes[0];
    }

    private static long bytesOf(HistorySlice slice) {
        return (long) slice.opCount * BYTES_PER_OP + (long) slice.txnCount * BYTES_PER_TXN;
    }
}
