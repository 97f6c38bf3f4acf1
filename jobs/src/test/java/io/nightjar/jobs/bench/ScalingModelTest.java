package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightjar.jobs.bench.ScalingModel.Costs;
import org.junit.jupiter.api.Test;

class ScalingModelTest {

    private static final double LINK = 1e9;

    @Test
    void oneCoreTakesAllThatThereIs() {
        Costs costs = new Costs(0.3, 2, 0.4, 1, 0.2, 1e8, LINK);

        assertThat(ScalingModel.wallSeconds(costs, 1, 1)).isCloseTo(costs.total(), within(1e-9));
    }

    @Test
    void withoutASerialPartCoresDivideTheWork() {
        Costs costs = new Costs(0, 2, 0, 1, 0, 1e8, LINK);

        assertThat(ScalingModel.wallSeconds(costs, 1, 4)).isCloseTo(3.0 / 4, within(0.02));
        assertThat(ScalingModel.wallSeconds(costs, 1, 8)).isCloseTo(3.0 / 8, within(0.02));
    }

    @Test
    void whatOneThreadMustDoIsNeverUndercut() {
        Costs costs = new Costs(0.1, 2, 0.5, 1, 0.2, 1e8, LINK);

        for (int cores : new int[] {2, 8, 64}) {
            double amdahl = 0.1 + 0.2 + Math.max(0.5, 2.0 / cores) + 1.0 / Math.min(cores, 64);
            assertThat(ScalingModel.wallSeconds(costs, 1, cores)).isBetween(amdahl - 1e-9, amdahl + 0.6);
        }
    }

    @Test
    void aSlowLinkIsWaitedFor() {
        Costs fast = new Costs(0, 2, 0.1, 1, 0, 4e9, 1e12);
        Costs slow = new Costs(0, 2, 0.1, 1, 0, 4e9, 1e8);

        double sent = 4e9 / 4 * 3 / 4 / 1e8; // each of four machines sends three quarters of what it reads
        assertThat(ScalingModel.wallSeconds(slow, 4, 8)).isBetween(sent, sent + 0.3);
        assertThat(ScalingModel.wallSeconds(fast, 4, 8)).isLessThan(0.4);
    }

    @Test
    void moreCoresNeverTakeLonger() {
        Costs costs = new Costs(0.2, 2, 0.3, 1, 0.2, 1e8, LINK);
        double before = Double.POSITIVE_INFINITY;
        for (int cores = 1; cores <= 64; cores *= 2) {
            double wall = ScalingModel.wallSeconds(costs, 1, cores);
            assertThat(wall).as("cores %d", cores).isLessThanOrEqualTo(before);
            before = wall;
        }
    }
}
