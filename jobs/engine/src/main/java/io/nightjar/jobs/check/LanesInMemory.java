package io.nightjar.jobs.check;

import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.TransactionScan;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;

/** All lanes at once on the heap; readers append to them, one thread to each at a time. */
final class LanesInMemory implements LaneStore {

    /** Number of slices between two measurements of the bytes that a lane holds. */
    private static final int SCAN_INTERVAL = 16;

    private final Lane[] lanes;
    private final ReentrantLock[] lockOf;
    private final int[] sinceScanOf; // guarded by the lane's lock, as is the lane
    private final AtomicLongArray byteSizeOf;
    private final long maxBytes;
    private volatile boolean isFull; // further slices are ignored
    private volatile boolean isDisagreeing;
    private final AtomicInteger fillers = new AtomicInteger();

    LanesInMemory(int laneCount, long maxBytes) {
        this.maxBytes = maxBytes;
        this.lanes = new Lane[laneCount];
        this.lockOf = new ReentrantLock[laneCount];
        this.sinceScanOf = new int[laneCount];
        this.byteSizeOf = new AtomicLongArray(laneCount);
        for (int lane = 0; lane < laneCount; lane++) {
            lanes[lane] = new Lane();
            lockOf[lane] = new ReentrantLock();
        }
    }

    @Override
    public int laneCount() {
        return lanes.length;
    }

    @Override
    public Filler newFiller(TransactionScan scan) {
        int first = fillers.getAndIncrement(); // threads begin with different lanes
        return () -> {
            if (isFull) {
                return false;
            }
            for (int i = 0; i < lanes.length; i++) {
                int lane = (first + i) % lanes.length;
                if (!scan.chunk(lane).isEmpty()) {
                    append(lane, scan.chunk(lane));
                }
            }
            isFull |= !fits();
            return !isFull;
        };
    }

    private void append(int lane, LaneChunk chunk) {
        lockOf[lane].lock();
        try {
            if (!lanes[lane].agreesWith(chunk)) {
                isDisagreeing = true; // validation, which follows the order of the rows, will report it
                return;
            }
            lanes[lane].append(chunk);
            if (++sinceScanOf[lane] == SCAN_INTERVAL) {
                sinceScanOf[lane] = 0;
                byteSizeOf.set(lane, lanes[lane].byteSizeWhenChecked());
            }
        } finally {
            lockOf[lane].unlock();
        }
    }

    private boolean fits() {
        long bytes = 0;
        for (int lane = 0; lane < lanes.length; lane++) {
            bytes += byteSizeOf.get(lane);
        }
        return bytes <= maxBytes;
    }

    @Override
    public void endOfFilling() {
        if (isDisagreeing && !isFull) {
            throw new AssertionError("bug: keys or values of two types in a history that was not rejected");
        }
    }

    @Override
    public List<PlannedRange> forEachRange(int lane, SpilledLane.Work work) throws IOException {
        work.run(lanes[lane]);
        return List.of();
    }

    @Override
    public long forEachKey(int lane, List<PlannedRange> keys, SpilledLane.Work work) {
        return 0;
    }

    @Override
    public long countKeys(int lane) {
        return lanes[lane].keyCount();
    }

    @Override
    public void drop(int lane) {
        lanes[lane] = null;
    }

    @Override
    public long bytesSpilled() {
        return 0;
    }

    @Override
    public void close() {}
}
