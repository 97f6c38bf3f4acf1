package io.nightjar.jobs.shrink;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import java.util.List;
import java.util.Set;

/** A history held in memory as slices. */
public final class SliceHistory implements HistorySource {

    private final String uri;
    private final List<HistorySlice> slices;

    public SliceHistory(String uri, List<HistorySlice> slices) {
        this.uri = uri;
        this.slices = slices;
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public String format() {
        return "memory";
    }

    @Override
    public List<Split> splits() {
        long txns = 0;
        long ops = 0;
        long bytes = 0;
        for (HistorySlice slice : slices) {
            txns += slice.txnCount;
            ops += slice.opCount;
            bytes += slice.byteSize();
        }
        return List.of(new Split(uri, txns, ops, bytes));
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) {
        return SliceReader.of(slices.iterator()).map(slice -> slice.withOnly(wanted));
    }

    @Override
    public void close() {}
}
