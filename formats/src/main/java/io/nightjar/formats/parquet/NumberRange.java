package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;

/** Errors for integers outside the range of a history. */
final class NumberRange {

    private NumberRange() {}

    static InputError fault(LeafReader leaf, long number) {
        String name = leaf.leaf.name;
        if (leaf.isUnsignedInt64()) {
            return InputError.of(name + " does not fit int64")
                    .with(name + "=" + Long.toUnsignedString(number) + " max=" + Long.MAX_VALUE)
                    .advise("use ordinals");
        }
        return InputError.of(name + " is reserved")
                .with(name + "=" + HistorySlice.NONE)
                .advise("leave it null");
    }
}
