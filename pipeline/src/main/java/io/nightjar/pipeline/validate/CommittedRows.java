package io.nightjar.pipeline.validate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import org.jspecify.annotations.Nullable;

/** Commit timestamps of the committed rows of a slice with a start timestamp, as columns that may be sent. */
public final class CommittedRows {

    /*
     * As bytes: file, whether rows are lines, count, commits, rows without their own number, so that rows without gaps
     * require almost no memory.
     */

    private @Nullable String file;
    private boolean rowsAreLines;
    private int count;
    private long[] commits = new long[64];
    private long[] rows = new long[64];

    /** Replaces the rows by the rows of a slice. */
    public void gather(HistorySlice slice) {
        file = slice.file;
        rowsAreLines = slice.rowsAreLines;
        count = 0;
        if (slice.startTs == null) {
            return;
        }
        ensure(slice.txnCount);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (slice.status[txn] == TxnStatus.COMMITTED && slice.startTs[txn] != HistorySlice.NONE) {
                commits[count] = slice.commitTsOf(txn, true); // a writer without a commit is no evidence either
                rows[count++] = slice.rowOf(txn);
            }
        }
    }

    public int count() {
        return count;
    }

    long commit(int i) {
        return commits[i];
    }

    InputLocation locationOf(int i) {
        String of = requireNonNull(file);
        return rowsAreLines ? InputLocation.line(of, rows[i]) : InputLocation.row(of, rows[i]);
    }

    /** Appends these to a sink. */
    public void encode(ByteWriter to) {
        to.putString(requireNonNull(file));
        to.putByte(rowsAreLines ? 1 : 0);
        to.putVarint(count);
        PackedLongs.put(commits, count, to);
        for (int i = 0; i < count; i++) {
            rows[i] -= i;
        }
        PackedLongs.put(rows, count, to);
        count = 0;
    }

    /** Takes the next of a feed, instead of those before. */
    public void decode(ByteReader from) {
        file = from.getString();
        rowsAreLines = from.getByte() == 1;
        count = from.getCount();
        ensure(count);
        PackedLongs.get(from, commits, count);
        PackedLongs.get(from, rows, count);
        for (int i = 0; i < count; i++) {
            rows[i] += i;
        }
    }

    private void ensure(int needed) {
        if (commits.length < needed) {
            int capacity = Math.max(needed, 2 * commits.length);
            commits = new long[capacity];
            rows = new long[capacity];
        }
    }
}
