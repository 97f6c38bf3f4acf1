package io.nightjar.jobs.cluster;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for other processes. */
public final class Waiting {

    private static final long PATIENCE_SECONDS = 120;
    private static final long PAUSE_MS = 20;

    private Waiting() {}

    /** Waits until a condition is true; fails after a very long time. */
    public static void until(String what, Callable<Boolean> isSo) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isSo.call()) {
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError("did not happen: what=" + what + " waitedSeconds=" + PATIENCE_SECONDS);
            }
            Thread.sleep(PAUSE_MS);
        }
    }

    /** Returns whether a process runs; one that ended stays in the list until its exit code is read. */
    public static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
