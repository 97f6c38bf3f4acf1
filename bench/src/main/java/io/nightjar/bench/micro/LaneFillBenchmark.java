package io.nightjar.bench.micro;

import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.partition.LaneChunk;
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
import org.openjdk.jmh.annotations.Warmup;

/** Building one lane from chunks: keys become dense, columns grow. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class LaneFillBenchmark {

    private List<LaneChunk> chunks;

    @Setup(Level.Trial)
    public void scan(GeneratedSlices history) {
        chunks = ScannedChunks.of(history, 1);
    }

    @Benchmark
    public Lane fillLane() {
        Lane lane = new Lane();
        for (LaneChunk chunk : chunks) {
            lane.append(chunk);
        }
        return lane;
    }
}
