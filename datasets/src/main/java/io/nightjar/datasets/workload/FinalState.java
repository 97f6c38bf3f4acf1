package io.nightjar.datasets.workload;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.function.LongPredicate;

/** The amounts of all rows at the end, and the tallies of committed transactions. */
public final class FinalState {

    private final long[] amounts;
    private final Int2LongOpenHashMap tallies;

    /**
     * @param amounts by key
     * @param tallies by slot; a missing tally is 0
     */
    public FinalState(long[] amounts, Int2LongOpenHashMap tallies) {
        this.amounts = amounts;
        this.tallies = tallies;
    }

    public long amount(int key) {
        return amounts[key];
    }

    public long tally(int slot) {
        return tallies.get(slot);
    }

    /** Returns whether all tallies satisfy a condition. */
    public boolean allTallies(LongPredicate are) {
        return tallies.values().longStream().allMatch(are);
    }

    /** Returns the sum of the amounts of neighboring keys. */
    public long sum(int first, int count) {
        long sum = 0;
        for (int key = first; key < first + count; key++) {
            sum += amounts[key];
        }
        return sum;
    }

    /** Returns the number of neighboring keys whose amount matches. */
    public long count(int first, int count, LongPredicate matches) {
        long matching = 0;
        for (int key = first; key < first + count; key++) {
            matching += matches.test(amounts[key]) ? 1 : 0;
        }
        return matching;
    }

    /** Returns the greatest index among neighboring keys whose amount matches, -1 if none does. */
    public int last(int first, int count, LongPredicate matches) {
        int position = count - 1;
        while (position >= 0 && !matches.test(amounts[first + position])) {
            position--;
        }
        return position;
    }
}
