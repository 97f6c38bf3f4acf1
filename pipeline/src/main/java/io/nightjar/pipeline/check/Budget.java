package io.nightjar.pipeline.check;

import io.nightjar.pipeline.primitive.ParallelTasks;
import org.jspecify.annotations.Nullable;

/**
 * How long a search may go on, how much it may hold at once, and which threads may help it. Time is asked in the innermost
 * loops, every few hundred steps, and any thread may end it early; memory is asked before anything large is allocated.
 */
public final class Budget {

    /** What a search may hold where nothing else is said. */
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

    /** A budget that ends after so long, with this one, or when it is cancelled alone. */
    public Budget part(long nanos) {
        return new Budget(this, after(nanos), memoryBytes, helpers);
    }

    /** Returns a budget that ends with this one, or when an eighth of the time that is left now is left: for what comes then. */
    public Budget most() {
        long left = Math.max(0, deadlineNs - System.nanoTime());
        return part(left - left / SHARE_KEPT_BACK);
    }

    /** Returns a budget of the time that {@link #most} reserves. */
    public Budget rest() {
        return part(Math.max(0, deadlineNs - System.nanoTime()) / SHARE_KEPT_BACK);
    }

    /** Returns a budget with the same memory and threads and no deadline, for what is decided in polynomial time. */
    public Budget withoutDeadline() {
        return new Budget(null, after(Long.MAX_VALUE / 4), memoryBytes, helpers);
    }

    /** Returns a budget that ends with this one and allows so much memory. */
    public Budget withMemoryBytes(long bytes) {
        return new Budget(this, deadlineNs, bytes, helpers);
    }

    /** Returns a budget that ends with this one and may have work done by others. */
    public Budget withHelpers(ParallelTasks others) {
        return new Budget(this, deadlineNs, memoryBytes, others);
    }

    /** The threads that may help; none unless told. */
    public ParallelTasks helpers() {
        return helpers;
    }

    public boolean isSpent() {
        return isCancelled || System.nanoTime() - deadlineNs >= 0 || whole != null && whole.isSpent();
    }

    /** Returns what may be held at once. It never depends on how many searches run beside this one. */
    public long memoryBytes() {
        return memoryBytes;
    }

    /** Ends it, and every part of it. */
    public void cancel() {
        isCancelled = true;
    }

    private static long after(long nanos) {
        return System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 4);
    }
}
