package io.nightjar.jobs.flink;

import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneSize;
import io.nightjar.pipeline.check.timestamp.LaneSize.Part;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.split.KeyRange;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.LaneCodec;
import io.nightjar.pipeline.split.LaneDealer;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The chunks of one lane as they arrived, in memory or on disk, until all of them are there; then the lane, in as many
 * parts as it needs to fit into memory.
 */
final class RawLane implements Closeable {

    /** Chunks wait beside a lane that is being checked. */
    private static final int SHARE_FOR_CHUNKS = 8;

    /** What chunks become in a lane is this many times as large, or nearly. */
    private static final int USUAL_GROWTH = 5;

    private final File[] directories;
    private final long mostBytes;
    private final LaneCodec codec = new LaneCodec();
    private final LaneDealer dealer = new LaneDealer();
    private final List<Chunk> chunks = new ArrayList<>();
    private long bytesHeld;
    private ChunkFile file;
    private long bytesSpilled;

    /**
     * @param directories where chunks go that are too many for memory
     * @param mostBytes what a lane may take when it is checked
     */
    RawLane(File[] directories, long mostBytes) {
        this.directories = directories;
        this.mostBytes = mostBytes;
    }

    void add(Chunk chunk) {
        if (bytesHeld + chunk.length <= mostBytes / SHARE_FOR_CHUNKS) {
            chunks.add(chunk);
            bytesHeld += chunk.length;
            return;
        }
        if (file == null) {
            file = ChunkFile.in(directories);
        }
        file.append(chunk);
        bytesSpilled += chunk.length;
    }

    long bytesSpilled() {
        return bytesSpilled;
    }

    /** What is done with a lane, or a part of it; it is garbage afterwards. */
    @FunctionalInterface
    interface Work {
        void run(Lane lane) throws IOException;
    }

    /** Puts the lane together, part by part; returns how many keys no part can hold. The lane is spent afterwards. */
    long forEachPart(Work work) throws IOException {
        Deque<Part> open = new ArrayDeque<>(firstParts());
        long unfitKeys = 0;
        while (!open.isEmpty()) {
            Part part = open.poll();
            Lane lane = part.fits() ? load(part.range()) : null;
            if (lane != null) {
                if (open.isEmpty()) {
                    close();
                }
                work.run(lane);
            } else if (!part.isDivisible()) {
                unfitKeys += countKeys(part.range());
            } else if (part.fits()) {
                open.addAll(part.halves()); // counts told too little
            } else {
                open.addAll(partsOf(part.range()));
            }
        }
        close();
        return unfitKeys;
    }

    /** Counting costs as much as loading, so that what looks small enough is loaded without. */
    private List<Part> firstParts() throws IOException {
        boolean looksSmall = bytesHeld + bytesSpilled <= mostBytes / USUAL_GROWTH;
        return looksSmall ? List.of(new Part(KeyRange.ALL, true, false)) : partsOf(KeyRange.ALL);
    }

    private List<Part> partsOf(KeyRange range) throws IOException {
        return sizeOf(range).parts(mostBytes);
    }

    private LaneSize sizeOf(KeyRange range) throws IOException {
        LaneSize size = new LaneSize(range);
        forEach(feed -> {
            while (!feed.isEmpty()) {
                size.add(codec.decode(feed));
            }
        });
        return size;
    }

    /** Returns null if that would take more memory than it may. */
    private Lane load(KeyRange range) throws IOException {
        Lane lane = new Lane();
        boolean[] fits = {true};
        forEach(feed -> {
            while (fits[0] && !feed.isEmpty()) {
                lane.append(dealer.part(codec.decode(feed), range));
                fits[0] = lane.byteSizeWhenChecked() <= mostBytes;
            }
        });
        return fits[0] ? lane : null;
    }

    /** How many keys the lane has, in memory that depends on these alone. */
    long countKeys() throws IOException {
        long keys = 0;
        for (Part part : sizeOf(KeyRange.ALL).parts(2 * mostBytes)) { // keys alone take much less than what is counted
            keys += countKeys(part.range());
        }
        return keys;
    }

    private long countKeys(KeyRange range) throws IOException {
        LongOpenHashSet numbers = new LongOpenHashSet();
        StringTable names = new StringTable();
        forEach(feed -> {
            while (!feed.isEmpty()) {
                LaneChunk chunk = dealer.part(codec.decode(feed), range);
                for (int op = 0; op < chunk.opCount; op++) {
                    if (chunk.keyType == ValueType.STRING) {
                        names.internFrom(chunk.keyNames, (int) chunk.key[op]);
                    } else {
                        numbers.add(chunk.key[op]);
                    }
                }
            }
        });
        return (long) numbers.size() + names.size();
    }

    private void forEach(Consumer<ByteFeed> to) throws IOException {
        for (Chunk chunk : chunks) {
            to.accept(chunk.feed());
        }
        if (file != null) {
            file.forEach(to);
        }
    }

    @Override
    public void close() throws IOException {
        chunks.clear();
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
