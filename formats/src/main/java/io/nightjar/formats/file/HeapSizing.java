package io.nightjar.formats.file;

/** What {@code --memory} leaves to the heap, the other way round: which bound gives a heap. */
public final class HeapSizing {

    /** The part of {@code --memory} that is surely heap, beside what is taken in any case. */
    private static final double HEAP_SHARE = 0.85;

    private static final long BESIDE_HEAP = 96L << 20;

    /** The property that has the bound of this process in bytes, if it was given one. */
    public static final String PROPERTY = "nightjar.memory";

    private HeapSizing() {}

    /** Says which {@code --memory} gives so much heap. */
    public static String thatWouldDo(long heapBytes) {
        long bound =
                bound(heapBytes, Long.getLong(PROPERTY, 0), Runtime.getRuntime().maxMemory());
        return "--memory " + ((bound >> 20) + 2) + "m would do";
    }

    /**
     * The bound that a process needs for a heap. Beside Flink less of a bound is heap: then it grows with the heap that is needed, which is more than enough.
     *
     * @param given the bound of this process, 0 for none
     * @param heap what it left to the heap
     */
    static long bound(long needed, long given, long heap) {
        boolean isHeapAlone = bound(heap) >= given;
        return isHeapAlone ? bound(needed) : Math.max(bound(needed), (long) Math.ceil((double) given / heap * needed));
    }

    private static long bound(long heap) {
        return (long) Math.ceil((heap + BESIDE_HEAP) / HEAP_SHARE);
    }
}
