package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SessionForest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The sessions that are connected through keys: one scan of all operations. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class SessionForestBenchmark {

    @Benchmark
    public int groupSessions(GeneratedSlices history) {
        SessionForest forest = new SessionForest();
        for (HistorySlice slice : history.slices) {
            forest.add(slice);
        }
        int groups = forest.groups().groupCount();
        if (groups == 0) {
            throw new IllegalStateException("sessions lost: slices=" + history.slices.size());
        }
        return groups;
    }
}
