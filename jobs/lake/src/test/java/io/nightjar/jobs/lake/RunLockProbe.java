package io.nightjar.jobs.lake;

import java.nio.file.Path;

/** Another process that requests a lock; its exit code indicates whether it got it. */
final class RunLockProbe {

    static final int GRANTED = 10;
    static final int REFUSED = 11;

    private RunLockProbe() {}

    public static void main(String[] args) {
        System.exit(RunLock.acquireAtOnce(Path.of(args[0])) == null ? REFUSED : GRANTED);
    }
}
