package io.nightjar.pipeline.check;

import io.nightjar.pipeline.primitive.ParallelTasks;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a search: deadline, memory and helper threads. The deadline is checked in the innermost loops, every few
 * hundred steps, and any thread may cancel; the memory limit is checked before each large allocation.
 */
public final class Budget {

    /** Default memory limit of a search. */
    private static final long DEFAULT_MEMORY_BYTES = 256L << 20;

    private static final int SHARE_KEPT_BACK = 8;

    private final @Nullable Budget whole;
    private final long deadlineNs;
    private final long memoryBytes;
    private final ParallelTasks helpers;
    private volatile boolean isCancelled;

    private Budget(@Nullable Budget whole, long deadlineNs, long memoryBytes, ParallelTasks helpers) {
        this.whole = whole;
        this.deadlineNs = deadlineNs;
        this.memoryBytes = memoryBytes;
        this.helpers = helpers;
    }

    public static Budget ofNanos(long nanos) {
        return new Budget(null, after(nanos), DEFAULT_MEMORY_BYTES, ParallelTasks.NONE);
    }

    public static Budget unlimited() {
        return ofNanos(Long.MAX_VALUE / 4);
    }

    /** Returns a budget that ends after the given time, when this budget ends, or when it is canceled. */
    public Budget portion(long nanos) {
        return new Budget(this, after(nanos), memoryBytes, helpers);
    }

    /**
     * Returns a budget that ends with this budget, or when an eighth of the remaining time is left for the following
     * work.
     */
    public Budget largerPortion() {
        long left = Math.max(0, deadlineNs - System.nanoTime());
        return portion(left - left / SHARE_KEPT_BACK);
    }

    /** Returns a budget of the time that {@link #largerPortion} reserves. */
    public Budget rest() {
        return portion(Math.max(0, deadlineNs - System.nanoTime()) / SHARE_KEPT_BACK);
    }

    /** Returns a budget with the same memory and threads and without a deadline, for decisions in polynomial time. */
    public Budget withoutDeadline() {
        return new Budget(null, after(Long.MAX_VALUE / 4), memoryBytes, helpers);
    }

    /** Returns a budget that ends with this budget and has the given memory limit. */
    public Budget withMemoryBytes(long bytes) {
        return new Budget(this, deadlineNs, bytes, helpers);
    }

    /** Returns a budget that ends with this budget and may run work on the given threads. */
    public Budget withHelpers(ParallelTasks others) {
        return new Budget(this, deadlineNs, memoryBytes, others);
    }

    /** Returns the helper threads; none by default. */
    public ParallelTasks helpers() {
        return helpers;
    }

    public boolean isSpent() {
        return isCancelled || System.nanoTime() - deadlineNs >= 0 || whole != null && whole.isSpent();
    }

    /** Returns the memory limit. It never depends on how many searches run concurrently. */
    public long memoryBytes() {
        return memoryBytes;
    }

    /** Ends it, and every portion of it. */
    public void cancel() {
        isCancelled = true;
    }

    private static long after(long nanos) {
        return System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 4);
    }
}
