package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

/** The cost of sending slices without the network: to bytes and back. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-Xmx3g")
public class SliceCodecBenchmark {

    @Param
    public SliceForm form;

    private final SliceCodec codec = new SliceCodec();
    private final ByteWriter sink = new ByteWriter(1 << 16);
    private List<HistorySlice> slices;
    private List<byte[]> encoded;
    private long opCount;

    @Setup(Level.Trial)
    public void encodeOnce(GeneratedSlices history) {
        slices = history.slices;
        encoded = new ArrayList<>();
        for (HistorySlice slice : slices) {
            sink.clear();
            codec.encode(slice, form, sink);
            encoded.add(Arrays.copyOf(sink.bytes(), sink.size()));
            opCount += slice.opCount;
        }
    }

    @Benchmark
    public void encodeSlices(Blackhole hole) {
        for (HistorySlice slice : slices) {
            sink.clear();
            codec.encode(slice, form, sink);
            hole.consume(sink.bytes());
        }
    }

    @Benchmark
    public long decodeSlices(Blackhole hole) {
        long decoded = 0;
        for (byte[] bytes : encoded) {
            HistorySlice slice = codec.decode(new ByteReader(bytes, 0, bytes.length));
            decoded += slice.opCount;
            hole.consume(slice);
        }
        if (decoded != opCount) {
            throw new IllegalStateException("operations lost: decoded=" + decoded + " encoded=" + opCount);
        }
        return decoded;
    }
}
