package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.lake.LakeFixtures;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDetailsTest {

    @TempDir
    Path folder;

    @Test
    void runHasStagesSpilledBytesAndHistoryTimes() throws Exception {
        LakeFixtures.writeFullRun(folder, "r1");

        Map<String, Object> details = RunDetails.of(folder);

        assertThat(details).containsKeys("stages", "spilled_bytes", "components", "histories");
        Map<String, Object> histories = ResultsFile.map(details.get("histories"));
        Histogram read = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode((String) histories.get("hdr"))), 1);
        assertThat(read.getTotalCount()).isEqualTo(1).isEqualTo(histories.get("count"));
        assertThat(read.getMaxValue()).isEqualTo(histories.get("max_us"));
    }

    @Test
    void watchReportsItsCounts() {
        LakeFixtures.writeFullRun(folder, "r1");

        assertThat(ResultsFile.map(RunDetails.of(folder).get(RunDetails.WATCH)))
                .containsKeys("flips", "late", "corrected", "verdict_p99_us", "final_p99_ms");
    }
}
