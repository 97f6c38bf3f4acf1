package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
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

/** Stage 3 for values: all operations as columns with one numbering, then the writer of each read. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class ReadInferenceBenchmark {

    private OperationLog log;

    @Setup(Level.Trial)
    public void gather(GeneratedSlices history) {
        log = ClientView.gather(history.slices);
    }

    @Benchmark
    public OperationLog buildOperationLog(GeneratedSlices history) {
        OperationLogBuilder builder = new OperationLogBuilder(null);
        for (HistorySlice slice : history.slices) {
            builder.add(slice);
        }
        return builder.build();
    }

    @Benchmark
    public ClientHistory inferReads() {
        return ClientView.read(log);
    }
}
