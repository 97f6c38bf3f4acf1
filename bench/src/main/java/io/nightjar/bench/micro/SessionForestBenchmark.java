package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SessionForest;
import org.openjdk.jmh.annotations.Benchmark;

/** The sessions that are connected through keys: one scan of all operations. */
public class SessionForestBenchmark extends KernelBenchmark {

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
