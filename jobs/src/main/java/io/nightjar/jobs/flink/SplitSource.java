package io.nightjar.jobs.flink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Deals out the splits of a history (row groups, batches, files) to whoever asks for more, the first in the file first.
 *
 * <p>What it emits is the ordinal of a split; the task chained behind it opens and reads the split.
 */
public final class SplitSource
        implements Source<Integer, SplitSource.HistorySplit, Collection<SplitSource.HistorySplit>> {

    private static final long serialVersionUID = 1;

    private final int splitCount;

    SplitSource(int splitCount) {
        this.splitCount = splitCount;
    }

    /** A split by its ordinal. */
    public record HistorySplit(int ordinal) implements SourceSplit {
        @Override
        public String splitId() {
            return Integer.toString(ordinal);
        }
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SplitEnumerator<HistorySplit, Collection<HistorySplit>> createEnumerator(
            SplitEnumeratorContext<HistorySplit> context) {
        TreeSet<Integer> waiting = new TreeSet<>();
        for (int ordinal = 0; ordinal < splitCount; ordinal++) {
            waiting.add(ordinal);
        }
        return new Enumerator(context, waiting);
    }

    @Override
    public SplitEnumerator<HistorySplit, Collection<HistorySplit>> restoreEnumerator(
            SplitEnumeratorContext<HistorySplit> context, Collection<HistorySplit> unread) {
        TreeSet<Integer> waiting = new TreeSet<>();
        unread.forEach(split -> waiting.add(split.ordinal()));
        return new Enumerator(context, waiting);
    }

    @Override
    public SourceReader<Integer, HistorySplit> createReader(SourceReaderContext context) {
        return new Reader(context);
    }

    @Override
    public SimpleVersionedSerializer<HistorySplit> getSplitSerializer() {
        return new SplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<HistorySplit>> getEnumeratorCheckpointSerializer() {
        return new SplitsSerializer();
    }

    /** Gives one split for each request; splits of a reader that was lost come back. */
    private static final class Enumerator implements SplitEnumerator<HistorySplit, Collection<HistorySplit>> {

        private final SplitEnumeratorContext<HistorySplit> context;
        private final TreeSet<Integer> waiting;

        Enumerator(SplitEnumeratorContext<HistorySplit> context, TreeSet<Integer> waiting) {
            this.context = context;
            this.waiting = waiting;
        }

        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int reader, String host) {
            if (!context.registeredReaders().containsKey(reader)) {
                return; // lost since it asked
            }
            Integer next = waiting.pollFirst();
            if (next == null) {
                context.signalNoMoreSplits(reader);
            } else {
                context.assignSplit(new HistorySplit(next), reader);
            }
        }

        @Override
        public void addSplitsBack(List<HistorySplit> splits, int reader) {
            splits.forEach(split -> waiting.add(split.ordinal()));
        }

        @Override
        public void addReader(int reader) {}

        @Override
        public Collection<HistorySplit> snapshotState(long checkpoint) {
            return waiting.stream().map(HistorySplit::new).toList();
        }

        @Override
        public void close() {}
    }

    /** Emits the ordinals it was given, and asks for the next when the one before was read. */
    private static final class Reader implements SourceReader<Integer, HistorySplit> {

        private final SourceReaderContext context;
        private final Queue<HistorySplit> given = new ArrayDeque<>();
        private CompletableFuture<Void> available = new CompletableFuture<>();
        private boolean isEnd;

        Reader(SourceReaderContext context) {
            this.context = context;
        }

        @Override
        public void start() {
            context.sendSplitRequest();
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Integer> output) {
            HistorySplit next = given.poll();
            if (next != null) {
                output.collect(next.ordinal());
                context.sendSplitRequest(); // read by now, since the reading task is chained
            }
            if (!given.isEmpty()) {
                return InputStatus.MORE_AVAILABLE;
            }
            if (isEnd) {
                return InputStatus.END_OF_INPUT;
            }
            if (available.isDone()) {
                available = new CompletableFuture<>();
            }
            return InputStatus.NOTHING_AVAILABLE;
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return given.isEmpty() && !isEnd ? available : CompletableFuture.completedFuture(null);
        }

        @Override
        public void addSplits(List<HistorySplit> splits) {
            given.addAll(splits);
            available.complete(null);
        }

        @Override
        public void notifyNoMoreSplits() {
            isEnd = true;
            available.complete(null);
        }

        @Override
        public List<HistorySplit> snapshotState(long checkpoint) {
            return List.copyOf(given);
        }

        @Override
        public void close() {}
    }

    private static final class SplitSerializer implements SimpleVersionedSerializer<HistorySplit> {

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(HistorySplit split) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(split.ordinal()).array();
        }

        @Override
        public HistorySplit deserialize(int version, byte[] serialized) {
            return new HistorySplit(ByteBuffer.wrap(serialized).getInt());
        }
    }

    private static final class SplitsSerializer implements SimpleVersionedSerializer<Collection<HistorySplit>> {

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(Collection<HistorySplit> splits) {
            ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * splits.size());
            splits.forEach(split -> bytes.putInt(split.ordinal()));
            return bytes.array();
        }

        @Override
        public Collection<HistorySplit> deserialize(int version, byte[] serialized) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(serialized);
            Collection<HistorySplit> splits = new ArrayDeque<>();
            while (bytes.hasRemaining()) {
                splits.add(new HistorySplit(bytes.getInt()));
            }
            return splits;
        }
    }
}
