package io.nightjar.jobs.check;

import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.spill.SpillFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens lanes on disk, after checking that the disk has enough free space. */
final class Spilling {

    private static final double SHARE_FOR_BUFFERS = 0.1;

    private final SpillFile.Folders spillFolders;
    private final long memoryBytes;
    private final int threadCount;
    private final ProgressListener watcher;

    Spilling(Path parent, long memoryBytes, int threadCount, ProgressListener watcher) {
        this.spillFolders = new SpillFile.Folders(
                List.of(parent), "free disk space, set TMPDIR to a larger disk, or give more --memory");
        this.memoryBytes = memoryBytes;
        this.threadCount = threadCount;
        this.watcher = watcher;
    }

    LaneStore open(MemoryPlan plan) {
        Path parent = spillFolders.directories().get(0);
        long free = freeBytes(parent);
        watcher.printNote("history does not fit into memory: spilling about %s to %s in %d lanes (%s free)"
                .formatted(size(plan.spillBytes()), parent, plan.laneCount(), size(free)));
        if (plan.spillBytes() > free) {
            throw LakeException.at(
                    parent,
                    "not enough disk space to spill: needed=" + size(plan.spillBytes()) + " free=" + size(free)
                            + "; free some, set TMPDIR to a larger disk, or give more --memory",
                    null);
        }
        return new LanesOnDisk(
                spillFolders,
                plan.laneCount(),
                plan.laneBytes(),
                (long) (memoryBytes * SHARE_FOR_BUFFERS),
                threadCount);
    }

    private long freeBytes(Path parent) {
        try {
            return Files.getFileStore(parent).getUsableSpace();
        } catch (IOException failed) {
            throw spillFolders.failure(parent, failed);
        }
    }

    private static String size(long bytes) {
        return bytes < 1 << 30 ? (bytes >> 20) + " MB" : "%.1f GB".formatted((double) bytes / (1 << 30));
    }
}
