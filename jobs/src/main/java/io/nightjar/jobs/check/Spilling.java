package io.nightjar.jobs.check;

import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.run.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens lanes on disk, after looking whether the disk has room for them. */
final class Spilling {

    private static final double SHARE_FOR_BUFFERS = 0.1;

    private final Path parent;
    private final long memoryBytes;
    private final int threadCount;
    private final Watcher watcher;

    Spilling(Path parent, long memoryBytes, int threadCount, Watcher watcher) {
        this.parent = parent;
        this.memoryBytes = memoryBytes;
        this.threadCount = threadCount;
        this.watcher = watcher;
    }

    LaneStore open(MemoryPlan plan) throws IOException {
        long free = freeBytes();
        watcher.note("history does not fit into memory: spilling about %s to %s in %d lanes (%s free)"
                .formatted(size(plan.spillBytes()), parent, plan.laneCount(), size(free)));
        if (plan.spillBytes() > free) {
            throw new LakeException("[" + parent + "] not enough room to spill: needed=" + size(plan.spillBytes())
                    + " free=" + size(free) + "; free some, set TMPDIR to a larger disk, or give more --memory");
        }
        return new LanesOnDisk(
                new SpillFiles(parent, plan.laneCount()),
                plan.laneCount(),
                plan.laneBytes(),
                (long) (memoryBytes * SHARE_FOR_BUFFERS),
                threadCount);
    }

    private long freeBytes() {
        try {
            return Files.getFileStore(parent).getUsableSpace();
        } catch (IOException failed) {
            throw SpillFiles.failure(parent, failed);
        }
    }

    private static String size(long bytes) {
        return bytes < 1 << 30 ? (bytes >> 20) + " MB" : "%.1f GB".formatted((double) bytes / (1 << 30));
    }
}
