package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** The transactions of a bin as a separate history, stored as the bytes that arrived. */
final class BinSource implements HistorySource {

    private final String uri;
    private final String format;
    private final @Nullable String initialValue;
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Split> splits = new ArrayList<>();
    private long byteCount;

    /** @param initialValue the value that means the initial state as null does; null if none does */
    BinSource(String uri, String format, @Nullable String initialValue) {
        this.uri = uri;
        this.format = format;
        this.initialValue = initialValue;
    }

    /** Chunks come in the order of their rows. */
    void add(Chunk chunk) {
        chunks.add(chunk);
        splits.add(new Split(uri, -1, -1, chunk.length));
        byteCount += chunk.length;
    }

    long byteCount() {
        return byteCount;
    }

    /** Passes on all slices, one after another. */
    void forEach(Consumer<HistorySlice> to) {
        SliceCodec codec = new SliceCodec();
        for (Chunk chunk : chunks) {
            ByteReader feed = chunk.feed();
            while (!feed.isEmpty()) {
                to.accept(codec.decode(feed));
            }
        }
    }

    /** Passes on all chunks as they arrived, with their order. */
    void forEachChunk(ObjIntConsumer<Chunk> to) {
        for (int order = 0; order < chunks.size(); order++) {
            to.accept(chunks.get(order), order);
        }
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) {
        SliceCodec codec = new SliceCodec();
        ByteReader feed = chunks.get(split).feed();
        return new SliceReader() {
            @Override
            public @Nullable HistorySlice next() {
                return feed.isEmpty() ? null : codec.decode(feed);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public List<Split> splits() {
        return splits;
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public @Nullable String impliedInitialValue() {
        return initialValue;
    }

    @Override
    public void close() {
        chunks.clear();
        splits.clear();
    }
}
