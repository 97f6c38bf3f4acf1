package io.nightjar.formats.file;

/**
 * How large a part of a file may be that has to be held as a whole: a row of text, a page of a column. The limits follow the
 * heap, and so {@code --memory}; what is larger is refused with its place before it takes the memory.
 */
public enum SizeLimit {
    /** A row is held as text, as columns and, while both grow, twice; and several are read ahead. */
    ROW(32, 1 << 20, 1 << 28),
    /** A page is held packed and unpacked, in several columns at once. */
    PAGE(8, 1 << 23, Integer.MAX_VALUE - (1 << 10));

    private final int share;
    private final int least;
    private final int most;

    SizeLimit(int share, int least, int most) {
        this.share = share;
        this.least = least;
        this.most = most;
    }

    /** The largest part in bytes that is read with this heap. */
    public int bytes() {
        return bytes(Runtime.getRuntime().maxMemory());
    }

    int bytes(long heapBytes) {
        return (int) Math.max(least, Math.min(most, heapBytes / share));
    }

    /** What to do about a part that is too large: the memory that it would take, if any is enough. */
    public String advice(long bytes) {
        if (bytes > most) {
            return "none may be larger than " + most + " bytes, with any --memory";
        }
        return HeapSizing.thatWouldDo(bytes * share);
    }
}
