package io.nightjar.bench.micro;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.Blackhole;

/** Stage 1: Parquet, one thread, from the page cache to columns. */
public class ParquetBenchmark extends FileBenchmark {

    public ParquetBenchmark() {
        super(".parquet");
    }

    @Benchmark
    public long decodeParquet(Blackhole sink) throws IOException {
        return read(sink);
    }
}
