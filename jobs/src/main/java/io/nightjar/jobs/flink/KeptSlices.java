package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;

/**
 * What the first reading of a job leaves in the memory of this process for the second, split by split, as far as there
 * is room and nobody else needs it: the collector takes slices away before memory runs out.
 *
 * <p>Whoever does not find a split here reads it from its file, so that nothing but time depends on what is kept, or on
 * which attempt kept it.
 *
 * @param mostBytes what all jobs of this process may keep together
 */
record KeptSlices(JobID job, long mostBytes) {

    private static final Map<JobID, Map<Integer, Split>> JOBS = new HashMap<>();
    private static long heldBytes; // both guarded by JOBS

    /** Begins a split, anew if another attempt did before. */
    void begin(int split) {
        synchronized (JOBS) {
            drop(split);
            if (mostBytes > 0) {
                JOBS.computeIfAbsent(job, any -> new HashMap<>()).put(split, new Split());
            }
        }
    }

    /** Keeps a slice more of a split that was begun, or nothing of it if there is no room. */
    void add(int split, HistorySlice slice) {
        synchronized (JOBS) {
            Split begun = splits().get(split);
            if (begun == null) {
                return;
            }
            long bytes = slice.byteSize();
            if (heldBytes + bytes > mostBytes) {
                drop(split);
                return;
            }
            begun.slices.add(new SoftReference<>(slice));
            begun.bytes += bytes;
            heldBytes += bytes;
        }
    }

    /** The split has been read to its end. */
    void end(int split) {
        synchronized (JOBS) {
            Split begun = splits().get(split);
            if (begun != null) {
                begun.isWhole = true;
            }
        }
    }

    /** The slices of a split, which are kept no longer; null if they are not all there. */
    List<HistorySlice> take(int split) {
        synchronized (JOBS) {
            Split kept = drop(split);
            return kept == null || !kept.isWhole ? null : kept.slices();
        }
    }

    /** Keeps nothing of a job any more. */
    static void forget(JobID job) {
        synchronized (JOBS) {
            Map<Integer, Split> left = JOBS.remove(job);
            if (left != null) {
                left.values().forEach(split -> heldBytes -= split.bytes);
            }
        }
    }

    private Split drop(int split) {
        Split dropped = splits().remove(split);
        if (dropped != null) {
            heldBytes -= dropped.bytes;
        }
        return dropped;
    }

    private Map<Integer, Split> splits() {
        return JOBS.getOrDefault(job, new HashMap<>());
    }

    private static final class Split {
        final List<SoftReference<HistorySlice>> slices = new ArrayList<>();
        long bytes;
        boolean isWhole;

        /** Null if the collector took one. */
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
