package io.nightjar.bench.micro;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.TransactionScan;
import java.util.ArrayList;
import java.util.List;

/** What station 4 hands to the lanes. */
final class ScannedChunks {

    private ScannedChunks() {}

    /** The chunks of all lanes, slice by slice. The slices are given up. */
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
        history.slices = null; // not to be traced by every collection
        return chunks;
    }
}
