package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;

/** Chunks as bytes, for spilling and for the wire. One instance for each thread: it owns scratch. */
public final class LaneCodec {

    /*
     * A chunk:
     *
     *   txnCount keyType valueType
     *   ids starts commits        packed columns: ids and starts as differences to the row before, commits to the start
     *   flags                     two a byte
     *   operation counts          packed
     *   operations                as OpCodec writes them
     *
     * Differences wrap around, so every int64 survives. Rows are in file order, which is nearly time order.
     */

    private static final ValueType[] TYPES = ValueType.values();

    private final OpCodec ops = new OpCodec(held());
    private long[] column = new long[64];

    /** Appends a chunk to a sink. */
    public void encode(LaneChunk chunk, ByteWriter to) {
        to.putVarint(chunk.txnCount);
        to.putByte(chunk.keyType.ordinal());
        to.putByte(chunk.valueType.ordinal());
        encodeTxns(chunk, to);
        ops.begin(
                chunk.keyType == ValueType.STRING ? chunk.keyNames : null,
                chunk.valueType == ValueType.STRING ? chunk.valueNames : null,
                chunk.lists);
        ops.add(chunk.kind, chunk.key, chunk.value, 0, chunk.opCount);
        ops.finish(to);
    }

    /** Returns the next chunk of a feed. */
    public LaneChunk decode(ByteReader from) {
        int txnCount = from.getCount();
        LaneChunk chunk = LaneChunk.unfilled();
        chunk.txnCount = txnCount;
        chunk.keyType = TYPES[from.getByte()];
        chunk.valueType = TYPES[from.getByte()];
        decodeTxns(chunk, from);
        OpColumns columns = ops.decode(from, chunk.keyType == ValueType.STRING, chunk.valueType == ValueType.STRING);
        chunk.opCount = columns.opCount;
        chunk.kind = columns.kind;
        chunk.key = columns.key;
        chunk.value = columns.value;
        chunk.keyNames = columns.keyNames;
        chunk.valueNames = columns.valueNames;
        chunk.lists = columns.lists;
        return chunk;
    }

    private void encodeTxns(LaneChunk chunk, ByteWriter to) {
        int count = chunk.txnCount;
        ensure(count);
        PackedLongs.putDifferences(chunk.txnId, count, column, to);
        PackedLongs.putDifferences(chunk.startTs, count, column, to);
        for (int txn = 0; txn < count; txn++) {
            column[txn] = chunk.commitTs[txn] - chunk.startTs[txn];
        }
        PackedLongs.put(column, count, to);
        to.putNibbles(chunk.flags, count);
        for (int txn = 0; txn < count; txn++) {
            column[txn] = chunk.firstOpOf[txn + 1] - chunk.firstOpOf[txn];
        }
        PackedLongs.put(column, count, to);
    }

    private void decodeTxns(LaneChunk chunk, ByteReader from) {
        int count = chunk.txnCount;
        ensure(count);
        chunk.txnId = PackedLongs.getDifferences(from, count);
        chunk.startTs = PackedLongs.getDifferences(from, count);
        chunk.commitTs = new long[count];
        PackedLongs.get(from, chunk.commitTs, count);
        for (int txn = 0; txn < count; txn++) {
            chunk.commitTs[txn] += chunk.startTs[txn];
        }
        chunk.flags = new byte[count];
        from.getNibbles(chunk.flags, count);
        PackedLongs.get(from, column, count);
        chunk.firstOpOf = new int[count + 1];
        for (int txn = 0; txn < count; txn++) {
            chunk.firstOpOf[txn + 1] = chunk.firstOpOf[txn] + (int) column[txn];
        }
    }

    private void ensure(int count) {
        if (column.length < count) {
            column = new long[Math.max(count, column.length * 2)];
        }
    }

    private static byte[] held() {
        byte[] heldBy = new byte[LaneOp.COUNT];
        for (byte kind = 0; kind < LaneOp.COUNT; kind++) {
            heldBy[kind] =
                    LaneOp.holdsList(kind) ? OpCodec.LIST : LaneOp.holdsValue(kind) ? OpCodec.VALUE : OpCodec.NOTHING;
        }
        return heldBy;
    }
}
