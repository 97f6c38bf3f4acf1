package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.inject.Fault;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.cluster.ClusterOptions;
import io.nightjar.jobs.cluster.LocalCluster;
import io.nightjar.jobs.cluster.RemoteCluster;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A history twice as large as all that the TaskManagers may hold together is checked all the same.
 *
 * <p>Larger is meant of its columns in memory, the texts of its values included, against the heaps of all TaskManagers and
 * their managed memory, in full.
 */
@Tag("slow")
class SmallTaskManagersITCase {

    private static final int TASK_MANAGERS = 2;
    private static final long MEMORY = 680L << 20;

    /** Framework heap, task heap and managed memory of one, see docs/flink.md. */
    private static final long FOR_DATA = (64L + 64 + 68) << 20;

    private static final int TIMES_LARGER = 2;
    private static final int TXNS = Math.min(1_400_000, Seeds.rounds(350_000)); // exchanges lie on disk

    /** Kind, key, and the ordinal of the value's text. */
    private static final int BYTES_PER_OP = 1 + 8 + 8;

    private static final int BYTES_PER_TXN = 41;
    private static final int TEXT_BYTES = 160;
    private static final int MAX_DIGITS = 19;

    @TempDir
    Path folder;

    @Test
    void aHistoryTwiceAsLargeAsTheClusterIsChecked() throws Exception {
        Path history = folder.resolve("history.parquet");
        assertThat(generate(history)).isGreaterThan(TIMES_LARGER * TASK_MANAGERS * FOR_DATA);
        RunResult result;
        try (LocalCluster cluster = LocalCluster.start(
                new ClusterOptions(TASK_MANAGERS, 1, 0, MEMORY, folder.resolve("cluster"), List.of()))) {
            assertThat(RemoteCluster.connect(cluster.restAddress()).taskManagers())
                    .hasSize(TASK_MANAGERS)
                    .allSatisfy(one -> assertThat(one.heapBytes()).isBetween(100L << 20, FOR_DATA))
                    .allSatisfy(one -> assertThat(one.slots()).isEqualTo(1));
            FlinkOptions flink = new FlinkOptions(TASK_MANAGERS, cluster.restAddress());
            try (FlinkEngine engine = new FlinkEngine(options(), flink, "test", ProgressListener.NONE)) {
                result = engine.check(history, null);
            }
        }
        assertThat(result.transactions()).isEqualTo(TXNS);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).types())
                .isEqualTo(Map.of("EXT", 3L, "NOCONFLICT", 2L, "SESSION", 1L));
        assertThat(StageRows.sum(folder.resolve("lake"), "bytes_spilled")).isPositive();
    }

    private CheckOptions options() {
        return CheckOptions.of(List.of(IsolationLevel.SNAPSHOT_ISOLATION))
                .lake(folder.resolve("lake"))
                .search(new CheckOptions.Search(600_000_000_000L, 0, false))
                .threadCount(1)
                .spillParent(folder)
                .build();
    }

    /** Returns how many bytes its columns take in memory. */
    private static long generate(Path file) throws IOException {
        GeneratorOptions options = GeneratorOptions.builder()
                .transactions(TXNS)
                .keys(200_000)
                .faults(Fault.parseCounts("stale-read=3,lost-update=2,session-break=1"))
                .build();
        long[] bytes = {0};
        try (HistoryWriter writer = Histories.create(file, null)) {
            HistoryGenerator.generate(options, slice -> {
                HistorySlice withTexts = withTexts(slice);
                bytes[0] += bytesOf(withTexts);
                writer.write(withTexts);
            });
            writer.finish();
        }
        return bytes[0];
    }

    /** The same with long texts for values, which take room without taking time. */
    private static HistorySlice withTexts(HistorySlice slice) {
        StringPool texts = new StringPool();
        byte[] text = "0".repeat(TEXT_BYTES).getBytes(StandardCharsets.US_ASCII);
        long[] value = slice.value.clone();
        for (int op = 0; op < slice.opCount; op++) {
            if (slice.kind[op] != OpKind.READ_NOTHING) {
                write(value[op], text);
                value[op] = texts.intern(text, 0, TEXT_BYTES);
            }
        }
        SliceBuilder builder = new SliceBuilder(slice.file);
        builder.columns()
                .txns(slice.txnCount, slice.firstRow)
                .ids(slice.txnId, slice.sessionId, slice.sessionSeq, slice.status)
                .timestamps(slice.startTs, slice.commitTs)
                .clientTimes(slice.invokeNs, slice.completeNs)
                .ops(slice.opCount, slice.firstOpOf, slice.kind, slice.key, value)
                .keyType(slice.keyType, slice.keyNames)
                .valueType(ValueType.STRING, texts);
        return builder.build();
    }

    private static void write(long number, byte[] text) {
        long rest = number;
        for (int digit = TEXT_BYTES - 1; digit >= TEXT_BYTES - MAX_DIGITS; digit--) {
            text[digit] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private static long bytesOf(HistorySlice slice) {
        long texts = (long) slice.valueNames.size() * (TEXT_BYTES + Integer.BYTES);
        return (long) slice.opCount * BYTES_PER_OP + (long) slice.txnCount * BYTES_PER_TXN + texts;
    }
}
