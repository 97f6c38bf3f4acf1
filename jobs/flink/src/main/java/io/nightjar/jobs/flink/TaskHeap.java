package io.nightjar.jobs.flink;

/** Share of a task in a heap that is shared with Flink and with the tasks in other slots. */
final class TaskHeap {

    /** Heap that Flink itself uses in a process with a few slots. */
    private static final long OF_FLINK = 48L << 20;

    /** The rest is for data in transit: chunks, slices, findings, and garbage. */
    private static final double SHARE_FOR_DATA = 0.6;

    private static final int MIN_SHARE = 8;

    private TaskHeap() {}

    static long bytes(long heapBytes, int slots) {
        long left = Math.max(heapBytes - OF_FLINK, heapBytes / MIN_SHARE);
        return (long) (left * SHARE_FOR_DATA / Math.max(1, slots));
    }

    /**
     * Returns whether work with a known maximum of live data fits into a task's share of the heap, garbage aside. Work
     * that starts only then never ends with an answer that depends on other objects on the heap.
     *
     * @param liveBytes maximum of the work
     * @param taskHeapBytes the task's {@link #bytes}
     */
    static boolean fits(long liveBytes, long taskHeapBytes) {
        return liveBytes * SHARE_FOR_DATA <= taskHeapBytes;
    }
}
