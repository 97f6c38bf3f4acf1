package io.nightjar.pipeline.online;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneOp;

/** Partitions the session positions of transactions by lanes of sessions, for {@link OnlineCheck#addSessionPositions}. */
public final class SessionPositionPartitioner {

    private final int[] chunkOfLane;
    private final LaneChunk[] chunks;

    /** @param chunkOfLane the index of each lane's chunk, ascending; as many as a power of two */
    public SessionPositionPartitioner(int... chunkOfLane) {
        this.chunkOfLane = chunkOfLane;
        this.chunks = new LaneChunk[1 + chunkOfLane[chunkOfLane.length - 1]];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = new LaneChunk();
            chunks[i].keyType = ValueType.LONG;
            chunks[i].valueType = ValueType.LONG;
        }
    }

    /** Partitions a slice. Overwrites the chunks of the previous slice. */
    public void partition(HistorySlice slice) {
        for (LaneChunk chunk : chunks) {
            chunk.clear();
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            long session = slice.sessionId[txn];
            LaneChunk chunk = chunks[chunkOfLane[OnlineCheckCodec.laneOfSession(session, chunkOfLane.length)]];
            byte flags = LaneChunk.flags(slice.status[txn], !slice.isReadOnly(txn));
            chunk.beginTxn(slice.txnId[txn], OnlineCheck.startOf(slice, txn), slice.commitTsOf(txn), flags);
            chunk.op(LaneOp.WRITE, session, slice.sessionSeq[txn]);
            chunk.op(LaneOp.READ, session, slice.firstOpOf[txn + 1] - slice.firstOpOf[txn]);
        }
    }

    /** Returns a chunk of the last slice. */
    public LaneChunk chunk(int index) {
        return chunks[index];
    }
}
