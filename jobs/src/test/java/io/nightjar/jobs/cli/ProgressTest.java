package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {

    @Test
    void aKnownTotalGivesShareAndTimeLeft() {
        assertThat(Progress.text("reading", 250_000, 1_000_000, 30, false))
                .isEqualTo("reading  25%  250,000 of 1,000,000  1m30s left  30s");
    }

    @Test
    void theBarFillsWithTheShare() {
        assertThat(Progress.text("reading", 1, 2, 1, true))
                .isEqualTo("reading [############............]  50%  1 of 2  1s left  1s");
    }

    @Test
    void anUnknownTotalGivesTheCount() {
        assertThat(Progress.text("reading", 1_234, -1, 61, true)).isEqualTo("reading  1,234  1m01s");
    }

    @Test
    void moreThanTheTotalIsStillAllOfIt() {
        assertThat(Progress.text("reading", 3, 2, 1, false)).startsWith("reading 100%");
    }

    @Test
    void onlyAllIsHundredPercent() {
        assertThat(Progress.text("reading", 9_999, 10_000, 1, false)).startsWith("reading  99%");
    }
}
