package io.nightjar.bench.micro;

import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneCheck;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.partition.LaneChunk;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;

/**
 * Stage 5 on one lane that holds everything, sorting of the events included.
 *
 * <p>The lane is filled once: a check changes it only where transactions are unknown or keys cannot be checked, and
 * here it has neither. The history was made by a store with snapshot isolation; it has none of the anomalies of that
 * level, and stale reads at serializability, whose number must be the same each time.
 */
public class SweepBenchmark extends KernelBenchmark {

    private static final int FINDINGS_KEPT = 100; // limit of the command without tables

    private static final Map<IsolationLevel, Set<Axiom>> SNAPSHOTS =
            Map.of(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.of(IsolationLevel.SNAPSHOT_ISOLATION));

    /** INT was decided in the sweep of snapshots, and explaining thousands of findings is not the measured work. */
    private static final Map<IsolationLevel, Set<Axiom>> SERIAL =
            Map.of(IsolationLevel.COMMIT_ORDER_SERIALIZABLE, EnumSet.of(Axiom.EXT));

    private Lane lane;
    private long serialAnomalies;

    @Setup(Level.Trial)
    public void fill(GeneratedSlices history) {
        lane = new Lane();
        for (LaneChunk chunk : ScannedChunks.of(history, 1)) {
            lane.append(chunk);
        }
        serialAnomalies = check(SERIAL);
    }

    @Benchmark
    public long sweepSnapshots() {
        return verified(check(SNAPSHOTS), 0);
    }

    @Benchmark
    public long sweepSerially() {
        return verified(check(SERIAL), serialAnomalies);
    }

    private long check(Map<IsolationLevel, Set<Axiom>> axioms) {
        Findings findings = new Findings(FINDINGS_KEPT);
        new LaneCheck(lane, axioms, null, PromotedTxns.NONE, findings).run();
        return findings.total();
    }

    private static long verified(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("wrong number of findings: found=" + found + " expected=" + expected);
        }
        return found;
    }
}
