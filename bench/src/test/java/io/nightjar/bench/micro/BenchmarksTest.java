package io.nightjar.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class BenchmarksTest {

    private static final String OURS = "^io\\.nightjar\\.bench\\.micro\\.";

    private static Set<BenchmarkListEntry> benchmarks;

    @BeforeAll
    static void findBenchmarks() {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        benchmarks = BenchmarkList.defaultList().find(silent, List.of(OURS), List.of());
    }

    @Test
    void everyBenchmarkRunsOnASmallHistory() throws RunnerException {
        // nothing is measured, so other benchmarks may run at the same time
        System.setProperty("jmh.ignoreLock", "true");
        Options once = new OptionsBuilder()
                .include(OURS)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .mode(Mode.SingleShotTime)
                .timeout(TimeValue.seconds(60))
                .param("transactions", "300")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();

        Collection<RunResult> results = new Runner(once).run();

        Set<String> ran = new TreeSet<>();
        results.forEach(result -> ran.add(result.getParams().getBenchmark()));
        assertThat(ran).hasSize(benchmarks.size()).isNotEmpty();
    }

    @Test
    void methodNamesDistinguishBenchmarks() {
        List<String> methods = new ArrayList<>();
        for (BenchmarkListEntry benchmark : benchmarks) {
            String name = benchmark.getUsername();
            methods.add(name.substring(name.lastIndexOf('.') + 1));
        }

        assertThat(methods).doesNotHaveDuplicates().allSatisfy(name -> assertThat(name)
                .hasSizeLessThanOrEqualTo(20));
    }
}
