package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputFault;

/** What is wrong with integers that a history cannot hold. */
final class NumberRange {

    private NumberRange() {}

    static InputFault fault(LeafReader leaf, long number) {
        String name = leaf.leaf.name;
        if (leaf.isUnsignedInt64()) {
            return InputFault.of(name + " does not fit int64")
                    .with(name + "=" + Long.toUnsignedString(number) + " max=" + Long.MAX_VALUE)
                    .advise("use ordinals");
        }
        return InputFault.of(name + " is reserved")
                .with(name + "=" + HistorySlice.NONE)
                .advise("leave it null");
    }
}
