package io.nightjar.formats.history;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over the slices of one split, in order. Slices are bounded: about 64 K operations, more only for one long
 * row.
 */
public interface SliceReader extends AutoCloseable {

    /** Approximate {@link SliceBuilder#weight} at which a slice is complete. */
    int SLICE_WEIGHT = 1 << 16;

    /** Returns the next slice, never empty; null at the end. */
    @Nullable
    HistorySlice next() throws IOException;

    @Override
    void close() throws IOException;
}
