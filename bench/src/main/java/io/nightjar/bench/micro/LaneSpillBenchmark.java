package io.nightjar.bench.micro;

import io.nightjar.jobs.check.SpilledLane;
import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.partition.LaneChunk;
import java.io.IOException;
import java.nio.file.Path;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * A lane that is written to disk and read back whole; the page cache is warm, so the transfer is measured, not the
 * disk.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class LaneSpillBenchmark {

    private static final long MEMORY_BYTES = 1L << 40;

    private final SpillFile.Folders directories =
            new SpillFile.Folders(List.of(Path.of(System.getProperty("java.io.tmpdir"))), "free some room");
    private List<byte[]> encoded;
    private long opCount;

    @Setup(Level.Trial)
    public void scan(GeneratedSlices history) {
        List<LaneChunk> chunks = ScannedChunks.of(history, 1);
        encoded = ScannedChunks.encoded(chunks);
        opCount = ScannedChunks.opCount(chunks);
    }

    @Benchmark
    public long spillLanes(Blackhole hole) throws IOException {
        long[] loaded = new long[1];
        try (SpilledLane lane = SpilledLane.ofTask(directories, 0)) {
            for (byte[] bytes : encoded) {
                lane.add(bytes, bytes.length);
            }
            lane.forEachRange(MEMORY_BYTES, range -> {
                loaded[0] += range.opCount();
                hole.consume(range);
            });
        }
        if (loaded[0] != opCount) {
            throw new IllegalStateException("operations lost: loaded=" + loaded[0] + " spilled=" + opCount);
        }
        return loaded[0];
    }
}
