package io.nightjar.jobs.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.fixtures.SliceSource;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.timestamp.Positions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments that do not fit into memory together are decided in turn. */
class SegmentCheckTest {

    private static final long MUCH = 256L << 20;

    @TempDir
    private Path spillParent;

    private final List<HistorySlice> slices = new ArrayList<>();

    @BeforeEach
    void generate() throws IOException {
        HistoryGenerator.generate(
                GeneratorOptions.builder()
                        .transactions(20_000)
                        .sessions(20)
                        .ops(8)
                        .keys(500)
                        .store(StoreKind.SI)
                        .build(),
                slices::add);
    }

    @Test
    void littleMemoryFindsTheSameDependencies() throws IOException {
        Map<Anomaly, Long> atOnce = cycles(check(MUCH));

        assertThat(cycles(check(16L << 20))).isEqualTo(atOnce).isNotEmpty();
        assertThat(cycles(check(2L << 20))).isEqualTo(atOnce);
    }

    @Test
    void segmentThatDoesNotFitLeavesItOpen() throws IOException {
        assertThat(check(10_000).kind()).isEqualTo(SerialProof.Kind.OPEN);
    }

    private static Map<Anomaly, Long> cycles(SerialProof proof) {
        Map<Anomaly, Long> counts = new EnumMap<>(Anomaly.class);
        counts.putAll(Objects.requireNonNull(proof.dependencies()).findings().counts(IsolationLevel.SERIALIZABLE));
        return counts;
    }

    private SerialProof check(long memoryBytes) throws IOException {
        HistorySource source = new SliceSource(slices, 2, 0);
        CheckOptions options = CheckOptions.of(List.of(IsolationLevel.SERIALIZABLE))
                .evidence(Evidence.TIMESTAMPS)
                .threadCount(2)
                .memoryBytes(MUCH)
                .spillParent(spillParent)
                .build();
        StageMetrics stages = StageMetrics.untold();
        try (ValidatingScanner rows = new ValidatingScanner(source, 2, MUCH, spillParent);
                TimestampCheck sweep =
                        new TimestampCheck(rows, Map.of(), null, options, 0, stages, ProgressListener.NONE)) {
            sweep.readInOrder(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER, true);
            Positions positions = Objects.requireNonNull(sweep.positions());
            assertThat(positions.segmentCount()).isGreaterThan(10);
            return new SegmentCheck(rows, positions, null, options.withMemoryBytes(memoryBytes), stages).check();
        }
    }
}
