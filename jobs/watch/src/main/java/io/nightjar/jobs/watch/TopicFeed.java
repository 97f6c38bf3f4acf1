package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.NumberedRows;
import io.nightjar.formats.text.LineDecoder;
import io.nightjar.formats.topic.TopicReader;
import io.nightjar.jobs.run.ProgressListener;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reader of rows from the messages of a topic: lines of JSON Lines, or TimeKiller's array. */
final class TopicFeed implements RowFeed {

    private final String name;
    private final TopicReader reader;
    private final FeedShare share;
    private final boolean untilEnd;
    private final ProgressListener watcher;
    private final PostedArrays arrays;
    private final Map<Integer, Long> offsets = new HashMap<>();
    private final Map<Integer, Partition> partitions = new TreeMap<>();
    private byte[] line = new byte[1 << 12];
    private boolean isCaughtUp;
    private boolean isSilent;

    /**
     * @param name of the topic; a partition's name is this and a number
     * @param positions where to resume, by partition
     */
    TopicFeed(
            String name,
            TopicReader reader,
            boolean untilEnd,
            Map<String, FeedPosition> positions,
            FeedShare share,
            Path scratch,
            ProgressListener watcher) {
        this.name = name;
        this.reader = reader;
        this.share = share;
        this.untilEnd = untilEnd;
        this.watcher = watcher;
        this.arrays = new PostedArrays(scratch, this);
        for (FeedPosition position : positions.values()) {
            if (position.name().startsWith(name + "/")) {
                offsets.put(Integer.valueOf(position.name().substring(name.length() + 1)), position.bytes());
            }
        }
    }

    /** A partition with the decoded rows that have not been passed on. */
    private static final class Partition {
        private final String name;
        private final LineDecoder decoder;
        private long nextOffset;

        Partition(String name, ArrivalSink inbox) {
            this.name = name;
            this.decoder = new LineDecoder(name, new NumberedRows(inbox.badRows()));
        }

        /** Returns the position after the last message, whose offset names its rows. */
        FeedPosition position() {
            return new FeedPosition(name, nextOffset, nextOffset - 1);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean tellsCaughtUp() {
        return true;
    }

    @Override
    public boolean isResumable() {
        return true;
    }

    @Override
    public boolean isCounting() {
        return true;
    }

    @Override
    public void continueFrom(Long2LongMap lastOf) {
        arrays.continueFrom(lastOf);
    }

    @Override
    public void run(ArrivalSink inbox) throws IOException, InterruptedException {
        try {
            reader.begin(offsets, share::hasPartition);
            recordSilence(reader.silence());
            while (!inbox.isClosed()) {
                reader.poll((partition, offset, value) -> take(partition, offset, value, inbox));
                for (Partition partition : partitions.values()) {
                    flush(partition, inbox);
                }
                recordSilence(reader.silence());
                if (!isCaughtUp && reader.isAtEnd()) {
                    isCaughtUp = true;
                    inbox.recordCaughtUp();
                }
                if (untilEnd && isCaughtUp) {
                    return;
                }
            }
        } finally {
            reader.close();
        }
    }

    /** Reports once that the topic does not answer, and once that it does again. */
    private void recordSilence(@Nullable String reason) {
        if (reason != null && !isSilent) {
            watcher.printNote(location() + " no answer from the broker: reason=" + reason
                    + "; restart it, and the watch continues");
        } else if (reason == null && isSilent) {
            watcher.printNote(location() + " the broker answers again; the watch continues");
        }
        isSilent = reason != null;
    }

    private String location() {
        return "[" + name + (share.count() == 1 ? "" : " part " + (share.number() + 1) + " of " + share.count()) + "]";
    }

    private void take(int number, long offset, byte @Nullable [] value, ArrivalSink inbox)
            throws IOException, InterruptedException {
        Partition partition = partitions.computeIfAbsent(number, absent -> new Partition(name + "/" + absent, inbox));
        if (value != null && isArray(value)) {
            flush(partition, inbox);
            FeedPosition before = new FeedPosition(partition.name, offset, offset - 1);
            partition.nextOffset = offset + 1;
            BadRowHandler ofMessage = ofMessage(offset, inbox.badRows());
            ByteArrayInputStream array = new ByteArrayInputStream(value);
            arrays.take(array, partition.name, before, partition.position(), ofMessage, inbox);
            return;
        }
        for (int from = 0, to = 0; value != null && from < value.length; from = to + 1) {
            to = from;
            while (to < value.length && value[to] != '\n') {
                to++;
            }
            partition.decoder.skipTo(offset - 1);
            takeLine(partition.decoder, value, from, to - from);
        }
        partition.nextOffset = offset + 1;
        if (partition.decoder.isFull()) {
            flush(partition, inbox);
        }
    }

    /** Returns a handler that locates the bad rows of a message by its offset. */
    private static BadRowHandler ofMessage(long offset, BadRowHandler badRows) {
        return (file, row, fault, rawText) -> badRows.add(file, offset, fault.with("row-of-array=" + row), rawText);
    }

    private static boolean isArray(byte[] value) {
        int first = 0;
        while (first < value.length && Character.isWhitespace(value[first])) {
            first++;
        }
        return first < value.length && value[first] == '[';
    }

    private void takeLine(LineDecoder decoder, byte[] value, int from, int length) {
        if (line.length <= length) {
            line = new byte[length * 2];
        }
        System.arraycopy(value, from, line, 0, length);
        decoder.line(line, 0, length);
    }

    private void flush(Partition partition, ArrivalSink inbox) throws InterruptedException {
        HistorySlice slice = partition.decoder.take();
        if (slice != null) {
            inbox.put(slice, this, partition.position());
        }
    }
}
