package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.source.Histories;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes transactions as TimeKiller writes them, a whole array at once. */
final class PostedArrays {

    private final Path scratch;
    private final RowFeed feed;
    private final Long2LongOpenHashMap takenOf; // transactions by session; null if arrays are not counted through

    private PostedArrays(Path scratch, RowFeed feed, Long2LongOpenHashMap takenOf) {
        this.scratch = scratch;
        this.feed = feed;
        this.takenOf = takenOf;
    }

    /** Each array numbers the transactions of its sessions anew: a session is in one array. */
    static PostedArrays each(Path scratch, RowFeed feed) {
        return new PostedArrays(scratch, feed, null);
    }

    /** A session goes on in the next array. */
    static PostedArrays countedThrough(Path scratch, RowFeed feed) {
        return new PostedArrays(scratch, feed, new Long2LongOpenHashMap());
    }

    /**
     * Gives all its transactions to the inbox, or a dead letter.
     *
     * @param name what the array came in
     * @param position behind it
     * @param badRows told of rows of the array, counted from 1
     */
    synchronized void take(byte[] array, String name, FeedPosition position, BadRows badRows, Inbox inbox)
            throws IOException, InterruptedException {
        Long2LongOpenHashMap before = takenOf == null ? null : takenOf.clone();
        Path file = Files.createTempFile(scratch, "posted-", ".json");
        try {
            Files.write(file, array);
            try (HistorySource source = Histories.open(file, "timekiller", name)) {
                for (int split = 0; split < source.splits().size(); split++) {
                    try (SliceReader reader = source.open(split, Column.all(), badRows)) {
                        for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                            countOn(slice, before);
                            inbox.put(slice, feed, position);
                        }
                    }
                }
            }
        } catch (MalformedHistoryException bad) {
            badRows.add(name, 1, bad.reason(), null);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void countOn(HistorySlice slice, Long2LongOpenHashMap before) {
        for (int txn = 0; before != null && txn < slice.txnCount; txn++) {
            long session = slice.sessionId[txn];
            slice.sessionSeq[txn] += before.get(session);
            takenOf.put(session, slice.sessionSeq[txn] + 1);
        }
    }
}
