package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.KeyFilter;
import io.nightjar.pipeline.partition.KeyHash;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sweeps over a history whose rows come nearly in order, each for the keys of a lane: no two need the same thread. */
public final class PartitionedInOrderSweep {

    private final InOrderSweep[] parts;

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
            throw new IllegalArgumentException("positions need one part: count=" + count);
        }
        parts = new InOrderSweep[count];
        SuspectShare share = new SuspectShare();
        for (int part = 0; part < count; part++) {
            parts[part] =
                    new InOrderSweep(axioms, findsPositions, initialValue, memoryBytes / count, windowLength, share);
        }
    }

    public int count() {
        return parts.length;
    }

    /** Returns the sweep for the chunks of a lane, which requires all of them in the order of the rows. */
    public InOrderSweep part(int lane) {
        return parts[lane];
    }

    /** Returns why one of them ended without a result, so that all must be checked otherwise; null if none did. */
    public @Nullable String whyGivenUp() {
        for (InOrderSweep part : parts) {
            if (part.isGivenUp()) {
                return part.whyGivenUp();
            }
        }
        return null;
    }

    /** Returns positions, once all rows were added and the sweep did not end early; null unless requested. */
    public @Nullable Positions positions() {
        return parts[0].positions();
    }

    public long keyCount() {
        long keys = 0;
        for (InOrderSweep part : parts) {
            keys += part.keyCount();
        }
        return keys;
    }

    /** Returns the number of suspect keys, which lanes must check. */
    public long suspectKeys() {
        long keys = 0;
        for (InOrderSweep part : parts) {
            keys += part.suspectKeys();
        }
        return keys;
    }

    /** Returns the number of operations on suspect keys. */
    public long suspectOps() {
        long ops = 0;
        for (InOrderSweep part : parts) {
            ops += part.suspectOps();
        }
        return ops;
    }

    /** Returns the suspect keys, which lanes must check, for any number of threads; valid once all rows were added. */
    public KeyFilter suspects() {
        KeyFilter[] ofParts = new KeyFilter[parts.length];
        for (int part = 0; part < parts.length; part++) {
            ofParts[part] = parts[part].suspects();
        }
        return new Suspects(ofParts);
    }

    /** Filter that queries the partition of each key. */
    private record Suspects(KeyFilter[] ofParts) implements KeyFilter {

        @Override
        public boolean holds(long key) {
            return ofParts[KeyHash.lane(KeyHash.of(key), ofParts.length)].holds(key);
        }

        @Override
        public boolean holds(StringTable names, int name) {
            return ofParts[KeyHash.lane(KeyHash.of(names, name), ofParts.length)].holds(names, name);
        }
    }
}
