package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightjar.jobs.bench.ScalingModel.Costs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalingModelTest {

    private static final double LINK = 1e9;

    @Test
    void oneCoreTakesAllThatThereIs() {
        Costs costs = new Costs(0.3, 0.7, 2, 0.4, 1, 0.2, 1e8, LINK);

        assertThat(ScalingModel.wallSeconds(costs, 1, 1)).isCloseTo(costs.total(), within(1e-9));
    }

    @Test
    void withoutASerialPartCoresDivideTheWork() {
        Costs costs = new Costs(0, 0, 2, 0, 1, 0, 1e8, LINK);

        assertThat(ScalingModel.wallSeconds(costs, 1, 4)).isCloseTo(3.0 / 4, within(0.02));
        assertThat(ScalingModel.wallSeconds(costs, 1, 8)).isCloseTo(3.0 / 8, within(0.02));
    }

    @Test
    void modelIsNeverBelowTimeOfSequentialPart() {
        Costs costs = new Costs(0.1, 0.3, 2, 0.5, 1, 0.2, 1e8, LINK);

        for (int cores : new int[] {2, 8, 64}) {
            double serial = cores < 4 ? 0.5 + 1 : 0.5;
            double min = 0.1 + 0.2 + Math.max(serial, (0.3 + 2 + 0.5 + 1) / cores);
            assertThat(ScalingModel.wallSeconds(costs, 1, cores)).isBetween(min - 1e-9, min + 0.6);
        }
    }

    @Test
    void compilersUseSeparateCoreIfAvailable() {
        Costs costs = new Costs(0, 1, 0.5, 0.5, 0, 0, 1e8, LINK);

        assertThat(ScalingModel.wallSeconds(costs, 1, 1)).isCloseTo(2, within(1e-9));
        assertThat(ScalingModel.wallSeconds(costs, 1, 2)).isCloseTo(1, within(0.02));
    }

    /** Half as many parts as cores: each sweep takes its part of every slice, one after the other. */
    @Test
    void sweepsOfPartsOfTheKeysRunBesideReaders() {
        Costs costs = new Costs(0, 0, 1, 0, 2, 0, 1e8, LINK);

        assertThat(ScalingModel.wallSeconds(costs, 1, 2))
                .as("one thread sweeps")
                .isCloseTo(2, within(0.05));
        assertThat(ScalingModel.wallSeconds(costs, 1, 4)).as("two do").isCloseTo(1, within(0.05));
        assertThat(ScalingModel.wallSeconds(costs, 1, 8)).as("four do").isCloseTo(0.5, within(0.05));
    }

    @Test
    void aSlowLinkIsWaitedFor() {
        Costs fast = new Costs(0, 0, 2, 0.1, 1, 0, 4e9, 1e12);
        Costs slow = new Costs(0, 0, 2, 0.1, 1, 0, 4e9, 1e8);

        double sent = 4e9 / 4 * 3 / 4 / 1e8; // each of four machines sends three quarters of its input
        assertThat(ScalingModel.wallSeconds(slow, 4, 8)).isBetween(sent, sent + 0.3);
        assertThat(ScalingModel.wallSeconds(fast, 4, 8)).isLessThan(0.5);
    }

    @Test
    void moreCoresNeverTakeLonger() {
        Costs costs = new Costs(0.2, 0.5, 2, 0.3, 1, 0.2, 1e8, LINK);
        double before = Double.POSITIVE_INFINITY;
        for (int cores = 1; cores <= 64; cores *= 2) {
            double wall = ScalingModel.wallSeconds(costs, 1, cores);
            assertThat(wall).as("cores %d", cores).isLessThanOrEqualTo(before);
            before = wall;
        }
    }

    /** One core takes the measured time; a run on two cores that was not pinned is no measurement of one. */
    @Test
    void tableComparesModelWithRunsOnSameCores() {
        List<BenchResult> runs = List.of(
                run("start", "1", "1", 0.3, 0.2, Map.of()),
                run("start", "2", "2", 0.2, 0.2, Map.of()),
                run("uniform", "1", "1", 3.1, 3.0, hot(Map.of("main", 70.0, "read", 30.0))),
                run("uniform", "2", "2", 2.2, 3.2, Map.of()),
                run("uniform", "8", "8", 2.2, 3.2, hot(Map.of("main", 5.0, "read", 40.0, "sweep", 55.0))));

        List<List<String>> rows = ScalingTable.rows(runs, 2);

        assertThat(rows.get(1)).containsExactly("1 x 1", "3.10", "1.0", "3.10", "+0 %");
        assertThat(rows.get(2).get(0)).isEqualTo("1 x 2");
        assertThat(rows.get(2).get(3)).isEqualTo("2.20");
        assertThat(rows.get(3).get(4)).as("four cores were not at hand").isEmpty();
        List<BenchResult> free = new ArrayList<>(runs);
        free.set(2, run("uniform", "1", null, 1.5, 3.0, runs.get(2).details()));
        assertThat(ScalingTable.rows(free, 2).get(1).get(4)).as("not pinned").isEmpty();
    }

    private static Map<String, Object> hot(Map<String, Object> threads) {
        return Map.of(
                HotMethods.MEMBER,
                Map.of(HotMethods.THREADS, threads, HotMethods.STOPPED, 0.3, HotMethods.COMPILED, 0.5));
    }

    private static BenchResult run(
            String series, String threads, String cores, double wall, double cpu, Map<String, Object> details) {
        return new BenchResult(
                new BenchResult.RunKey("threads", threads + "/" + series, threads, "", series, "nightjar", 1),
                BenchResult.Status.OK,
                "holds",
                new BenchResult.Cost(wall, cpu, 1000, 0, 0, 0),
                "c",
                "",
                cores == null ? Map.of() : Map.of(PointSettings.CORES, cores),
                details);
    }
}
