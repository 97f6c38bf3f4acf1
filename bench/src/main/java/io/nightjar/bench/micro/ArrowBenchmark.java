package io.nightjar.bench.micro;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Stage 1: Arrow IPC, one thread, from the page cache to columns. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class ArrowBenchmark {

    private HistoryFile file;

    @Setup(Level.Trial)
    public void write(GeneratedSlices history) throws IOException {
        file = HistoryFile.write(history, ".arrow");
        history.slices = List.of(); // releases the slices, so that collections do not trace them
    }

    @TearDown(Level.Trial)
    public void delete() throws IOException {
        file.delete();
    }

    @Benchmark
    public long decodeArrow(Blackhole sink) throws IOException {
        return file.read(sink);
    }
}
