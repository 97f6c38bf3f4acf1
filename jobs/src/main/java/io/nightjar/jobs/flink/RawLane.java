package io.nightjar.jobs.flink;

import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.LaneCodec;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The chunks of one lane as they arrived, until all of them are there. */
final class RawLane {

    private final LaneCodec codec = new LaneCodec();
    private final List<Chunk> chunks = new ArrayList<>();

    void add(Chunk chunk) {
        chunks.add(chunk);
    }

    /** Puts the lane together; returns null if that would take more memory than it may. */
    Lane load(long mostBytes) {
        Lane lane = new Lane();
        boolean[] fits = {true};
        forEach(chunk -> {
            if (fits[0]) {
                lane.append(chunk);
                fits[0] = lane.byteSizeWhenChecked() <= mostBytes;
            }
        });
        return fits[0] ? lane : null;
    }

    long countKeys() {
        LongOpenHashSet numbers = new LongOpenHashSet();
        StringTable names = new StringTable();
        forEach(chunk -> {
            for (int op = 0; op < chunk.opCount; op++) {
                if (chunk.keyType == ValueType.STRING) {
                    names.internFrom(chunk.keyNames, (int) chunk.key[op]);
                } else {
                    numbers.add(chunk.key[op]);
                }
            }
        });
        return (long) numbers.size() + names.size();
    }

    private void forEach(Consumer<LaneChunk> to) {
        for (Chunk chunk : chunks) {
            ByteFeed feed = chunk.feed();
            while (!feed.isEmpty()) {
                to.accept(codec.decode(feed));
            }
        }
    }

    void clear() {
        chunks.clear();
    }
}
