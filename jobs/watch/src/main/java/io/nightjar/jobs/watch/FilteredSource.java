package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A source with some of a history's transactions. */
final class FilteredSource extends ForwardingSource {

    private static final long UNKNOWN = -1;

    private final RowChoice choice;
    private final SliceFilter slices = new SliceFilter();
    private final Map<Integer, long[]> leftOutOf = new HashMap<>(); // transactions and operations, by split

    /** Decides which transactions are chosen. */
    @FunctionalInterface
    interface RowChoice {

        /** @param split that the slice is of */
        boolean has(HistorySlice slice, int txn, int split);

        /** Returns a choice of the transactions that committed up to a time or did not commit. */
        static RowChoice committedUpTo(long time) {
            return (slice, txn, split) -> slice.status[txn] != TxnStatus.COMMITTED || commit(slice, txn) <= time;
        }
    }

    FilteredSource(HistorySource whole, RowChoice choice) {
        super(whole);
        this.choice = choice;
    }

    @Override
    public List<Split> splits() {
        return source.splits().stream()
                .map(split -> new Split(split.file(), UNKNOWN, UNKNOWN, split.byteCount()))
                .toList();
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        SliceReader reader = source.open(split, ColumnGroup.all(), badRows);
        long[] leftOut = new long[2];
        return new SliceReader() {
            @Override
            public @Nullable HistorySlice next() throws IOException {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    HistorySlice chosen = chosen(slice, split);
                    leftOut[0] += slice.txnCount - (chosen == null ? 0 : chosen.txnCount);
                    leftOut[1] += slice.opCount - (chosen == null ? 0 : chosen.opCount);
                    if (chosen != null) {
                        return chosen;
                    }
                }
                record(split, leftOut);
                return null;
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        };
    }

    private synchronized void record(int split, long[] leftOut) {
        leftOutOf.put(split, leftOut);
    }

    /** Returns the number of omitted transactions, once all splits have been read. */
    synchronized long leftOut() {
        return leftOutOf.values().stream().mapToLong(of -> of[0]).sum();
    }

    /** Returns the number of operations of the omitted transactions. */
    synchronized long opsLeftOut() {
        return leftOutOf.values().stream().mapToLong(of -> of[1]).sum();
    }

    private synchronized @Nullable HistorySlice chosen(HistorySlice slice, int split) {
        return slices.filter(slice, txn -> choice.has(slice, txn, split));
    }

    /** Returns the commit timestamp of a transaction, which may lack a commit column. */
    static long commit(HistorySlice slice, int txn) {
        return slice.commitTsOf(txn, true);
    }
}
