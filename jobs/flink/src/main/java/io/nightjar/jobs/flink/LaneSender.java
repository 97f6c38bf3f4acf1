package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Partitions the operations of slices by lane, and sends the operations of each lane in chunks of a minimum size. */
final class LaneSender {

    private static final int MAX_BUFFERED = 1 << 20;
    private static final int MIN_BUFFERED = 1 << 12;

    private final TransactionScan scan;
    private final LaneCodec codec = new LaneCodec();
    private final int[] keyOfLane;
    private final ByteWriter[] buffers;
    private final int sendAt;
    private final Consumer<Chunk> to;

    /**
     * @param keyOfLane the key by which chunks of a lane are sent
     * @param bufferBytes total memory of all buffers
     */
    LaneSender(int[] keyOfLane, @Nullable String initialValue, long bufferBytes, Consumer<Chunk> to) {
        this.scan = new TransactionScan(keyOfLane.length, initialValue);
        this.keyOfLane = keyOfLane;
        this.to = to;
        this.sendAt = (int) Math.max(MIN_BUFFERED, Math.min(MAX_BUFFERED, bufferBytes / keyOfLane.length / 2));
        this.buffers = new ByteWriter[keyOfLane.length];
        for (int lane = 0; lane < buffers.length; lane++) {
            buffers[lane] = new ByteWriter(MIN_BUFFERED);
        }
    }

    void send(HistorySlice slice) {
        scan.scan(slice);
        for (int lane = 0; lane < buffers.length; lane++) {
            if (!scan.chunk(lane).isEmpty()) {
                codec.encode(scan.chunk(lane), buffers[lane]);
                if (buffers[lane].size() >= sendAt) {
                    flush(lane);
                }
            }
        }
    }

    /**
     * Ends a split: buffered operations are sent before the operations of later splits that others read, unless they
     * are very few.
     */
    void endSplit() {
        for (int lane = 0; lane < buffers.length; lane++) {
            if (buffers[lane].size() >= MIN_BUFFERED) {
                flush(lane);
            }
        }
    }

    /** Sends the remaining operations. */
    void finish() {
        for (int lane = 0; lane < buffers.length; lane++) {
            if (buffers[lane].size() > 0) {
                flush(lane);
            }
        }
    }

    private void flush(int lane) {
        to.accept(new Chunk(Chunk.Kind.LANE, keyOfLane[lane], buffers[lane]));
        buffers[lane].clear();
    }
}
