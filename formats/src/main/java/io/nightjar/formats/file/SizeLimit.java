package io.nightjar.formats.file;

/**
 * Maximum size of a part of a file that must be in memory as a whole: a row of text, a page of a column. The limits
 * scale with the heap, and so with {@code --memory}; a larger part is rejected with its location before memory is
 * allocated.
 */
public enum SizeLimit {
    /** A row exists as text, as columns and, while both grow, twice; and several are read ahead. */
    ROW(32, 1 << 20, 1 << 28),
    /** A page exists compressed and decompressed, in several columns at once. */
    PAGE(8, 1 << 23, Integer.MAX_VALUE - (1 << 10));

    private final int share;
    private final int minBytes;
    private final int maxBytes;

    SizeLimit(int share, int minBytes, int maxBytes) {
        this.share = share;
        this.minBytes = minBytes;
        this.maxBytes = maxBytes;
    }

    /** Returns the maximum size in bytes of a part with the current heap. */
    public int bytes() {
        return bytes(Runtime.getRuntime().maxMemory());
    }

    int bytes(long heapBytes) {
        return (int) Math.max(minBytes, Math.min(maxBytes, heapBytes / share));
    }

    /** Returns the remedy for a part that exceeds the limit: the memory that suffices, if any does. */
    public String advice(long bytes) {
        if (bytes > maxBytes) {
            return "none may be larger than " + maxBytes + " bytes, with any --memory";
        }
        return HeapSizing.thatWouldDo(bytes * share);
    }
}
