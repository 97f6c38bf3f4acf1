package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import org.jspecify.annotations.Nullable;

/** Search for the two rows of a contradiction, of which mostly the second is known first. */
abstract class DuplicateRows {

    private @Nullable InputLocation second;
    private @Nullable InputLocation other;

    /** Returns whether a row is one of the two. */
    abstract boolean isDuplicate(HistorySlice slice, int txn);

    /** Returns the rejection of the history. */
    abstract MalformedHistoryException rejection(InputLocation first, InputLocation later);

    /**
     * Records the second row.
     *
     * @throws MalformedHistoryException if the slice has the first one too
     */
    final void foundAt(HistorySlice slice, int txn) {
        InputLocation found = slice.locationOf(txn);
        second = found;
        for (int earlier = 0; earlier < txn; earlier++) {
            if (isDuplicate(slice, earlier)) {
                throw rejection(slice.locationOf(earlier), found);
            }
        }
    }

    /** @throws MalformedHistoryException once both rows are known */
    final void search(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (!isDuplicate(slice, txn)) {
                continue;
            }
            InputLocation location = slice.locationOf(txn);
            if (second != null && !location.equals(second)) {
                throw rejection(location, second);
            }
            if (second == null && other != null) {
                throw rejection(other, location);
            }
            other = location;
        }
    }
}
