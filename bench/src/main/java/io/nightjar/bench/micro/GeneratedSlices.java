package io.nightjar.bench.micro;

import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A clean history in memory, as stage 1 emits it. */
@State(Scope.Benchmark)
public class GeneratedSlices {

    @Param
    public Workload workload;

    @Param("1000000")
    public long transactions;

    List<HistorySlice> slices;

    @Setup(Level.Trial)
    public void generate() throws IOException {
        slices = new ArrayList<>();
        HistoryGenerator.generate(workload.options(transactions), slices::add);
    }

    long operationCount() {
        long count = 0;
        for (HistorySlice slice : slices) {
            count += slice.opCount;
        }
        return count;
    }
}
