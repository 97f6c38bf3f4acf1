package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.split.SliceCodec;
import io.nightjar.pipeline.split.SliceForm;

/** Takes some transactions out of slices. One instance for each thread. */
final class SliceParts {

    private final SliceCodec codec = new SliceCodec();

    /** Some transactions of a slice. */
    HistorySlice part(HistorySlice slice, int[] txns) {
        ByteSink bytes = new ByteSink(1 << 12);
        codec.encode(slice, txns, txns.length, SliceForm.ALL, bytes);
        return codec.decode(new ByteFeed(bytes.bytes(), 0, bytes.size()));
    }
}
