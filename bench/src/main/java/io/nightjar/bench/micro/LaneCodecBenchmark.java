package io.nightjar.bench.micro;

import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** The cost of spilling for a check without the disk: the chunks of 64 lanes to bytes and back. */
public class LaneCodecBenchmark extends KernelBenchmark {

    private static final int LANES = 64;

    private final LaneCodec codec = new LaneCodec();
    private final ByteWriter sink = new ByteWriter(1 << 16);
    private List<LaneChunk> chunks;
    private List<byte[]> encoded;
    private long opCount;

    @Setup(Level.Trial)
    public void scan(GeneratedSlices history) {
        chunks = ScannedChunks.of(history, LANES);
        encoded = ScannedChunks.encoded(chunks);
        opCount = ScannedChunks.opCount(chunks);
    }

    @Benchmark
    public void encodeLanes(Blackhole hole) {
        for (LaneChunk chunk : chunks) {
            sink.clear();
            codec.encode(chunk, sink);
            hole.consume(sink.bytes());
        }
    }

    @Benchmark
    public long decodeLanes(Blackhole hole) {
        long decoded = 0;
        for (byte[] bytes : encoded) {
            LaneChunk chunk = codec.decode(new ByteReader(bytes, 0, bytes.length));
            decoded += chunk.opCount;
            hole.consume(chunk);
        }
        if (decoded != opCount) {
            throw new IllegalStateException("operations lost: decoded=" + decoded + " encoded=" + opCount);
        }
        return decoded;
    }
}
