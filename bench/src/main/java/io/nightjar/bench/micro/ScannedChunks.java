package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The chunks that stage 4 emits to the lanes. */
final class ScannedChunks {

    private ScannedChunks() {}

    /** Returns the chunks of all lanes, slice by slice. The slices are discarded. */
    static List<LaneChunk> of(GeneratedSlices history, int laneCount) {
        TransactionScan scan = new TransactionScan(laneCount, null);
        List<LaneChunk> chunks = new ArrayList<>();
        for (HistorySlice slice : history.slices) {
            scan.scan(slice);
            for (int lane = 0; lane < laneCount; lane++) {
                if (!scan.chunk(lane).isEmpty()) {
                    chunks.add(scan.exchange(lane, new LaneChunk()));
                }
            }
        }
        history.slices = List.of(); // releases the slices, so that collections do not trace them
        return chunks;
    }

    /** Returns each chunk in its encoded form. */
    static List<byte[]> encoded(List<LaneChunk> chunks) {
        LaneCodec codec = new LaneCodec();
        ByteWriter sink = new ByteWriter(1 << 16);
        List<byte[]> encoded = new ArrayList<>();
        for (LaneChunk chunk : chunks) {
            sink.clear();
            codec.encode(chunk, sink);
            encoded.add(Arrays.copyOf(sink.bytes(), sink.size()));
        }
        return encoded;
    }

    static long opCount(List<LaneChunk> chunks) {
        return chunks.stream().mapToLong(chunk -> chunk.opCount).sum();
    }
}
