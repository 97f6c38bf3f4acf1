package io.nightjar.jobs.read;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A source for checks of items: its slices have no predicate reads, scanned rows, deletions, or conditional writes, but
 * refer to the slices that have them.
 */
public final class ItemSource extends ForwardingSource {

    private ItemSource(HistorySource source) {
        super(source);
    }

    /** Returns the items of a source, which stays the caller's to close. */
    public static HistorySource of(HistorySource source) {
        return source instanceof ItemSource ? source : new ItemSource(source);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        Set<ColumnGroup> columns = EnumSet.noneOf(ColumnGroup.class);
        columns.addAll(wanted);
        if (columns.contains(ColumnGroup.OPERATIONS)) {
            columns.add(ColumnGroup.PREDICATES); // old values and outcomes of conditional writes
        }
        return new Items(source.open(split, columns, badRows));
    }

    private record Items(SliceReader slices) implements SliceReader {

        @Override
        public @Nullable HistorySlice next() throws IOException {
            HistorySlice slice = slices.next();
            return slice == null ? null : slice.items();
        }

        @Override
        public void close() throws IOException {
            slices.close();
        }
    }
}
