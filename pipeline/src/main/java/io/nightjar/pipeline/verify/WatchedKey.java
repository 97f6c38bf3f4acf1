package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.HashMap;
import java.util.Map;

/** What the history does to one key that a finding speaks of. */
final class WatchedKey {

    final String text;
    final int ordinal;

    /** Last writers in the order of snapshot isolation, and in that of serial replay. */
    final CommitFrontier bySnapshot = new CommitFrontier();

    final CommitFrontier bySerial = new CommitFrontier();

    /** Facts about values, by the value's text and, once the values' type is known, by the value. */
    final Map<String, ValueFacts> factsByText = new HashMap<>();

    final Long2ObjectOpenHashMap<ValueFacts> factsOf = new Long2ObjectOpenHashMap<>();

    /** Claimed writers of any value; 1 once seen to write. */
    final Long2IntOpenHashMap isWriter = new Long2IntOpenHashMap(2);

    final AppendLog log = new AppendLog();

    long firstCommit = Long.MAX_VALUE;
    boolean hasRegisterWrites;
    boolean isList;

    /** Sets and counters cannot be judged from timestamps. */
    boolean isSetOrCounter;

    boolean wroteInitialValue;
    boolean hasUndatedWriter;

    /** The last write of the transaction being looked at; belongs to whoever scans it. */
    int lastWriteOp;

    WatchedKey(String text, int ordinal) {
        this.text = text;
        this.ordinal = ordinal;
    }

    CommitFrontier frontier(boolean isSerial) {
        return isSerial ? bySerial : bySnapshot;
    }

    ValueFacts facts(String value) {
        return factsByText.computeIfAbsent(value, absent -> new ValueFacts());
    }

    void close() {
        bySnapshot.close();
        bySerial.close();
        factsByText.values().forEach(facts -> facts.nearest.close());
    }

    void settle() {
        bySnapshot.settle();
        bySerial.settle();
        factsByText.values().forEach(facts -> facts.nearest.settle());
    }

    void noteFinalWrite(long id, long start, long commit, long value) {
        bySnapshot.offer(commit, start == commit ? CommitFrontier.INSTANT : CommitFrontier.COMMIT, id, value);
        bySerial.offer(commit, CommitFrontier.COMMIT, id, value);
        firstCommit = Math.min(firstCommit, commit);
    }

    void noteWriter(long id) {
        if (isWriter.containsKey(id)) {
            isWriter.put(id, 1);
        }
    }
}
