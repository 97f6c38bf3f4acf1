package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.primitive.BinarySearch;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/**
 * Transactions or operations in the order of a time; at one time in their own order.
 *
 * @param items the first {@code count} of them count
 */
record TimeOrder(int[] items, long[] times, int count) {

    /** Returns the items below a count that a test accepts. */
    static TimeOrder of(int itemCount, IntPredicate isIn, IntToLongFunction timeOf) {
        int[] items = new int[itemCount];
        long[] times = new long[itemCount];
        int count = 0;
        for (int item = 0; item < itemCount; item++) {
            if (isIn.test(item)) {
                times[count] = timeOf.applyAsLong(item);
                items[count++] = item;
            }
        }
        RadixSort.sort(times, items, count);
        return new TimeOrder(items, times, count);
    }

    /** Returns the writers that count, in the order of their commits. */
    static TimeOrder ofWriters(TableHistory history, TableVersions versions) {
        return of(history.txnCount, txn -> versions.counts[txn] && versions.writes(txn), versions::commitTs);
    }

    /** Returns the position of the first item at or after a time. */
    int firstAt(long time) {
        return BinarySearch.first(0, count, position -> times[position] >= time);
    }
}
