package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Accesses of the history to one key of a finding. */
final class WatchedKey {

    private static final int MAX_WORDS = 1 << 16;

    final String text;
    final int ordinal;

    /** Last writers in the order of snapshot isolation, and in that of serial replay. */
    final LastWriterQueries bySnapshot = new LastWriterQueries();

    final LastWriterQueries bySerial = new LastWriterQueries();

    /** Facts about values, by the value's text and, once the values' type is known, by the value. */
    final Map<String, ValueFacts> factsByText = new HashMap<>();

    private final Long2ObjectOpenHashMap<ValueFacts> factsOf = new Long2ObjectOpenHashMap<>(2);

    /** A bit for each class of those values, sixteen classes or more for each of them: most writes are of none. */
    private long[] factClasses = {0};

    /** Whether anything is asked of the frontiers. */
    private boolean isAskedBySnapshot;

    private boolean isAskedBySerial;

    final AppendLog log = new AppendLog();

    long firstCommit = Long.MAX_VALUE;
    boolean hasRegisterWrites;
    boolean isList;

    /** Timestamps do not decide sets and counters. */
    boolean isSetOrCounter;

    boolean wroteInitialValue;
    boolean hasUndatedWriter;

    WatchedKey(String text, int ordinal) {
        this.text = text;
        this.ordinal = ordinal;
    }

    LastWriterQueries frontier(boolean isSerial) {
        return isSerial ? bySerial : bySnapshot;
    }

    ValueFacts facts(String value) {
        return factsByText.computeIfAbsent(value, absent -> new ValueFacts());
    }

    /** Indexes the facts by value, once the type of values is known. */
    void learnValues(ScalarPool values) {
        int words = HashCommon.nextPowerOfTwo(factsByText.size() / 4 + 1);
        factClasses = new long[Math.min(words, MAX_WORDS)];
        factsByText.forEach((text, facts) -> {
            if (values.isPossible(text)) {
                long value = values.intern(text);
                factsOf.put(value, facts);
                factClasses[wordOf(value)] |= bitOf(value);
            }
        });
    }

    /** Facts about a value, or null if nothing was asked about it. */
    @Nullable
    ValueFacts factsOf(long value) {
        return (factClasses[wordOf(value)] & bitOf(value)) == 0 ? null : factsOf.get(value);
    }

    private int wordOf(long value) {
        return (int) (HashCommon.mix(value) >>> 32) & factClasses.length - 1;
    }

    private static long bitOf(long value) {
        return 1L << (HashCommon.mix(value) >>> 58);
    }

    void close() {
        isAskedBySnapshot = !bySnapshot.isEmpty();
        isAskedBySerial = !bySerial.isEmpty();
        bySnapshot.close();
        bySerial.close();
        factsByText.values().forEach(ValueFacts::close);
    }

    void settle() {
        bySnapshot.resolve();
        bySerial.resolve();
        factsByText.values().forEach(ValueFacts::resolve);
    }

    /** Records the final write of a transaction; returns false if it changes nothing. */
    boolean recordFinalWrite(long id, long start, long commit, long value) {
        boolean isNews = commit < firstCommit;
        if (isAskedBySnapshot) {
            int rank = start == commit ? LastWriterQueries.INSTANT : LastWriterQueries.COMMIT;
            isNews |= bySnapshot.addWriter(commit, rank, id, value);
        }
        if (isAskedBySerial) {
            isNews |= bySerial.addWriter(commit, LastWriterQueries.COMMIT, id, value);
        }
        firstCommit = Math.min(firstCommit, commit);
        return isNews;
    }
}
