package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Many sorted sequences of rows of longs: rows are inserted by search, mostly at the end, and removed from the front. */
final class SortedRows {

    /*
     * Layout. A row is a few longs; rows are sorted by the first one, the time. A sequence is one block:
     *
     *   block[0]   index of the first row (32 bits) | whether rows were removed (bit 32)
     *   block[1]   number of rows
     *   block[2]   free space and rows
     *
     *   pages[sequence >> PAGE_BITS][sequence & PAGE_MASK]   a block; null for an empty sequence
     *
     * Cost. Inserting a row takes O(log d) to find its position and O(d) to move the d rows after it.
     */

    private static final int PAGE_BITS = 8;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final int FROM = 0;
    private static final int COUNT = 1;
    private static final int HEADER = 2;
    private static final long REMOVED = 1L << Integer.SIZE;
    private static final int MIN_ROWS_TO_SHRINK = 16;
    private static final long BYTES_OF_ARRAY = 16; // in addition to its elements
    private static final long[] NO_ROWS = {HEADER, 0};

    private final int width;
    private long[] @Nullable [] @Nullable [] pages = new long[4][][];
    private long heldBytes;

    /** @param width number of longs per row */
    SortedRows(int width) {
        this.width = width;
    }

    /** Releases all rows; none may be used afterwards. */
    void release() {
        pages = new long[0][][];
        heldBytes = 0;
    }

    /** Returns the used bytes. */
    long byteSize() {
        return heldBytes + 8L * pages.length;
    }

    // ---------------------------------------------------------------- blocks

    /** Returns the block of a sequence, valid until a row is inserted or removed. */
    long[] block(int sequence) {
        int page = sequence >>> PAGE_BITS;
        long @Nullable [] @Nullable [] blocks = page < pages.length ? pages[page] : null;
        long @Nullable [] block = blocks == null ? null : blocks[sequence & PAGE_MASK];
        return block == null ? NO_ROWS : block;
    }

    static int count(long[] block) {
        return (int) block[COUNT];
    }

    /** Returns whether rows were removed from the front of a block. */
    static boolean wereRemoved(long[] block) {
        return (block[FROM] & REMOVED) != 0;
    }

    long at(long[] block, int row) {
        return block[indexOf(block, row)];
    }

    long get(long[] block, int row, int column) {
        return block[indexOf(block, row) + column];
    }

    void set(long[] block, int row, int column, long number) {
        block[indexOf(block, row) + column] = number;
    }

    private int indexOf(long[] block, int row) {
        return (int) block[FROM] + row * width;
    }

    private int capacity(long[] block) {
        return (block.length - HEADER) / width;
    }

    /** Reads the last rows of several sequences at once, so that their cache misses overlap. */
    long touch(int[] sequences, int first, int end) {
        long seen = 0;
        for (int i = first; i < end; i++) {
            long[] block = block(sequences[i]);
            seen += block[(int) block[FROM] + Math.max(0, count(block) - 1) * width - 1];
        }
        return seen;
    }

    private long[] put(int sequence, int capacity) {
        int page = sequence >>> PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
        }
        if (pages[page] == null) {
            pages[page] = new long[1 << PAGE_BITS][];
            heldBytes += 4L << PAGE_BITS;
        }
        long[] block = new long[HEADER + capacity * width];
        block[FROM] = HEADER;
        heldBytes += byteSize(block);
        requireNonNull(pages[page])[sequence & PAGE_MASK] = block;
        return block;
    }

    private static long byteSize(long[] block) {
        return BYTES_OF_ARRAY + (long) Long.BYTES * block.length;
    }

    /** Moves the rows of a block to the front of one with the given capacity; returns it. */
    private long[] moveTo(int sequence, long[] block, int capacity) {
        long[] to = block;
        if (capacity != capacity(block)) {
            heldBytes -= byteSize(block);
            to = put(sequence, capacity);
        }
        System.arraycopy(block, (int) block[FROM], to, HEADER, count(block) * width);
        to[FROM] = HEADER | block[FROM] & REMOVED;
        to[COUNT] = block[COUNT];
        return to;
    }

    // ---------------------------------------------------------------- rows

    /** Returns the number of rows before a time. Searches from the end in steps that double. */
    int countBefore(long[] block, long time) {
        int high = count(block); // the first row that is known not to be before, or the end
        int step = 1;
        while (high >= step && at(block, high - step) >= time) {
            high -= step;
            step *= 2;
        }
        int low = Math.max(0, high - step + 1); // all rows before it are before
        while (low < high) {
            int middle = low + high >>> 1;
            if (at(block, middle) < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Inserts a row with zeros besides its time; returns the block. */
    long[] insert(int sequence, int row, long time) {
        long[] block = block(sequence);
        if (block == NO_ROWS) {
            block = put(sequence, 1);
        }
        block = grow(sequence, block, row);
        int from = indexOf(block, row);
        block[from] = time;
        Arrays.fill(block, from + 1, from + width, 0);
        block[COUNT]++;
        return block;
    }

    /** Frees a row by moving others; returns the block, which may be a new one. */
    private long[] grow(int sequence, long[] old, int row) {
        int count = count(old);
        int first = (int) old[FROM];
        if (first > HEADER && row < count - row) {
            System.arraycopy(old, first, old, first - width, row * width);
            old[FROM] -= width;
            return old;
        }
        long[] block = old;
        if (first + (count + 1) * width > old.length) {
            block = moveTo(sequence, old, count > capacity(old) / 2 ? 2 * capacity(old) : capacity(old));
        }
        int from = indexOf(block, row);
        System.arraycopy(block, from, block, from + width, (count - row) * width);
        return block;
    }

    /** Removes the rows before one that remains; returns the block, which may be a new one. */
    long[] removeBefore(int sequence, int row) {
        long[] block = block(sequence);
        block[FROM] = block[FROM] + (long) row * width | REMOVED;
        block[COUNT] -= row;
        boolean isWide = capacity(block) > MIN_ROWS_TO_SHRINK && count(block) <= capacity(block) / 8;
        return isWide ? moveTo(sequence, block, 2 * count(block)) : block;
    }

    /** Records that rows before the existing ones were removed by another process. */
    void setRemoved(int sequence) {
        block(sequence)[FROM] |= REMOVED;
    }

    /** Removes all rows of a sequence. */
    void clear(int sequence) {
        long[] block = block(sequence);
        if (block != NO_ROWS) {
            heldBytes -= byteSize(block);
            requireNonNull(pages[sequence >>> PAGE_BITS])[sequence & PAGE_MASK] = null;
        }
    }
}
