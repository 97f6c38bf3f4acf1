package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows that tasks have fetched, on disk, to be read in the order of the history as often as wanted. */
final class FetchedRows implements Closeable {

    private final SpillFile.Folders spillFolders;
    private final TreeMap<Long, Long> frameOf = new TreeMap<>(); // where it begins, by order
    private @Nullable SpillFile file; // null before the first row

    FetchedRows(SpillFile.Folders spillFolders) {
        this.spillFolders = spillFolders;
    }

    /** @param order of the first slice of the chunk */
    void add(Chunk chunk, long order) {
        if (file == null) {
            file = new SpillFile(spillFolders);
        }
        frameOf.put(order, file.byteCount());
        file.append(chunk.bytes, chunk.length);
    }

    long byteCount() {
        return file == null ? 0 : file.byteCount();
    }

    /**
     * Returns these rows as the complete input of a replay.
     *
     * @param txnCount their number
     */
    HistorySource of(HistorySource history, long txnCount) {
        return new Fetched(history, txnCount);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    private final class Fetched extends ForwardingSource {

        private final Split split;

        Fetched(HistorySource history, long txnCount) {
            super(history);
            split = new Split(history.uri(), txnCount, -1, byteCount());
        }

        @Override
        public List<Split> splits() {
            return List.of(split);
        }

        @Override
        public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) {
            return new Slices(frameOf.values().iterator());
        }
    }

    private final class Slices implements SliceReader {

        private final Iterator<Long> frames;
        private final SliceCodec codec = new SliceCodec();
        private ByteReader frame = new ByteReader(new byte[0], 0, 0);

        Slices(Iterator<Long> frames) {
            this.frames = frames;
        }

        @Override
        public @Nullable HistorySlice next() throws IOException {
            while (frame.isEmpty()) {
                if (file == null || !frames.hasNext()) {
                    return null;
                }
                frame = file.frameAt(frames.next(), new byte[0]);
            }
            return codec.decode(frame);
        }

        @Override
        public void close() {}
    }
}
