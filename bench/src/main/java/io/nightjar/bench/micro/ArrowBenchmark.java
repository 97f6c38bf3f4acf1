package io.nightjar.bench.micro;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.Blackhole;

/** Stage 1: Arrow IPC, one thread, from the page cache to columns. */
public class ArrowBenchmark extends FileBenchmark {

    public ArrowBenchmark() {
        super(".arrow");
    }

    @Benchmark
    public long decodeArrow(Blackhole sink) throws IOException {
        return read(sink);
    }
}
