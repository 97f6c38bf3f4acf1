package io.nightjar.jobs.local;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** A history that is there as slices; what its splits say about their size is free to choose. */
final class SliceSource implements HistorySource {

    private final List<List<HistorySlice>> splits = new ArrayList<>();
    private final long claimedOps;

    /**
     * @param slicesPerSplit how many slices make a split
     * @param claimedOps what the splits together claim to hold
     */
    SliceSource(List<HistorySlice> slices, int slicesPerSplit, long claimedOps) {
        for (int first = 0; first < slices.size(); first += slicesPerSplit) {
            splits.add(slices.subList(first, Math.min(slices.size(), first + slicesPerSplit)));
        }
        if (splits.isEmpty()) {
            splits.add(List.of());
        }
        this.claimedOps = claimedOps;
    }

    @Override
    public String uri() {
        return "slices";
    }

    @Override
    public String format() {
        return "slices";
    }

    @Override
    public List<Split> splits() {
        List<Split> described = new ArrayList<>();
        for (List<HistorySlice> split : splits) {
            long txns = 0;
            for (HistorySlice slice : split) {
                txns += slice.txnCount;
            }
            described.add(new Split("slices", txns, claimedOps / splits.size(), 0));
        }
        return described;
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) {
        Iterator<HistorySlice> slices = splits.get(split).iterator();
        return new SliceReader() {
            @Override
            public HistorySlice next() {
                return slices.hasNext() ? slices.next() : null;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
