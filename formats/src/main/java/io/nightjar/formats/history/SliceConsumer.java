package io.nightjar.formats.history;

import java.io.IOException;

/** Consumer of a history slice by slice, in order; a {@code HistoryWriter}'s {@code write} is one. */
@FunctionalInterface
public interface SliceConsumer {

    /** Takes a slice, and may keep it. */
    void accept(HistorySlice slice) throws IOException;
}
