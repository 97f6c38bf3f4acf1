package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.formats.parquet.ParquetHistoryWriter;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of tables that do not fit into memory as a whole: lanes are replayed one after the other. */
class TablesInLanesTest {

    private static final List<IsolationLevel> LEVELS =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);

    private static final long ENOUGH = 512L << 20;

    /** The history takes 2.7 MB, and its check as much again. */
    private static final long FOR_LANES = 4L << 20;

    private static final long FOR_NOTHING = 1L << 18;

    @TempDir
    private Path folder;

    private Path history(StoreKind store) throws IOException {
        Path file = folder.resolve(store + ".parquet");
        GeneratorOptions options = GeneratorOptions.builder()
                .workload("ranges")
                .store(store)
                .transactions(2_000)
                .sessions(6)
                .ops(10)
                .reads(0.2)
                .keys(300)
                .build();
        try (ParquetHistoryWriter writer = new ParquetHistoryWriter(file, OpColumns.ALL)) {
            HistoryGenerator.generate(options, writer::write);
            writer.finish();
        }
        return file;
    }

    private static RunResult check(Path file, Evidence evidence, long memoryBytes) throws IOException {
        return check(file, LEVELS, evidence, memoryBytes);
    }

    private static RunResult check(Path file, List<IsolationLevel> levels, Evidence evidence, long memoryBytes)
            throws IOException {
        CheckOptions options = CheckOptions.of(levels)
                .evidence(evidence)
                .maxAnomalies(1_000)
                .threadCount(1)
                .memoryBytes(memoryBytes)
                .spillParent(file.getParent())
                .build();
        try (HistorySource source = Histories.open(file, null)) {
            return new LocalEngine(options, "test", ProgressListener.NONE).check(source, file);
        }
    }

    private static String summary(RunResult result) {
        return RunResultJson.write(result).replaceAll("\"seconds\":[^,]*,", "");
    }

    @Test
    void aSerializableHistoryHoldsByLanes() throws IOException {
        Path file = history(StoreKind.SER);
        RunResult whole = check(file, Evidence.AUTO, ENOUGH);

        assertThat(whole.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(summary(check(file, Evidence.AUTO, FOR_LANES))).isEqualTo(summary(whole));
    }

    @Test
    void lanesFindSameAnomaliesAsReplays() throws IOException {
        Path file = history(StoreKind.SI);
        List<IsolationLevel> levels =
                List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        RunResult whole = check(file, levels, Evidence.TIMESTAMPS, ENOUGH);

        assertThat(whole.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(summary(check(file, levels, Evidence.TIMESTAMPS, FOR_LANES))).isEqualTo(summary(whole));
    }

    @Test
    void onlyLevelsOfVersionGraphRemainOpen() throws IOException {
        RunResult result = check(history(StoreKind.SI), Evidence.AUTO, FOR_LANES);

        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).verdict())
                .isEqualTo(Verdict.HOLDS);
        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).reason())
                .contains("operations do not fit into memory")
                .contains("would do");
    }

    @Test
    void tableBeyondLaneMemoryIsUndecided() throws IOException {
        RunResult result = check(history(StoreKind.SER), Evidence.AUTO, FOR_NOTHING);

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(result.levels().get(IsolationLevel.SNAPSHOT_ISOLATION).reason())
                .contains("operations do not fit into memory")
                .contains("would do");
    }
}
