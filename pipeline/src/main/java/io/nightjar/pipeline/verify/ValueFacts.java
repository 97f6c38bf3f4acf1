package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/** Writers of one value of one key that findings refer to. */
final class ValueFacts {

    static final int FINAL = 1;
    static final int NOT_FINAL = 2;
    static final int ABORTED = 4;

    final NearestCommitQueries nearest = new NearestCommitQueries();

    /** Accesses by all transactions, as bits. */
    int done;

    /** Accesses per claimed writer, as bits; other writers have no entry. */
    final Long2IntOpenHashMap doneBy = new Long2IntOpenHashMap(2);

    void watch(long writer) {
        doneBy.put(writer, 0);
    }

    void record(long writer, int bit) {
        done |= bit;
        if (doneBy.containsKey(writer)) {
            doneBy.put(writer, (doneBy.get(writer) | bit));
        }
    }
}
