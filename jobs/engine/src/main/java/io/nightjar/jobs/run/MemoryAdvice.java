package io.nightjar.jobs.run;

import io.nightjar.formats.file.HeapSizing;

/**
 * Advice where memory did not suffice.
 *
 * @param byTimestamps for a check by timestamps
 * @param byValues for a check by values
 */
public record MemoryAdvice(String byTimestamps, String byValues) {

    /** Advice if the required memory is unknown: on a cluster it depends on how tasks share processes. */
    public static final MemoryAdvice MORE = new MemoryAdvice("give more --memory", "give more --memory");

    /**
     * Returns the advice for a check on one machine.
     *
     * @param timestampBytes heap for a check by timestamps of the whole history in memory
     * @param valueBytes heap for such a check by values
     */
    public static MemoryAdvice ofHeap(long timestampBytes, long valueBytes) {
        return new MemoryAdvice(HeapSizing.thatWouldDo(timestampBytes), HeapSizing.thatWouldDo(valueBytes));
    }
}
