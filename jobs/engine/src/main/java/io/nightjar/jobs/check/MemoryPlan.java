package io.nightjar.jobs.check;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistorySource.Split;

/**
 * The distribution of a history over memory and disk: all lanes in memory at once, or enough lanes on disk for each
 * thread to load one.
 *
 * @param laneCount a power of two
 * @param spillBytes approximate size of the lanes on disk, if they spill
 * @param laneBytes maximum size of a lane: all of them together in memory, one for each thread when they spill
 */
public record MemoryPlan(int laneCount, boolean spills, long spillBytes, long laneBytes) {

    /*
     * A lane in memory takes about so much, columns and events and keys together; on disk varints make it less. Text
     * formats do not state their number of operations, so it is estimated from their size.
     */
    private static final int BYTES_PER_OP = 18;
    private static final int BYTES_PER_TXN = 85;
    private static final int SPILLED_BYTES_PER_OP = 17;
    private static final int TEXT_BYTES_PER_OP = 12;
    private static final int COMPRESSED_BYTES_PER_OP = 2;
    private static final int OPS_PER_TXN = 8;
    private static final int MAX_LANES = 1 << 12;

    /** Share of the allowed memory for lanes; the rest is for the reader, the slices in transit and the JVM itself. */
    private static final double SHARE_FOR_LANES = 0.55;

    /** Lanes on disk are loaded after reading, so they may use the memory of the reader, except its permanent part. */
    private static final double SHARE_FOR_LOADED_LANES = 0.7;

    private static final long ALWAYS_TAKEN = 24L << 20;
    private static final double MIN_SHARE_FOR_LOADED_LANES = 0.25;

    /** Returns the plan for a source, based on the size that it states. */
    public static MemoryPlan of(HistorySource source, long memoryBytes, int threadCount) {
        long ops = opsOf(source);
        long txns = 0;
        for (Split split : source.splits()) {
            txns += split.txnCount() >= 0 ? split.txnCount() : opsOf(split) / OPS_PER_TXN;
        }
        return of(ops, txns, memoryBytes, threadCount);
    }

    /** Returns the plan for the given amount. */
    static MemoryPlan of(long ops, long txns, long memoryBytes, int threadCount) {
        long forLanes = (long) (memoryBytes * SHARE_FOR_LANES);
        if (ops * BYTES_PER_OP + txns * BYTES_PER_TXN <= forLanes) {
            return new MemoryPlan(lanesInMemory(ops, threadCount), false, ops * SPILLED_BYTES_PER_OP, forLanes);
        }
        return spilling(ops, forLoadedLanes(memoryBytes) / threadCount);
    }

    /** Returns the memory with which nothing spills. */
    static long bytesToHold(long txnCount, long opCount) {
        return (long) Math.ceil((opCount * BYTES_PER_OP + txnCount * BYTES_PER_TXN) / SHARE_FOR_LANES) + 1;
    }

    /**
     * Returns the memory for rows of a scan in the order of commits, without that of the reader and the slices in
     * transit.
     */
    static long bytesInOrder(long memoryBytes) {
        return Math.max(memoryBytes / 4, (memoryBytes - ALWAYS_TAKEN) / 2);
    }

    /**
     * Returns the number of lanes, a power of two, for which one lane fits into the given memory, based on the size
     * that the source states.
     */
    public static int lanesThatFit(HistorySource source, long laneBytes) {
        return spilling(opsOf(source), laneBytes).laneCount();
    }

    /** Returns a plan with more lanes, for when a history turned out larger than it looked. */
    MemoryPlan withMoreLanes(int threadCount) {
        int lanes = Math.min(MAX_LANES, laneCount * 8);
        long perLane = spills ? laneBytes : laneBytes / threadCount;
        return new MemoryPlan(Math.max(16, lanes), true, 2 * spillBytes, perLane);
    }

    private static long opsOf(HistorySource source) {
        long ops = 0;
        for (Split split : source.splits()) {
            ops += opsOf(split);
        }
        return ops;
    }

    private static long opsOf(Split split) {
        return split.opCount() >= 0 ? split.opCount() : split.byteCount() / bytesPerOp(split);
    }

    private static long forLoadedLanes(long memoryBytes) {
        long left = (long) (memoryBytes * SHARE_FOR_LOADED_LANES) - ALWAYS_TAKEN;
        return Math.max(left, (long) (memoryBytes * MIN_SHARE_FOR_LOADED_LANES));
    }

    private static MemoryPlan spilling(long ops, long laneBytes) {
        long needed = ops * (BYTES_PER_OP + BYTES_PER_TXN); // few operations of one transaction meet in one lane
        int lanes = 16;
        while (lanes < MAX_LANES && needed / lanes > laneBytes * 2 / 3) {
            lanes *= 2;
        }
        return new MemoryPlan(lanes, true, ops * SPILLED_BYTES_PER_OP, laneBytes);
    }

    /**
     * Returns the number of lanes in memory: on few cores one sweep over all operations beats several that need them
     * partitioned.
     */
    private static int lanesInMemory(long ops, int threadCount) {
        return threadCount <= 2 || ops < 1 << 22 ? 1 : Integer.highestOneBit(threadCount);
    }

    private static int bytesPerOp(Split split) {
        boolean compressed = split.file().endsWith(".gz") || split.file().endsWith(".zst");
        return compressed ? COMPRESSED_BYTES_PER_OP : TEXT_BYTES_PER_OP;
    }
}
