package io.nightjar.jobs.read;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SearchedKeys;
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

    private final @Nullable SearchedKeys searched; // null if predicate reads are omitted

    private final boolean conflictsBySet;

    private ItemSource(HistorySource source, @Nullable SearchedKeys searched, boolean conflictsBySet) {
        super(source);
        this.searched = searched;
        this.conflictsBySet = conflictsBySet;
    }

    /** Returns the items of a source, which stays the caller's to close. */
    public static HistorySource of(HistorySource source) {
        return of(source, false);
    }

    /**
     * Returns the items of a source, which stays the caller's to close.
     *
     * @param conflictsBySet whether two changes of a set conflict, even of different elements
     */
    public static HistorySource of(HistorySource source, boolean conflictsBySet) {
        return source instanceof ItemSource ? source : new ItemSource(source, null, conflictsBySet);
    }

    /** Returns the items of the same source with predicate reads as guards of keys. */
    HistorySource with(SearchedKeys keys) {
        return new ItemSource(source, keys, conflictsBySet);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        Set<ColumnGroup> columns = EnumSet.noneOf(ColumnGroup.class);
        columns.addAll(wanted);
        if (columns.contains(ColumnGroup.OPERATIONS)) {
            columns.add(ColumnGroup.PREDICATES); // old values and outcomes of conditional writes
        }
        return source.open(split, columns, badRows).map(slice -> slice.items(searched, conflictsBySet));
    }
}
