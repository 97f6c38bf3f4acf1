package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The transactions of a history that committed up to a watermark, and those that did not commit. */
final class SealedSource implements HistorySource {

    private static final long UNKNOWN = -1;

    private final HistorySource whole;
    private final long watermark;
    private final KnownTxns parts;
    private final Map<Integer, Long> leftOutOf = new HashMap<>(); // by split

    SealedSource(HistorySource whole, long watermark, KnownTxns parts) {
        this.whole = whole;
        this.watermark = watermark;
        this.parts = parts;
    }

    private synchronized void note(int split, long leftOut) {
        leftOutOf.put(split, leftOut);
    }

    @Override
    public String uri() {
        return whole.uri();
    }

    @Override
    public String format() {
        return whole.format();
    }

    @Override
    public String impliedInitialValue() {
        return whole.impliedInitialValue();
    }

    @Override
    public List<Split> splits() {
        return whole.splits().stream()
                .map(split -> new Split(split.file(), UNKNOWN, UNKNOWN, split.byteCount()))
                .toList();
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) throws IOException {
        SliceReader reader = whole.open(split, Column.all(), badRows);
        long[] leftOut = new long[1];
        return new SliceReader() {
            @Override
            public HistorySlice next() throws IOException {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    HistorySlice sealed = sealed(slice);
                    leftOut[0] += slice.txnCount - (sealed == null ? 0 : sealed.txnCount);
                    if (sealed != null) {
                        return sealed;
                    }
                }
                note(split, leftOut[0]);
                return null;
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        };
    }

    /** How many transactions are not there; known once all has been read. */
    synchronized long leftOut() {
        return leftOutOf.values().stream().mapToLong(Long::longValue).sum();
    }

    private synchronized HistorySlice sealed(HistorySlice slice) {
        int[] txns = new int[slice.txnCount];
        int count = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (slice.status[txn] != TxnStatus.COMMITTED || commit(slice, txn) <= watermark) {
                txns[count++] = txn;
            }
        }
        return count == slice.txnCount ? slice : count == 0 ? null : parts.part(slice, Arrays.copyOf(txns, count));
    }

    private static long commit(HistorySlice slice, int txn) {
        long commit = slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn];
        boolean isMissing = commit == HistorySlice.NONE || commit == 0;
        return isMissing && slice.startTs != null ? slice.startTs[txn] : commit;
    }

    @Override
    public void checkUnchanged() throws IOException {
        whole.checkUnchanged();
    }

    @Override
    public void close() throws IOException {
        whole.close();
    }
}
