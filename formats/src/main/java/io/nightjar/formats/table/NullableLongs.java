package io.nightjar.formats.table;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/** A column of numbers, most of which may be missing: storage ends at the last number that is present. */
final class NullableLongs {

    private final LongArrayList numbers = new LongArrayList();

    /** Returns the number of a row; {@code NONE} if it is missing. */
    public long getLong(int row) {
        return row < numbers.size() ? numbers.getLong(row) : HistorySlice.NONE;
    }

    public void set(int row, long number) {
        if (row >= numbers.size()) {
            if (number == HistorySlice.NONE) {
                return;
            }
            while (numbers.size() < row) {
                numbers.add(HistorySlice.NONE);
            }
            numbers.add(number);
        } else {
            numbers.set(row, number);
        }
    }

    void clear() {
        numbers.clear();
    }
}
