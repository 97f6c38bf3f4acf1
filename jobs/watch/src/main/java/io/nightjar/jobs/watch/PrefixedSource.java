package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.SplitDigest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A history preceded by transactions of its initial state, with further diagnostics. */
final class PrefixedSource extends ForwardingSource {

    private final List<HistorySlice> before;
    private final List<SourceDiagnostic> remarks;

    /** @param before slices of an additional first split; empty for none */
    PrefixedSource(HistorySource source, List<HistorySlice> before, List<SourceDiagnostic> remarks) {
        super(source);
        this.before = before;
        this.remarks = remarks;
    }

    private int more() {
        return before.isEmpty() ? 0 : 1;
    }

    @Override
    public List<Split> splits() {
        List<Split> splits = new ArrayList<>(source.splits());
        if (!before.isEmpty()) {
            long txns = before.stream().mapToLong(slice -> slice.txnCount).sum();
            long ops = before.stream().mapToLong(slice -> slice.opCount).sum();
            splits.add(0, new Split(before.get(0).file, txns, ops, 0));
        }
        return splits;
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        if (split >= more()) {
            return source.open(split - more(), wanted, badRows);
        }
        Iterator<HistorySlice> slices = before.iterator();
        return new SliceReader() {
            @Override
            public @Nullable HistorySlice next() {
                return slices.hasNext() ? slices.next().withOnly(wanted) : null;
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }

    @Override
    public @Nullable SplitDigest reading(int split) {
        return split >= more() ? source.reading(split - more()) : null;
    }

    @Override
    public void expect(int split, SplitDigest reading) throws IOException {
        if (split >= more()) {
            source.expect(split - more(), reading);
        }
    }

    @Override
    public List<SourceDiagnostic> remarks() {
        List<SourceDiagnostic> all = new ArrayList<>(source.remarks());
        all.addAll(remarks);
        return all;
    }
}
