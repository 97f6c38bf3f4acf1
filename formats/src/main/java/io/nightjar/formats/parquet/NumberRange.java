package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistorySlice;

/** What is wrong with integers that a history cannot hold. */
final class NumberRange {

    private NumberRange() {}

    /** @param prefix further names and values, each with a space behind */
    static String reason(LeafReader leaf, long number, String prefix) {
        String name = leaf.leaf.name;
        if (leaf.isUnsignedInt64()) {
            return name + " does not fit int64: " + prefix + name + "=" + Long.toUnsignedString(number) + " max="
                    + Long.MAX_VALUE + "; use ordinals";
        }
        return name + " is reserved: " + prefix + name + "=" + HistorySlice.NONE + "; leave it null";
    }
}
