package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics.StageRow;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageMergerTest {

    @Test
    void aTaskTakesAsLongAsItsPartsAndAStationAsItsSlowestTask() {
        StageMessage first = check(1.5, 10).then(check(2.0, 20));
        StageMessage second = check(3.0, 5);
        StageMerger merger = new StageMerger();
        merger.add(first);
        merger.add(second);

        assertThat(merger.stages(ProgressListener.NONE).rows())
                .containsExactly(new StageRow("check", 3.5, 35, 70, 105, 140, -1, Map.of("anomalies", 175L)));
    }

    @Test
    void aMessageArrivesAsItWasSent() {
        StageMessage sent = check(0.25, 3);

        Chunk arrived = Chunk.of(0, sent);

        assertThat(arrived.message()).isEqualTo(sent);
    }

    private static StageMessage check(double seconds, long n) {
        return new StageMessage("check", seconds, n, 2 * n, 3 * n, 4 * n, Map.of("anomalies", 5 * n));
    }
}
