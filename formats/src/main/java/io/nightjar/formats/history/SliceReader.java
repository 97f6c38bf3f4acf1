package io.nightjar.formats.history;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Hands out the slices of one split, in order. Slices are bounded: about 64 K operations, more only for one long row. */
public interface SliceReader extends AutoCloseable {

    /** About how much a slice holds before the next one is begun, in {@link SliceBuilder#weight}. */
    int SLICE_WEIGHT = 1 << 16;

    /** The next slice, never empty; null at the end. */
    @Nullable
    HistorySlice next() throws IOException;

    @Override
    void close() throws IOException;
}
