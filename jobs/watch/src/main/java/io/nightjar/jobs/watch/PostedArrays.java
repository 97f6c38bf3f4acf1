package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.text.TimeKillerSource;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Takes transactions as TimeKiller writes them, array by array. A session goes on in the next array. */
final class PostedArrays {

    private final Path scratch;
    private final RowFeed feed;
    private final Long2LongOpenHashMap nextOf = new Long2LongOpenHashMap(); // position, by session

    PostedArrays(Path scratch, RowFeed feed) {
        this.scratch = scratch;
        this.feed = feed;
    }

    /** Continues behind the last position of each session. */
    synchronized void continueFrom(Long2LongMap lastOf) {
        for (Long2LongMap.Entry last : lastOf.long2LongEntrySet()) {
            nextOf.put(last.getLongKey(), last.getLongValue() + 1);
        }
    }

    /**
     * Gives all its transactions to the inbox, or a dead letter.
     *
     * @param array kept in a file while it is read
     * @param name what it came in
     * @param before where to go on until all of it has been given
     * @param positionAfter where to go on then
     * @param badRows called for rows of the array, counted from 1
     */
    void take(
            InputStream array,
            String name,
            FeedPosition before,
            FeedPosition positionAfter,
            BadRowHandler badRows,
            ArrivalSink inbox)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile(scratch, "posted-", ".json");
        try {
            Files.copy(array, file, StandardCopyOption.REPLACE_EXISTING);
            take(file, name, before, positionAfter, badRows, inbox);
        } catch (MalformedHistoryException bad) {
            badRows.add(name, 1, bad.fault(), null);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private synchronized void take(
            Path file,
            String name,
            FeedPosition before,
            FeedPosition positionAfter,
            BadRowHandler badRows,
            ArrivalSink inbox)
            throws IOException, InterruptedException {
        Long2LongOpenHashMap first = nextOf.clone();
        BadRowHandler ofArray = (anyFile, row, fault, rawText) -> badRows.add(name, row, fault, rawText);
        try (TimeKillerSource source = new TimeKillerSource(file.toString(), List.of(file))) {
            if (source.hasOrdinals()) {
                throw new MalformedHistoryException(
                        InputLocation.file(name),
                        InputError.of(
                                        "clocks with a logical count, and names that are no integers, have no number of their own"
                                                + " that is the same in the next array")
                                .advise("give integers, with 0 as l"));
            }
            try (SliceReader reader = source.open(0, ColumnGroup.all(), ofArray)) {
                HistorySlice slice = reader.next();
                while (slice != null) {
                    HistorySlice next = reader.next();
                    countOn(slice, first);
                    inbox.put(slice.withFile(name), feed, next == null ? positionAfter : before);
                    slice = next;
                }
            }
        }
    }

    private void countOn(HistorySlice slice, Long2LongOpenHashMap first) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            long session = slice.sessionId[txn];
            slice.sessionSeq[txn] += first.get(session);
            nextOf.put(session, slice.sessionSeq[txn] + 1);
        }
    }
}
