package io.nightjar.jobs.check;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.check.timestamp.InOrderSweep;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneSize;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.partition.KeyRange;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.LaneKeyFilter;
import io.nightjar.pipeline.primitive.ByteReader;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The encoded chunks of one lane, in memory or on disk, until all of them are there; then the lane, in as many ranges
 * as it needs to fit into memory.
 */
public final class SpilledLane implements Closeable {

    /**
     * While a lane is checked, loaded chunks may stay in memory, encoded, up to one part in this many of the memory of
     * the lane.
     */
    private static final int SHARE_FOR_CHUNKS = 8;

    /** Ratio of the size of a lane to the size of its chunks, or nearly. */
    private static final int USUAL_GROWTH = 5;

    private final SpillFile.Folders spillFolders;
    private final long maxHeldBytes;
    private final List<byte[]> held = new ArrayList<>();
    private long bytesHeld;
    private @Nullable SpillFile file;
    private long bytesSpilled;

    /** @param maxHeldBytes bytes that may stay in memory, encoded */
    SpilledLane(SpillFile.Folders spillFolders, long maxHeldBytes) {
        this.spillFolders = spillFolders;
        this.maxHeldBytes = maxHeldBytes;
    }

    /**
     * Creates a lane for a task of Flink.
     *
     * @param spillFolders for chunks that do not fit into memory
     * @param maxBytes maximum size of a lane when it is checked
     */
    public static SpilledLane ofTask(SpillFile.Folders spillFolders, long maxBytes) {
        return new SpilledLane(spillFolders, maxBytes / SHARE_FOR_CHUNKS);
    }

    /** Adds chunks that {@link LaneCodec} encoded one after another; the bytes are free again afterwards. */
    public synchronized void add(byte[] bytes, int length) {
        if (bytesHeld + length <= maxHeldBytes) {
            held.add(Arrays.copyOf(bytes, length));
            bytesHeld += length;
            return;
        }
        if (file == null) {
            file = new SpillFile(spillFolders);
        }
        file.append(bytes, length);
        bytesSpilled = file.byteCount();
    }

    public synchronized long bytesSpilled() {
        return bytesSpilled;
    }

    /** Checks a lane, or a range of it; the lane is garbage afterwards. */
    @FunctionalInterface
    public interface Work {
        void run(Lane lane) throws IOException;
    }

    /**
     * Builds the lane range by range; returns the keys that do not fit into so much memory, as separate ranges.
     *
     * @param maxBytes maximum size of a range when it is checked
     */
    public List<PlannedRange> forEachRange(long maxBytes, Work work) throws IOException {
        if (bytesHeld + bytesSpilled <= maxBytes / USUAL_GROWTH) { // counting would cost as much as loading
            Lane whole = load(KeyRange.ALL, maxBytes);
            if (whole != null) {
                work.run(whole);
                return List.of();
            }
        }
        Deque<PlannedRange> open = new ArrayDeque<>(rangesOf(KeyRange.ALL, maxBytes));
        List<PlannedRange> unfit = new ArrayList<>();
        while (!open.isEmpty()) {
            PlannedRange planned = open.poll();
            Lane lane = planned.fits() ? load(planned.range(), maxBytes) : null;
            if (lane != null) {
                work.run(lane);
            } else if (!planned.isDivisible()) {
                unfit.add(planned);
            } else if (planned.fits()) {
                open.addAll(planned.halves()); // the counts were too low
            } else {
                open.addAll(rangesOf(planned.range(), maxBytes));
            }
        }
        return unfit;
    }

    /**
     * Checks chunks in the order of their arrival, without building the lane.
     *
     * @return the number of keys if no key is left to check, else -1
     */
    public long sweep(InOrderSweep sweep) throws IOException {
        LaneCodec codec = new LaneCodec();
        forEach(feed -> {
            while (!feed.isEmpty() && !sweep.isInDoubt()) {
                sweep.add(codec.decode(feed));
            }
        });
        sweep.finish();
        return sweep.isInDoubt() ? -1 : sweep.keyCount();
    }

    /**
     * Builds, with more memory, the lanes of keys that did not fit; returns the number of keys that still do not fit.
     */
    long forEachKey(List<PlannedRange> unfit, long maxBytes, Work work) throws IOException {
        long unfitKeys = 0;
        for (PlannedRange planned : unfit) {
            Lane lane = load(planned.range(), maxBytes);
            if (lane != null) {
                work.run(lane);
            } else {
                unfitKeys += countKeys(planned.range());
            }
        }
        return unfitKeys;
    }

    /** Returns the number of keys of these ranges. */
    public long countKeys(List<PlannedRange> ranges) throws IOException {
        long keys = 0;
        for (PlannedRange planned : ranges) {
            keys += countKeys(planned.range());
        }
        return keys;
    }

    private List<PlannedRange> rangesOf(KeyRange range, long maxBytes) throws IOException {
        return sizeOf(range).ranges(maxBytes);
    }

    private LaneSize sizeOf(KeyRange range) throws IOException {
        LaneSize size = new LaneSize(range);
        LaneCodec codec = new LaneCodec();
        forEach(feed -> {
            while (!feed.isEmpty()) {
                size.add(codec.decode(feed));
            }
        });
        return size;
    }

    /** Returns null if that would exceed the given memory. */
    private @Nullable Lane load(KeyRange range, long maxBytes) throws IOException {
        Lane lane = new Lane();
        LaneCodec codec = new LaneCodec();
        LaneKeyFilter partitioner = new LaneKeyFilter();
        boolean[] fits = {true};
        forEach(feed -> {
            while (fits[0] && !feed.isEmpty()) {
                lane.append(partitioner.filter(codec.decode(feed), range));
                fits[0] = lane.byteSizeWhenChecked() <= maxBytes;
            }
        });
        return fits[0] ? lane : null;
    }

    /**
     * Returns the number of keys of the lane, in memory that depends on these alone.
     *
     * @param maxBytes maximum memory for it
     */
    public long countKeys(long maxBytes) throws IOException {
        return countKeys(rangesOf(KeyRange.ALL, 2 * maxBytes)); // keys alone take much less than the counted size
    }

    private long countKeys(KeyRange range) throws IOException {
        LongOpenHashSet numbers = new LongOpenHashSet();
        StringPool names = new StringPool();
        LaneCodec codec = new LaneCodec();
        LaneKeyFilter partitioner = new LaneKeyFilter();
        forEach(feed -> {
            while (!feed.isEmpty()) {
                LaneChunk chunk = partitioner.filter(codec.decode(feed), range);
                for (int op = 0; op < chunk.opCount; op++) {
                    if (chunk.keyType == ValueType.STRING) {
                        names.internFrom(requireNonNull(chunk.keyNames), (int) chunk.key[op]);
                    } else {
                        numbers.add(chunk.key[op]);
                    }
                }
            }
        });
        return (long) numbers.size() + names.size();
    }

    private void forEach(Consumer<ByteReader> to) throws IOException {
        for (byte[] bytes : held) {
            to.accept(new ByteReader(bytes, 0, bytes.length));
        }
        if (file != null) {
            file.forEach(to);
        }
    }

    /** Releases its memory and its file. */
    @Override
    public void close() throws IOException {
        held.clear();
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
