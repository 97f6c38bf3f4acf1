package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.memory.SharedResources;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the slices of a job's first reading in the memory of its process, for the second reading, by split. It uses
 * memory that nothing else needs: the garbage collector reclaims slices before memory is exhausted.
 *
 * <p>A task that does not find a split here reads it from its file, so that cached content, and the attempt that cached
 * it, affect only the time.
 */
final class SliceCache implements AutoCloseable {

    private static final String NAME = "nightjar-kept-slices-";

    private final long maxBytes;
    private final Map<Integer, Split> splits = new HashMap<>();
    private long heldBytes;

    /** @param maxBytes capacity for the job */
    SliceCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the slices kept for a task's job, which the TaskManager holds until the last task of the job has come. */
    static SliceCache of(Environment task, long maxBytes) throws Exception {
        if (maxBytes == 0) {
            return new SliceCache(0);
        }
        SharedResources shared = task.getSharedResources();
        String name = NAME + task.getJobID();
        task.getUserCodeClassLoader().registerReleaseHookIfAbsent(name, () -> release(shared, name));
        return shared.getOrAllocateSharedResource(name, NAME, SliceCache::new, maxBytes)
                .resourceHandle();
    }

    private static void release(SharedResources shared, String name) {
        try {
            shared.release(name, NAME, bytes -> {});
        } catch (Exception e) {
            throw new AssertionError("bug: closing kept slices failed", e);
        }
    }

    /** Begins a split, anew if another attempt did before. */
    synchronized void begin(int split) {
        drop(split);
        if (maxBytes > 0) {
            splits.put(split, new Split());
        }
    }

    /** Adds a slice to a split that was started, or discards the split if the capacity is exceeded. */
    synchronized void add(int split, HistorySlice slice) {
        Split begun = splits.get(split);
        if (begun == null) {
            return;
        }
        long bytes = slice.byteSize();
        if (heldBytes + bytes > maxBytes) {
            drop(split);
            return;
        }
        begun.slices.add(new SoftReference<>(slice));
        begun.bytes += bytes;
        heldBytes += bytes;
    }

    /** Ends a split that has been read to its end. */
    synchronized void end(int split) {
        Split begun = splits.get(split);
        if (begun != null) {
            begun.isWhole = true;
        }
    }

    /** Returns the slices of a split, which are kept no longer; null if they are not all there. */
    synchronized @Nullable List<HistorySlice> take(int split) {
        Split kept = drop(split);
        return kept == null || !kept.isWhole ? null : kept.slices();
    }

    private Split drop(int split) {
        Split dropped = splits.remove(split);
        if (dropped != null) {
            heldBytes -= dropped.bytes;
        }
        return dropped;
    }

    @Override
    public synchronized void close() {
        splits.clear();
        heldBytes = 0;
    }

    private static final class Split {
        final List<SoftReference<HistorySlice>> slices = new ArrayList<>();
        long bytes;
        boolean isWhole;

        /** Returns the slices of a split; null if the collector took one. */
        @Nullable
        List<HistorySlice> slices() {
            List<HistorySlice> all = new ArrayList<>(slices.size());
            for (SoftReference<HistorySlice> one : slices) {
                HistorySlice slice = one.get();
                if (slice == null) {
                    return null;
                }
                all.add(slice);
            }
            return all;
        }
    }
}
