package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.TransactionScan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Stages 3 and 4: every transaction scanned once, its operations emitted to one lane or to many. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class TransactionScanBenchmark {

    @Param({"1", "64"})
    public int lanes;

    private TransactionScan scan;

    @Setup(Level.Iteration)
    public void begin() {
        scan = new TransactionScan(lanes, null);
    }

    @Benchmark
    public void scanTransactions(GeneratedSlices history, Blackhole sink) {
        for (HistorySlice slice : history.slices) {
            scan.scan(slice);
            sink.consume(scan.chunk(0));
        }
    }
}
