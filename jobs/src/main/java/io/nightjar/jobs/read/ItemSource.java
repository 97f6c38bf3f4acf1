package io.nightjar.jobs.read;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.util.Set;

/**
 * A source for checks that know items only: its slices have no predicate reads, rows that were looked at, or deletions,
 * and lead to those that have.
 */
public final class ItemSource extends ForwardingSource {

    private final boolean isRefusing;

    private ItemSource(HistorySource source, boolean isRefusing) {
        super(source);
        this.isRefusing = isRefusing;
    }

    /** The items of a source, which stays the caller's to close. */
    public static HistorySource of(HistorySource source) {
        return source instanceof ItemSource ? source : new ItemSource(source, false);
    }

    /** The same for engines that have nobody to judge the rest: a history that has more than items is wrong usage. */
    public static HistorySource ofItemsOnly(HistorySource source) {
        return new ItemSource(source, true);
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) throws IOException {
        return new Items(source.open(split, wanted, badRows), isRefusing);
    }

    private record Items(SliceReader slices, boolean isRefusing) implements SliceReader {

        @Override
        public HistorySlice next() throws IOException {
            HistorySlice slice = slices.next();
            if (slice == null || slice.firstOpOf == null || !slice.isRelational()) {
                return slice;
            }
            if (isRefusing) {
                throw refusal(slice);
            }
            return slice.items();
        }

        private static UsageException refusal(HistorySlice slice) {
            int txn = 0;
            int op = 0;
            while (!OpKind.isRelational(slice.kind[op])) {
                op++;
            }
            while (slice.firstOpOf[txn + 1] <= op) {
                txn++;
            }
            return new UsageException(slice.placeOf(txn)
                    + " operation that is judged on one machine only: txn_id=" + slice.txnId[txn] + " kind="
                    + OpKind.name(slice.kind[op]) + "; use --engine local");
        }

        @Override
        public void close() throws IOException {
            slices.close();
        }
    }
}
