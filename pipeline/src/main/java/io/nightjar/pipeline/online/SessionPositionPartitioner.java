package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;

/** Deals the places of transactions in their sessions out to lanes, for {@link OnlineCheck#addSessionPositions}. */
public final class SessionPositionPartitioner {

    private final LaneChunk[] chunks;

    /** @param laneCount a power of two */
    public SessionPositionPartitioner(int laneCount) {
        this.chunks = new LaneChunk[laneCount];
        for (int lane = 0; lane < laneCount; lane++) {
            chunks[lane] = new LaneChunk();
            chunks[lane].keyType = ValueType.LONG;
            chunks[lane].valueType = ValueType.LONG;
        }
    }

    /** Deals a slice out. The chunks of the slice before are overwritten. */
    public void partition(HistorySlice slice) {
        for (LaneChunk chunk : chunks) {
            chunk.clear();
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            long session = slice.sessionId[txn];
            LaneChunk chunk = chunks[OnlineCheckCodec.laneOfSession(session, chunks.length)];
            byte flags = LaneChunk.flags(slice.status[txn], !slice.isReadOnly(txn));
            chunk.beginTxn(slice.txnId[txn], OnlineCheck.startOf(slice, txn), slice.commitTsOf(txn), flags);
            chunk.op(LaneOp.WRITE, session, slice.sessionSeq[txn]);
        }
    }

    /** Returns what the slice dealt last holds for a lane. */
    public LaneChunk chunk(int lane) {
        return chunks[lane];
    }
}
