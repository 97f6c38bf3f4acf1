package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Selects transactions of slices. One instance for each thread. */
final class SliceFilter {

    private final SliceCodec codec = new SliceCodec();
    private int[] accepted = new int[64];

    /** Returns the transactions of a slice that a predicate accepts; null if it accepts none. */
    @Nullable
    HistorySlice filter(HistorySlice slice, IntPredicate accepts) {
        if (accepted.length < slice.txnCount) {
            accepted = new int[slice.txnCount * 2];
        }
        int count = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (accepts.test(txn)) {
                accepted[count++] = txn;
            }
        }
        if (count == 0 || count == slice.txnCount) {
            return count == 0 ? null : slice;
        }
        ByteWriter bytes = new ByteWriter(1 << 12);
        codec.encode(slice, accepted, count, SliceForm.ALL, bytes);
        return codec.decode(new ByteReader(bytes.bytes(), 0, bytes.size()));
    }
}
