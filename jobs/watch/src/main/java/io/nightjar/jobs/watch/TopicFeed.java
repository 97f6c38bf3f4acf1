package io.nightjar.jobs.watch;

import io.nightjar.formats.history.NumberedRows;
import io.nightjar.formats.text.LineDecoder;
import io.nightjar.formats.topic.TopicReader;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reader of rows from the messages of a topic: lines of JSON Lines. */
final class TopicFeed implements RowFeed {

    private final String name;
    private final TopicReader reader;
    private final FeedShare share;
    private final boolean untilEnd;
    private final ProgressListener watcher;
    private final Map<Integer, Long> offsets = new HashMap<>();
    private final Map<Integer, Partition> partitions = new TreeMap<>();
    private byte[] line = new byte[1 << 12];
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
            ProgressListener watcher) {
        this.name = name;
        this.reader = reader;
        this.share = share;
        this.untilEnd = untilEnd;
        this.watcher = watcher;
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
    public boolean isResumable() {
        return true;
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
                if (untilEnd && reader.isAtEnd()) {
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

    private void takeLine(LineDecoder decoder, byte[] value, int from, int length) {
        if (line.length <= length) {
            line = new byte[length * 2];
        }
        System.arraycopy(value, from, line, 0, length);
        decoder.line(line, 0, length);
    }

    private void flush(Partition partition, ArrivalSink inbox) throws InterruptedException {
        inbox.put(partition.decoder.take(), partition.position());
    }
}
