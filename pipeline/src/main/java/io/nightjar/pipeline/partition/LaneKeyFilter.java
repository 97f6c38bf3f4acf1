package io.nightjar.pipeline.partition;

/**
 * Filter of a lane's chunks by keys, so that a lane that is too large can be checked in key ranges.
 *
 * <p>One instance for each thread: it owns the chunk that it fills.
 */
public final class LaneKeyFilter {

    private final LaneChunk filtered = new LaneChunk();
    private final KeyHashes hashes = new KeyHashes();

    /**
     * Returns the operations of a chunk on keys in a range, with the chunk's own names and lists; valid until the next
     * call.
     */
    public LaneChunk filter(LaneChunk chunk, KeyRange range) {
        if (range.equals(KeyRange.ALL)) {
            return chunk;
        }
        begin(chunk);
        for (int txn = 0; txn < chunk.txnCount; txn++) {
            boolean isOpen = false;
            for (int op = chunk.firstOpOf[txn]; op < chunk.firstOpOf[txn + 1]; op++) {
                if (range.contains(KeyRange.positionOf(hashes.of(chunk.key[op])))) {
                    if (!isOpen) {
                        filtered.beginTxn(chunk.txnId[txn], chunk.startTs[txn], chunk.commitTs[txn], chunk.flags[txn]);
                        isOpen = true;
                    }
                    filtered.op(chunk.kind[op], chunk.key[op], chunk.value[op]);
                }
            }
        }
        return filtered;
    }

    private void begin(LaneChunk chunk) {
        filtered.clear();
        filtered.keyType = chunk.keyType;
        filtered.valueType = chunk.valueType;
        filtered.keyNames = chunk.keyNames;
        filtered.valueNames = chunk.valueNames;
        filtered.lists = chunk.lists;
        hashes.begin(chunk);
    }
}
