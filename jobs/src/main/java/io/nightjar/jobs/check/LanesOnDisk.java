package io.nightjar.jobs.check;

import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.LaneCodec;
import io.nightjar.pipeline.split.TransactionScan;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lanes in spill files; each thread encodes its chunks itself, so that nothing waits for the rows' order. */
final class LanesOnDisk implements LaneStore {

    private static final int MOST_BUFFERED = 1 << 17;
    private static final int LEAST_BUFFERED = 1 << 12;

    private final SpillFiles files;
    private final int laneCount;
    private final long laneBytes;
    private final int threadCount;
    private final int flushAt;
    private final List<ByteSink[]> sinks = Collections.synchronizedList(new ArrayList<>());

    /**
     * @param laneBytes what a lane may take while each thread has one
     * @param bufferBytes what all buffers of all threads may take together
     */
    LanesOnDisk(SpillFiles files, int laneCount, long laneBytes, long bufferBytes, int threadCount) {
        this.files = files;
        this.laneCount = laneCount;
        this.laneBytes = laneBytes;
        this.threadCount = threadCount;
        long each = bufferBytes / laneCount / threadCount / 2; // a buffer doubles before it is flushed
        this.flushAt = (int) Math.max(LEAST_BUFFERED, Math.min(MOST_BUFFERED, each));
    }

    @Override
    public int laneCount() {
        return laneCount;
    }

    @Override
    public Filler newFiller(TransactionScan scan) {
        LaneCodec codec = new LaneCodec();
        ByteSink[] buffers = new ByteSink[laneCount];
        for (int lane = 0; lane < laneCount; lane++) {
            buffers[lane] = new ByteSink(LEAST_BUFFERED);
        }
        sinks.add(buffers);
        return () -> {
            for (int lane = 0; lane < laneCount; lane++) {
                if (!scan.chunk(lane).isEmpty()) {
                    codec.encode(scan.chunk(lane), buffers[lane]);
                    if (buffers[lane].size() >= flushAt) {
                        files.append(lane, buffers[lane]);
                    }
                }
            }
            return null;
        };
    }

    @Override
    public boolean accept(LaneChunk[] chunks) {
        return true;
    }

    @Override
    public void endOfFilling() throws IOException {
        for (ByteSink[] buffers : sinks) {
            for (int lane = 0; lane < laneCount; lane++) {
                if (buffers[lane].size() > 0) {
                    files.append(lane, buffers[lane]);
                }
            }
        }
        sinks.clear();
    }

    @Override
    public Lane load(int number, boolean alone) throws IOException {
        Lane lane = new Lane();
        long allowed = alone ? laneBytes * threadCount : laneBytes;
        files.read(number, (chunk, shareRead) -> {
            lane.append(chunk);
            long bytes = lane.byteSizeWhenChecked();
            if (bytes > allowed) {
                throw new LaneTooLargeException(number, (long) (bytes / shareRead), lane.keyCount());
            }
        });
        return lane;
    }

    @Override
    public long countKeys(int number) throws IOException {
        LongOpenHashSet numbers = new LongOpenHashSet();
        StringTable names = new StringTable();
        files.read(number, (chunk, shareRead) -> {
            for (int op = 0; op < chunk.opCount; op++) {
                if (chunk.keyType == ValueType.STRING) {
                    names.internFrom(chunk.keyNames, (int) chunk.key[op]);
                } else {
                    numbers.add(chunk.key[op]);
                }
            }
        });
        return (long) numbers.size() + names.size();
    }

    @Override
    public void drop(int lane) throws IOException {
        files.delete(lane);
    }

    @Override
    public long bytesSpilled() {
        return files.bytesWritten();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
