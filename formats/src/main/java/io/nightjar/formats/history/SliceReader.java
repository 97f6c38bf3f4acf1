package io.nightjar.formats.history;

import java.io.IOException;
import java.util.Iterator;
import java.util.function.UnaryOperator;
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

    /** Returns a reader of the same slices, each changed. */
    default SliceReader map(UnaryOperator<HistorySlice> change) {
        SliceReader reader = this;
        return new SliceReader() {
            @Override
            public @Nullable HistorySlice next() throws IOException {
                HistorySlice slice = reader.next();
                return slice == null ? null : change.apply(slice);
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        };
    }

    /** Returns a reader of slices in memory. */
    static SliceReader of(Iterator<HistorySlice> slices) {
        return new SliceReader() {
            @Override
            public @Nullable HistorySlice next() {
                return slices.hasNext() ? slices.next() : null;
            }

            @Override
            public void close() {}
        };
    }
}
