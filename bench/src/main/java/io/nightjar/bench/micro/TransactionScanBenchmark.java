package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.TransactionScan;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** Stages 3 and 4: every transaction scanned once, its operations emitted to one lane or to many. */
public class TransactionScanBenchmark extends KernelBenchmark {

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
