package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The first writer of each hash, and the hashes with a second one. Hashes that exceed memory are split into classes,
 * each with a separate pass.
 */
final class FirstWriters {

    private static final int MIN_CAPACITY = 64;

    /** Upper bound of the bytes per entry of the map while it grows. */
    private static final int BYTES_PER_WRITER = 64;

    private final int limit;
    private HashPasses classes = new HashPasses();
    private Long2LongOpenHashMap writerOf = new Long2LongOpenHashMap();
    private LongOpenHashSet shared = new LongOpenHashSet();
    private long sharedCount;
    private long exampleRow = Long.MAX_VALUE;
    private @Nullable String example;

    /** @param memoryBytes memory limit; a smaller one only causes more passes */
    FirstWriters(long memoryBytes) {
        limit = (int) Math.max(MIN_CAPACITY, Math.min(memoryBytes / BYTES_PER_WRITER, 1 << 29));
    }

    /**
     * Adds a write.
     *
     * @param row the number of its row
     * @param number common to the two writers, besides the key; for the example
     */
    void add(long hash, HistorySlice slice, int txn, int op, long row, String number) {
        if (!classes.isEverything() && !classes.holdsHash(hash)) {
            return;
        }
        if (!writerOf.containsKey(hash)) {
            writerOf.put(hash, slice.txnId[txn]);
            if (writerOf.size() > limit) {
                forgetHalf();
            }
            return;
        }
        long first = writerOf.get(hash);
        if (first != slice.txnId[txn] && shared.add(hash) && row < exampleRow) {
            exampleRow = row;
            example = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn] + " other-txn_id=" + first + " key="
                    + slice.keyText(op) + " " + number;
        }
    }

    private void forgetHalf() {
        classes.split();
        Long2LongOpenHashMap kept = new Long2LongOpenHashMap();
        for (Long2LongMap.Entry entry : writerOf.long2LongEntrySet()) {
            if (classes.holdsHash(entry.getLongKey())) {
                kept.put(entry.getLongKey(), entry.getLongValue());
            }
        }
        writerOf = kept;
        shared.removeIf((long hash) -> !classes.holdsHash(hash));
    }

    /** Ends a pass. Returns false after the last class; the next pass then begins with all hashes again. */
    boolean next() {
        sharedCount += shared.size();
        shared = new LongOpenHashSet();
        writerOf = new Long2LongOpenHashMap();
        boolean hasMore = classes.next();
        classes = hasMore ? classes : new HashPasses();
        return hasMore;
    }

    /** Returns the number of hashes with several writers, of completed passes. */
    long sharedCount() {
        return sharedCount;
    }

    /** Returns the first row that repeats a hash; null if none does. */
    @Nullable
    String example() {
        return example;
    }
}
