package io.nightjar.bench.micro;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.timestamp.InOrderSweep;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;

/**
 * Stage 5 while rows arrive in the order of commits: the sweep that is the main part of most checks by timestamps.
 *
 * <p>A sweep owns the chunks that it takes, so each round has its own. The history is clean, and no key of it may stay
 * undecided.
 */
public class InOrderBenchmark extends KernelBenchmark {

    private static final Map<IsolationLevel, Set<Axiom>> SNAPSHOTS =
            Map.of(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.of(IsolationLevel.SNAPSHOT_ISOLATION));
    private static final long MEMORY = 1L << 30;

    private final LaneCodec codec = new LaneCodec();
    private List<byte[]> encoded;
    private List<LaneChunk> chunks;

    @Setup(Level.Trial)
    public void encode(GeneratedSlices history) {
        encoded = ScannedChunks.encoded(ScannedChunks.of(history, 1));
    }

    @Setup(Level.Invocation)
    public void decode() {
        chunks = new ArrayList<>();
        for (byte[] bytes : encoded) {
            chunks.add(codec.decode(new ByteReader(bytes, 0, bytes.length)));
        }
    }

    @Benchmark
    public InOrderSweep sweepInOrder() {
        InOrderSweep sweep = new InOrderSweep(SNAPSHOTS, null, MEMORY);
        chunks.forEach(sweep::add);
        sweep.finish();
        if (sweep.isGivenUp() || sweep.isInDoubt() || sweep.suspectKeys() > 0) {
            throw new IllegalStateException("in doubt: keys=" + sweep.suspectKeys() + " why=" + sweep.abandonReason());
        }
        return sweep;
    }
}
