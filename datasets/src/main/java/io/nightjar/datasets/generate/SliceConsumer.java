package io.nightjar.datasets.generate;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;

/** Consumer of a history slice by slice, in order; a {@code HistoryWriter}'s {@code write} is one. */
@FunctionalInterface
public interface SliceConsumer {

    /** The consumer may keep the slice. */
    void accept(HistorySlice slice) throws IOException;
}
