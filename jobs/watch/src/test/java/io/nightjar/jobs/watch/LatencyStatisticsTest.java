package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.watch.LiveCounts.Count;
import org.junit.jupiter.api.Test;

class LatencyStatisticsTest {

    @Test
    void intervalReportsLatenciesAndTotalReportsRareOnes() {
        LatencyStatistics times = new LatencyStatistics();
        times.verdict(100, 10);
        times.finalVerdict(5_000_000, 10);
        times.setRight(7_000);
        times.late(3_000);
        times.beginInterval();

        assertThat(times.percentiles()).isEqualTo(new LatencyStatistics.Percentiles(0, 0, 0, 0, 7, 7, 3, 3));

        times.verdict(50, 1);

        assertThat(times.percentiles().verdictP99Micros()).isEqualTo(50);
    }

    @Test
    void finalVerdictsAreFirstWithoutProvisionalOnes() {
        LatencyStatistics times = new LatencyStatistics();

        times.finalVerdict(5_000_000, 10);

        LatencyStatistics.Percentiles percentiles = times.percentiles();
        assertThat(percentiles.verdictP50Micros() / 1_000)
                .isEqualTo(percentiles.finalP50Millis())
                .isGreaterThan(4_900);
        assertThat(percentiles.verdictP99Micros() / 1_000).isEqualTo(percentiles.finalP99Millis());
    }

    @Test
    void maximumOfTaskSpansCounts() {
        LiveCounts maxLatencies = new LiveCounts();
        maxLatencies.addSpans(new LiveCounts()
                .set(Count.LATE_MICROS, 5)
                .set(Count.LATE_TXNS, 1)
                .set(Count.LATE, 2));
        maxLatencies.addSpans(new LiveCounts()
                .set(Count.LATE_MICROS, 3)
                .set(Count.LATE_TXNS, 9)
                .set(Count.LATE, 2));

        assertThat(LatenessStatistics.remark(2, maxLatencies).message())
                .contains("2 transactions", "--lateness 1s, 10txns");
        assertThat(LatenessStatistics.remark(0, maxLatencies)).isNull();
    }
}
