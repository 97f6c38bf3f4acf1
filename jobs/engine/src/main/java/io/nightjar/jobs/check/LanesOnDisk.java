package io.nightjar.jobs.check;

import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Lanes in spill files; each thread encodes its chunks itself, so that nothing waits for the rows' order. */
final class LanesOnDisk implements LaneStore {

    private static final int MAX_BUFFERED = 1 << 17;
    private static final int MIN_BUFFERED = 1 << 12;

    private final SpilledLane[] lanes;
    private final long laneBytes;
    private final int threadCount;
    private final int flushAt;
    private final List<ByteWriter[]> sinks = Collections.synchronizedList(new ArrayList<>());

    /**
     * @param laneBytes maximum size of a lane while each thread has one
     * @param bufferBytes maximum size of all buffers of all threads together
     */
    LanesOnDisk(SpillFile.Folders spillFolders, int laneCount, long laneBytes, long bufferBytes, int threadCount) {
        this.lanes = new SpilledLane[laneCount];
        Arrays.setAll(lanes, lane -> new SpilledLane(spillFolders, 0));
        this.laneBytes = laneBytes;
        this.threadCount = threadCount;
        long each = bufferBytes / laneCount / threadCount / 2; // a buffer doubles before it is flushed
        this.flushAt = (int) Math.max(MIN_BUFFERED, Math.min(MAX_BUFFERED, each));
    }

    @Override
    public int laneCount() {
        return lanes.length;
    }

    @Override
    public Filler newFiller(TransactionScan scan) {
        LaneCodec codec = new LaneCodec();
        ByteWriter[] buffers = new ByteWriter[lanes.length];
        for (int lane = 0; lane < lanes.length; lane++) {
            buffers[lane] = new ByteWriter(MIN_BUFFERED);
        }
        sinks.add(buffers);
        return () -> {
            for (int lane = 0; lane < lanes.length; lane++) {
                if (!scan.chunk(lane).isEmpty()) {
                    codec.encode(scan.chunk(lane), buffers[lane]);
                    if (buffers[lane].size() >= flushAt) {
                        flush(lane, buffers[lane]);
                    }
                }
            }
            return true;
        };
    }

    private void flush(int lane, ByteWriter buffer) {
        lanes[lane].add(buffer.bytes(), buffer.size());
        buffer.clear();
    }

    @Override
    public void endOfFilling() throws IOException {
        for (ByteWriter[] buffers : sinks) {
            for (int lane = 0; lane < lanes.length; lane++) {
                if (buffers[lane].size() > 0) {
                    flush(lane, buffers[lane]);
                }
            }
        }
        sinks.clear();
    }

    @Override
    public List<PlannedRange> forEachRange(int lane, SpilledLane.Work work) throws IOException {
        return lanes[lane].forEachRange(laneBytes, work);
    }

    @Override
    public long forEachKey(int lane, List<PlannedRange> keys, SpilledLane.Work work) throws IOException {
        return lanes[lane].forEachKey(keys, laneBytes * threadCount, work);
    }

    @Override
    public long countKeys(int lane) throws IOException {
        return lanes[lane].countKeys(laneBytes);
    }

    @Override
    public void drop(int lane) throws IOException {
        lanes[lane].close();
    }

    @Override
    public long bytesSpilled() {
        long bytes = 0;
        for (SpilledLane lane : lanes) {
            bytes += lane.bytesSpilled();
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        for (SpilledLane lane : lanes) {
            lane.close();
        }
    }
}
