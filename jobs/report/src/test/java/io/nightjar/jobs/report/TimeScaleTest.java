package io.nightjar.jobs.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeScaleTest {

    private static final long EPOCH = 1_764_000_000_000_000_000L;

    @Test
    void labelsAreRound() {
        assertThat(TimeScale.ofTicks(0, 7_340_032).labels(0, 7_340_032, 5))
                .containsExactly(0L, 2_000_000L, 4_000_000L, 6_000_000L);
        assertThat(TimeScale.ofTicks(3, 9).labels(3, 9, 5)).containsExactly(4L, 6L, 8L);
        assertThat(TimeScale.ofTicks(7, 7).labels(7, 7, 5)).containsExactly(7L);
    }

    @Test
    void originOfAxisIsRound() {
        long first = EPOCH - 131_072;
        long last = EPOCH + 30_408_704;
        TimeScale scale = TimeScale.ofTicks(first, last).withRoundOrigin(first, last);

        assertThat(scale.words()).isEqualTo("ticks after 1,764,000,000,000,000,000");
        assertThat(scale.labels(first, last, 5).stream().map(scale::number))
                .containsExactly("0", "+10,000,000", "+20,000,000", "+30,000,000");
    }

    @Test
    void labelsOfClientsAreRoundInTheirUnit() {
        TimeScale scale = TimeScale.ofNanos(EPOCH, EPOCH + 2_500_000);

        assertThat(scale.labels(EPOCH, EPOCH + 2_500_000, 5).stream().map(scale::text))
                .containsExactly("0 ms", "+0.5 ms", "+1 ms", "+1.5 ms", "+2 ms", "+2.5 ms");
    }

    @Test
    void extremeTimesHaveLabels() {
        assertThat(TimeScale.ofTicks(Long.MIN_VALUE, Long.MAX_VALUE).labels(Long.MIN_VALUE, Long.MAX_VALUE, 5))
                .hasSizeBetween(1, 6);
    }
}
