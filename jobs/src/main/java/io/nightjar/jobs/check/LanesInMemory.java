package io.nightjar.jobs.check;

import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneSize.Part;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.TransactionScan;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All lanes at once on the heap. */
final class LanesInMemory implements LaneStore {

    private static final int LOOK_EVERY = 16;

    private final Lane[] lanes;
    private final long maxBytes;
    private int sinceLook;
    private final Queue<LaneChunk> emptied = new ConcurrentLinkedQueue<>(); // chunks to be filled again

    LanesInMemory(int laneCount, long maxBytes) {
        this.maxBytes = maxBytes;
        this.lanes = new Lane[laneCount];
        for (int lane = 0; lane < laneCount; lane++) {
            lanes[lane] = new Lane();
        }
    }

    @Override
    public int laneCount() {
        return lanes.length;
    }

    @Override
    public Filler newFiller(TransactionScan scan) {
        return () -> {
            LaneChunk[] chunks = new LaneChunk[lanes.length];
            for (int lane = 0; lane < lanes.length; lane++) {
                LaneChunk empty = emptied.poll();
                chunks[lane] = scan.exchange(lane, empty == null ? new LaneChunk() : empty);
            }
            return chunks;
        };
    }

    @Override
    public boolean accept(LaneChunk[] chunks) {
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane].append(chunks[lane]);
            emptied.add(chunks[lane]);
        }
        if (++sinceLook < LOOK_EVERY) {
            return true;
        }
        sinceLook = 0;
        long bytes = 0;
        for (Lane lane : lanes) {
            bytes += lane.byteSizeWhenChecked();
        }
        return bytes <= maxBytes;
    }

    @Override
    public void endOfFilling() {
        emptied.clear();
    }

    @Override
    public List<Part> forEachPart(int lane, SpilledLane.Work work) throws IOException {
        work.run(lanes[lane]);
        return List.of();
    }

    @Override
    public long forEachKey(int lane, List<Part> keys, SpilledLane.Work work) {
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
