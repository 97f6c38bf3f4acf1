package io.nightjar.pipeline.partition;

/**
 * Filter of a lane's chunks by keys, so that a lane that is too large can be checked in parts.
 *
 * <p>One instance for each thread: it owns the chunk that it fills.
 */
public final class LaneKeyFilter {

    private final LaneChunk part = new LaneChunk();
    private final KeyHashes hashes = new KeyHashes();

    /**
     * Returns the operations of a chunk on keys in a range, with the chunk's own names and lists; valid until the next
     * call.
     */
    public LaneChunk part(LaneChunk chunk, KeyRange range) {
        if (range.equals(KeyRange.ALL)) {
            return chunk;
        }
        begin(chunk);
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            boolean isOpen = false;
            for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
                if (range.contains(KeyRange.positionOf(hashes.of(chunk.key[op])))) {
                    if (!isOpen) {
                        part.beginTxn(chunk.txnId[txn], chunk.startTs[txn], chunk.commitTs[txn], chunk.flags[txn]);
                        isOpen = true;
                    }
                    part.op(chunk.kind[op], chunk.key[op], chunk.value[op]);
                }
            }
        }
        return part;
    }

    private void begin(LaneChunk chunk) {
        part.clear();
        part.keyType = chunk.keyType;
        part.valueType = chunk.valueType;
        part.keyNames = chunk.keyNames;
        part.valueNames = chunk.valueNames;
        part.lists = chunk.lists;
        hashes.begin(chunk);
    }
}
