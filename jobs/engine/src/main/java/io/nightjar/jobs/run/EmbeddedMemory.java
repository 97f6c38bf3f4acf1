package io.nightjar.jobs.run;

import io.nightjar.jobs.UsageException;

/**
 * The memory of the embedded cluster outside the heap, in mebibytes.
 *
 * @param network buffers of exchanges
 * @param read buffers to read exchanges back from disk
 * @param managed for sorting, all slots together
 */
public record EmbeddedMemory(int slots, int network, int read, int managed) {

    /*
     *   network   16 and 24 a slot
     *   read      32
     *   managed   the remainder, 16 to 64 a slot
     */

    /** System property in which the launcher passes the memory, in bytes, that it left outside the heap. */
    public static final String PROPERTY = "nightjar.flink.offheap";

    private static final int READ = 32;
    private static final int NETWORK = 16;
    private static final int NETWORK_OF_SLOT = 24;
    private static final int MIN_MANAGED_OF_SLOT = 16;
    private static final int MAX_MANAGED_OF_SLOT = 64;
    private static final int MIN_OF_SLOT = NETWORK_OF_SLOT + MIN_MANAGED_OF_SLOT;
    private static final long MIN_HEAP_OF_SLOT = 80L << 20;

    /** Returns the memory that the launcher reserved, or the most that is useful if it set no bound. */
    public static EmbeddedMemory ofThisProcess(int parallelism) {
        Long bytes = Long.getLong(PROPERTY);
        return split(
                parallelism,
                bytes == null ? maxBytes(parallelism) : bytes >> 20,
                Runtime.getRuntime().maxMemory());
    }

    /** Returns the maximum memory in mebibytes that the given number of slots can use. */
    public static long maxBytes(int slots) {
        return READ + NETWORK + (long) slots * (NETWORK_OF_SLOT + MAX_MANAGED_OF_SLOT);
    }

    /**
     * Tasks that have no slot wait for one.
     *
     * @throws UsageException if the memory does not suffice for one slot
     */
    static EmbeddedMemory split(int parallelism, long offHeap, long heapBytes) {
        long fit = Math.min((offHeap - READ - NETWORK) / MIN_OF_SLOT, heapBytes / MIN_HEAP_OF_SLOT);
        if (fit < 1) {
            throw new UsageException("too little memory for Flink inside this process: heap=" + (heapBytes >> 20)
                    + "m beside=" + offHeap + "m needed=" + (MIN_HEAP_OF_SLOT >> 20) + "m and "
                    + (READ + NETWORK + MIN_OF_SLOT) + "m; give more --memory, 400m at least, or use --engine local");
        }
        int slots = (int) Math.min(parallelism, fit);
        int network = NETWORK + slots * NETWORK_OF_SLOT;
        long managed = Math.min((long) slots * MAX_MANAGED_OF_SLOT, offHeap - READ - network);
        return new EmbeddedMemory(slots, network, READ, (int) managed);
    }
}
