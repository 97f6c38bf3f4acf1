package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;

/** The transactions of rows in memory, by slot; a slot is freed with its last row. */
final class WindowTxns {

    private static final int NONE = -1;

    /*
     * Layout. Slots are in pages, so that growth copies no data:
     *
     *   numbers[page][WIDTH * slot in page]   id, start, commit, arrived; adjacent, since callers read several of them
     *   rowsOf[page][slot in page]            number of rows; of a free slot the next free one
     */
    private static final int WIDTH = 4;
    private static final int PAGE_BITS = 12;
    private static final int PAGE_SLOTS = 1 << PAGE_BITS;
    private static final int PAGE_MASK = PAGE_SLOTS - 1;
    private static final long BYTES_OF_SLOT = WIDTH * Long.BYTES + Integer.BYTES;

    private long[][] numbers = new long[4][];
    private int[][] rowsOf = new int[4][];
    private int pageCount;
    private int slotCount;
    private int firstFree = NONE;
    private int inUse;

    /** Returns a slot with one row, which {@link #release} removes. */
    int open(long id, long start, long commit, long arrived) {
        int slot = firstFree;
        if (slot == NONE) {
            slot = slotCount++;
            if (slot >>> PAGE_BITS == pageCount) {
                addPage();
            }
        } else {
            firstFree = rowsOf[slot >>> PAGE_BITS][slot & PAGE_MASK];
        }
        long[] page = numbers[slot >>> PAGE_BITS];
        int from = (slot & PAGE_MASK) * WIDTH;
        page[from] = id;
        page[from + 1] = start;
        page[from + 2] = commit;
        page[from + 3] = arrived;
        rowsOf[slot >>> PAGE_BITS][slot & PAGE_MASK] = 1;
        inUse++;
        return slot;
    }

    private void addPage() {
        if (pageCount == numbers.length) {
            numbers = Arrays.copyOf(numbers, pageCount * 2);
            rowsOf = Arrays.copyOf(rowsOf, pageCount * 2);
        }
        numbers[pageCount] = new long[PAGE_SLOTS * WIDTH];
        rowsOf[pageCount++] = new int[PAGE_SLOTS];
    }

    void retain(int slot) {
        rowsOf[slot >>> PAGE_BITS][slot & PAGE_MASK]++;
    }

    void release(int slot) {
        int[] rows = rowsOf[slot >>> PAGE_BITS];
        if (--rows[slot & PAGE_MASK] == 0) {
            rows[slot & PAGE_MASK] = firstFree;
            firstFree = slot;
            inUse--;
        }
    }

    /** Releases all slots; none may be used afterwards. */
    void close() {
        numbers = new long[0][];
        rowsOf = new int[0][];
        pageCount = 0;
        inUse = 0;
    }

    /** Returns the allocated bytes, including free slots. */
    long byteSize() {
        return pageCount * PAGE_SLOTS * BYTES_OF_SLOT;
    }

    /** Returns the bytes of slots in use. */
    long usedByteSize() {
        return inUse * BYTES_OF_SLOT;
    }

    long id(int slot) {
        return numbers[slot >>> PAGE_BITS][(slot & PAGE_MASK) * WIDTH];
    }

    long start(int slot) {
        return numbers[slot >>> PAGE_BITS][(slot & PAGE_MASK) * WIDTH + 1];
    }

    long commit(int slot) {
        return numbers[slot >>> PAGE_BITS][(slot & PAGE_MASK) * WIDTH + 2];
    }

    long arrived(int slot) {
        return numbers[slot >>> PAGE_BITS][(slot & PAGE_MASK) * WIDTH + 3];
    }

    OnlineTxn participant(int slot) {
        return new OnlineTxn(id(slot), start(slot), commit(slot));
    }

    void write(int slot, ByteWriter to) {
        to.putSigned(id(slot));
        to.putSigned(commit(slot));
        to.putSigned(commit(slot) - start(slot));
        to.putSigned(arrived(slot));
    }

    /** Reads a transaction into a slot with one row, as {@link #open} returns it. */
    int read(ByteReader from) {
        long id = from.getSigned();
        long commit = from.getSigned();
        return open(id, commit - from.getSigned(), commit, from.getSigned());
    }
}
