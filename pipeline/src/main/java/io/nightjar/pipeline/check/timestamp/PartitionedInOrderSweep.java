package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.KeyFilter;
import io.nightjar.pipeline.partition.KeyHash;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sweeps over a history whose rows come nearly in order, each for the keys of a lane: no two need the same thread. */
public final class PartitionedInOrderSweep {

    private final InOrderSweep[] sweeps;

    /**
     * @param axioms axioms of each requested level
     * @param initialValue the text of the value that means the initial state as null does, or null
     * @param memoryBytes memory limit of all sweeps
     * @param findsPositions whether a serial order is searched too; then only one partition is used, since a position
     *     requires all reads
     * @param count number of partitions, a power of two
     */
    public PartitionedInOrderSweep(
            Map<IsolationLevel, Set<Axiom>> axioms,
            boolean findsPositions,
            @Nullable String initialValue,
            long memoryBytes,
            int count) {
        this(axioms, findsPositions, initialValue, memoryBytes, count, CommitWindow.FIRST_LENGTH);
    }

    /** @param windowLength how many transactions wait at first */
    PartitionedInOrderSweep(
            Map<IsolationLevel, Set<Axiom>> axioms,
            boolean findsPositions,
            @Nullable String initialValue,
            long memoryBytes,
            int count,
            int windowLength) {
        if (findsPositions && count > 1) {
            throw new IllegalArgumentException("positions need one lane: count=" + count);
        }
        sweeps = new InOrderSweep[count];
        SuspectShare share = new SuspectShare();
        for (int lane = 0; lane < count; lane++) {
            sweeps[lane] =
                    new InOrderSweep(axioms, findsPositions, initialValue, memoryBytes / count, windowLength, share);
        }
    }

    public int count() {
        return sweeps.length;
    }

    /** Returns the sweep for the chunks of a lane, which requires all of them in the order of the rows. */
    public InOrderSweep sweepOf(int lane) {
        return sweeps[lane];
    }

    /** Returns why one of them ended without a result, so that all must be checked otherwise; null if none did. */
    public @Nullable String abandonReason() {
        for (InOrderSweep sweep : sweeps) {
            if (sweep.isGivenUp()) {
                return sweep.abandonReason();
            }
        }
        return null;
    }

    /** Returns positions, once all rows were added and the sweep did not end early; null unless requested. */
    public @Nullable Positions positions() {
        return sweeps[0].positions();
    }

    public long keyCount() {
        long keys = 0;
        for (InOrderSweep sweep : sweeps) {
            keys += sweep.keyCount();
        }
        return keys;
    }

    /** Returns the number of suspect keys, which lanes must check. */
    public long suspectKeys() {
        long keys = 0;
        for (InOrderSweep sweep : sweeps) {
            keys += sweep.suspectKeys();
        }
        return keys;
    }

    /** Returns the number of operations on suspect keys. */
    public long suspectOps() {
        long ops = 0;
        for (InOrderSweep sweep : sweeps) {
            ops += sweep.suspectOps();
        }
        return ops;
    }

    /** Returns the suspect keys, which lanes must check, for any number of threads; valid once all rows were added. */
    public KeyFilter suspects() {
        KeyFilter[] ofLanes = new KeyFilter[sweeps.length];
        for (int lane = 0; lane < sweeps.length; lane++) {
            ofLanes[lane] = sweeps[lane].suspects();
        }
        return new Suspects(ofLanes);
    }

    /** Filter that queries the partition of each key. */
    private record Suspects(KeyFilter[] ofLanes) implements KeyFilter {

        @Override
        public boolean holds(long key) {
            return ofLanes[KeyHash.lane(KeyHash.of(key), ofLanes.length)].holds(key);
        }

        @Override
        public boolean holds(StringPool names, int name) {
            return ofLanes[KeyHash.lane(KeyHash.of(names, name), ofLanes.length)].holds(names, name);
        }
    }
}
