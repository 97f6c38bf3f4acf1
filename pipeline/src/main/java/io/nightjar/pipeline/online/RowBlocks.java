package io.nightjar.pipeline.online;

import java.util.Arrays;

/** Rows as a few longs each, by number, in blocks that neighbours in a sequence share. */
final class RowBlocks {

    /*
     * A row is a few longs next to each other in a page:
     *
     *   at       the timestamp that it stands at
     *   meta     see RowMeta
     *   value
     *   start    of its transaction, only where rows are versions
     *
     * A block has 2, 4, 8 .. LEAF_ROWS rows and lies in one page. Size class 0 has two rows, each next one twice as many; a
     * block that is larger than asked for is halved, and halves are not put together again.
     */

    private static final int PAGE_BITS = 14;
    private static final int PAGE_ROWS = 1 << PAGE_BITS;
    private static final int PAGE_MASK = PAGE_ROWS - 1;
    private static final int SIZE_CLASSES = 8;
    private static final int NO_BLOCK = -1;

    private final WindowTxns txns;
    private final int width;
    private long[][] pages = new long[4][];
    private int pageCount;
    private int nextRow = PAGE_ROWS; // in the last page
    private final int[] freeOf = new int[SIZE_CLASSES]; // the first free block; linked by their first long
    private long freeRows; // in free blocks

    RowBlocks(WindowTxns txns, boolean withStarts) {
        this.txns = txns;
        this.width = withStarts ? 4 : 3;
        Arrays.fill(freeOf, NO_BLOCK);
    }

    void letGo() {
        pages = new long[0][];
        pageCount = 0;
        nextRow = PAGE_ROWS;
        freeRows = 0;
    }

    /** Bytes held, free blocks among them. */
    long byteSize() {
        return (long) pageCount * PAGE_ROWS * width * Long.BYTES;
    }

    long freeByteSize() {
        return (PAGE_ROWS - nextRow + freeRows) * width * Long.BYTES;
    }

    // ---------------------------------------------------------------- rows

    long at(int row) {
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width];
    }

    long meta(int row) {
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 1];
    }

    void setMeta(int row, long meta) {
        pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 1] = meta;
    }

    long value(int row) {
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 2];
    }

    long start(int row) {
        return pages[row >>> PAGE_BITS][(row & PAGE_MASK) * width + 3];
    }

    boolean isBefore(int row, long at, int rowClass, long id) {
        long[] page = pages[row >>> PAGE_BITS];
        int from = (row & PAGE_MASK) * width;
        if (page[from] != at) {
            return page[from] < at;
        }
        long meta = page[from + 1];
        if (RowMeta.rowClass(meta) != rowClass) {
            return RowMeta.rowClass(meta) < rowClass;
        }
        return txns.id(RowMeta.slot(meta)) < id;
    }

    // ---------------------------------------------------------------- the rows of a block

    /** How many of a block's rows are before (at, class, id). */
    int countBefore(int block, int count, long at, int rowClass, long id) {
        if (isBefore(block + count - 1, at, rowClass, id)) {
            return count;
        }
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (isBefore(block + middle, at, rowClass, id)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The least start of a block's rows, where they have one. */
    long leastStart(int block, int count) {
        long min = Long.MAX_VALUE;
        for (int row = block; width == 4 && row < block + count; row++) {
            min = Math.min(min, start(row));
        }
        return min;
    }

    void insert(int block, int count, int in, long at, long meta, long value, long start) {
        long[] page = pages[block >>> PAGE_BITS];
        int to = ((block & PAGE_MASK) + in) * width;
        System.arraycopy(page, to, page, to + width, (count - in) * width);
        page[to] = at;
        page[to + 1] = meta;
        page[to + 2] = value;
        if (width == 4) {
            page[to + 3] = start;
        }
    }

    void copy(int from, int to, int count) {
        if (count == 0) {
            return; // behind the last row of the last page is none
        }
        System.arraycopy(
                pages[from >>> PAGE_BITS],
                (from & PAGE_MASK) * width,
                pages[to >>> PAGE_BITS],
                (to & PAGE_MASK) * width,
                count * width);
    }

    /** Moves rows to the beginning of their block, over those that are before them. */
    void shift(int block, int by, int count) {
        if (by > 0) {
            copy(block + by, block, count);
        }
    }

    /** Releases the transactions of a block's first rows. */
    void release(int block, int count) {
        for (int row = block; row < block + count; row++) {
            txns.release(RowMeta.slot(meta(row)));
        }
    }

    // ---------------------------------------------------------------- blocks

    /** A block for the given number of rows. */
    int allocate(int rows) {
        return allocateClass(sizeClass(rows));
    }

    void free(int block, int rows) {
        freeClass(block, sizeClass(rows));
    }

    private static int sizeClass(int rows) {
        return Integer.numberOfTrailingZeros(rows) - 1;
    }

    private int allocateClass(int sizeClass) {
        int block = freeOf[sizeClass];
        if (block != NO_BLOCK) {
            freeOf[sizeClass] = (int) at(block);
            freeRows -= 2L << sizeClass;
            return block;
        }
        if (sizeClass == sizeClass(SortedRows.LEAF_ROWS)) {
            return allocateLargest();
        }
        block = allocateClass(sizeClass + 1);
        freeClass(block + (2 << sizeClass), sizeClass);
        return block;
    }

    private int allocateLargest() {
        if (nextRow == PAGE_ROWS) {
            if (pageCount == pages.length) {
                pages = Arrays.copyOf(pages, pageCount * 2);
            }
            pages[pageCount++] = new long[PAGE_ROWS * width];
            nextRow = 0;
        }
        int block = pageCount - 1 << PAGE_BITS | nextRow;
        nextRow += SortedRows.LEAF_ROWS;
        return block;
    }

    private void freeClass(int block, int sizeClass) {
        pages[block >>> PAGE_BITS][(block & PAGE_MASK) * width] = freeOf[sizeClass];
        freeOf[sizeClass] = block;
        freeRows += 2L << sizeClass;
    }
}
