package io.nightjar.formats.file;

/** What {@code --memory} leaves to the heap of a process without Flink, the other way round: which bound gives a heap. */
public final class MemoryBound {

    /** The part of {@code --memory} that is surely heap, beside what is taken in any case. */
    private static final double HEAP_SHARE = 0.85;

    private static final long BESIDE_HEAP = 96L << 20;

    private MemoryBound() {}

    /** Says which {@code --memory} gives so much heap. */
    public static String thatWouldDo(long heapBytes) {
        long process = (long) Math.ceil((heapBytes + BESIDE_HEAP) / HEAP_SHARE);
        return "--memory " + ((process >> 20) + 2) + "m would do";
    }
}
