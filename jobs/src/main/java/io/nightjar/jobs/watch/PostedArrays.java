package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.source.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes transactions as TimeKiller writes them, a whole array at once. */
final class PostedArrays {

    private final Path scratch;
    private final RowFeed feed;

    PostedArrays(Path scratch, RowFeed feed) {
        this.scratch = scratch;
        this.feed = feed;
    }

    /**
     * Gives all its transactions to the inbox, or a dead letter.
     *
     * @param name what the array came in
     * @param position behind it
     * @param badRows told of rows of the array, counted from 1
     */
    void take(byte[] array, String name, FeedPosition position, BadRows badRows, Inbox inbox)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile(scratch, "posted-", ".json");
        try {
            Files.write(file, array);
            try (HistorySource source = Histories.open(file, "timekiller", name)) {
                for (int split = 0; split < source.splits().size(); split++) {
                    try (SliceReader reader = source.open(split, Column.all(), badRows)) {
                        for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
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
}
