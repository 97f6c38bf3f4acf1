package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** Takes some transactions out of slices. One instance for each thread. */
final class SliceFilter {

    private final SliceCodec codec = new SliceCodec();

    /** Returns some transactions of a slice. */
    HistorySlice filter(HistorySlice slice, int[] txns) {
        ByteWriter bytes = new ByteWriter(1 << 12);
        codec.encode(slice, txns, txns.length, SliceForm.ALL, bytes);
        return codec.decode(new ByteReader(bytes.bytes(), 0, bytes.size()));
    }
}
