package io.nightjar.bench.micro;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.Blackhole;

/** Stage 1: JSON Lines, one thread, from the page cache to columns. */
public class JsonLinesBenchmark extends FileBenchmark {

    public JsonLinesBenchmark() {
        super(".jsonl");
    }

    @Benchmark
    public long parseJsonLines(Blackhole sink) throws IOException {
        return read(sink);
    }
}
