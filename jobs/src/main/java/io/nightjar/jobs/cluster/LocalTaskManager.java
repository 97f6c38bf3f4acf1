package io.nightjar.jobs.cluster;

import java.nio.file.Path;
import java.util.Set;

/** A TaskManager of a cluster on this machine, dead or alive. */
final class LocalTaskManager {

    /** Who only lost its connection reports again within seconds. */
    private static final int LOOKS = 5;

    private final String id;
    private final Process process;
    private final Path tmp;
    private boolean hasReported;
    private int looksMissing;

    /** @param tmp what it holds on disk */
    LocalTaskManager(String id, Process process, Path tmp) {
        this.id = id;
        this.process = process;
        this.tmp = tmp;
    }

    Process process() {
        return process;
    }

    Path tmp() {
        return tmp;
    }

    /**
     * Looks whether the cluster knows it. Returns whether it has not for some looks, though it had reported and is alive.
     *
     * @param ids those that the cluster knows
     */
    boolean isMissedFrom(Set<String> ids) {
        if (ids.contains(id)) {
            hasReported = true;
            looksMissing = 0;
            return false;
        }
        looksMissing++;
        return hasReported && looksMissing >= LOOKS && process.isAlive();
    }
}
