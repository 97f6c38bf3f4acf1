package io.nightjar.datasets.generate;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;

/** Takes a history slice by slice, in order; a {@code HistoryWriter}'s {@code write} is one. */
@FunctionalInterface
public interface SliceConsumer {

    /** The slice is the consumer's to keep. */
    void accept(HistorySlice slice) throws IOException;
}
