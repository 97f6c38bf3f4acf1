package io.nightjar.bench.micro;

import io.nightjar.datasets.generate.GeneratedHistory;
import io.nightjar.datasets.generate.HistoryGenerator;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The simulated store alone; its output is discarded. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class GeneratorBenchmark {

    @Param
    public Workload workload;

    @Param("1000000")
    public long transactions;

    @Benchmark
    public GeneratedHistory simulateStore(Blackhole sink) throws IOException {
        return HistoryGenerator.generate(workload.options(transactions), sink::consume);
    }
}
