package io.nightjar.formats.file;

/** Inverse of the heap size derived from {@code --memory}: computes the bound that provides a given heap. */
public final class HeapSizing {

    /** Minimum share of {@code --memory} above the fixed overhead that becomes heap. */
    private static final double HEAP_SHARE = 0.85;

    private static final long NATIVE_BYTES = 96L << 20;

    /** Property with the memory bound of this process in bytes, if one was set. */
    public static final String PROPERTY = "nightjar.memory";

    private HeapSizing() {}

    /** Returns the {@code --memory} setting that provides a heap of this size. */
    public static String thatWouldDo(long heapBytes) {
        long bound =
                bound(heapBytes, Long.getLong(PROPERTY, 0), Runtime.getRuntime().maxMemory());
        return "--memory " + ((bound >> 20) + 2) + "m would do";
    }

    /**
     * Returns the bound that a process requires for a heap. With Flink a smaller share of the bound is heap; the bound
     * then grows in proportion to the required heap, which is more than enough.
     *
     * @param given the bound of this process, 0 for none
     * @param heap the heap size under that bound
     */
    static long bound(long needed, long given, long heap) {
        boolean isHeapAlone = bound(heap) >= given;
        return isHeapAlone ? bound(needed) : Math.max(bound(needed), (long) Math.ceil((double) given / heap * needed));
    }

    private static long bound(long heap) {
        return (long) Math.ceil((heap + NATIVE_BYTES) / HEAP_SHARE);
    }
}
