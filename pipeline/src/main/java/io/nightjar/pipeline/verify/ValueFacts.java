package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/** Who wrote one value to one key, as far as findings speak of it. */
final class ValueFacts {

    static final int FINAL = 1;
    static final int NOT_FINAL = 2;
    static final int ABORTED = 4;

    final NearestCommitQueries nearest = new NearestCommitQueries();

    /** What all transactions together did, as bits. */
    int done;

    /** What a claimed writer did, as bits; only claimed writers have an entry. */
    final Long2IntOpenHashMap doneBy = new Long2IntOpenHashMap(2);

    void watch(long writer) {
        doneBy.put(writer, 0);
    }

    void note(long writer, int bit) {
        done |= bit;
        if (doneBy.containsKey(writer)) {
            doneBy.put(writer, (doneBy.get(writer) | bit));
        }
    }
}
