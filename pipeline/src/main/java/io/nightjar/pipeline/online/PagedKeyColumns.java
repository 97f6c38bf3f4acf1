package io.nightjar.pipeline.online;

import java.util.Arrays;

/** Columns of longs by key, zero until set. */
final class PagedKeyColumns {

    /*
     * Layout. Keys are numbered as they appear, so keys used at the same time share a page:
     *
     *   pages[key >> PAGE_BITS][(key & PAGE_MASK) * width + number]   null if all are zero, or the page was evicted
     *   positionOf[page]                                                 position in the storage plus one; 0 if never stored
     *
     * A page may be evicted whenever another one is requested, so callers must not retain one.
     */

    private static final int PAGE_BITS = 5;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final long BYTES_OF_ENTRY = 18;

    private final KeyPageCache cache;
    private final int width;
    private final long[] zeros;
    private long[][] pages = new long[4][];
    private long[] positionOf = new long[4];
    private boolean[] isTouched = new boolean[4];
    private boolean[] isChanged = new boolean[4];
    private int held;

    /** @param width number of longs per key */
    PagedKeyColumns(KeyPageCache cache, int width) {
        this.cache = cache;
        this.width = width;
        this.zeros = new long[width << PAGE_BITS];
    }

    long get(int key, int number) {
        int page = key >>> PAGE_BITS;
        if (page >= pages.length) {
            return 0;
        }
        long[] numbers = pages[page];
        if (numbers == null) {
            if (positionOf[page] == 0) {
                return 0;
            }
            numbers = load(page);
        }
        isTouched[page] = true;
        return numbers[(key & PAGE_MASK) * width + number];
    }

    void set(int key, int number, long value) {
        int page = key >>> PAGE_BITS;
        if (page >= pages.length) {
            grow(page);
        }
        long[] numbers = pages[page];
        if (numbers == null) {
            if (value == 0 && positionOf[page] == 0) {
                return;
            }
            numbers = load(page);
        }
        isTouched[page] = true;
        isChanged[page] = true;
        numbers[(key & PAGE_MASK) * width + number] = value;
    }

    private void grow(int page) {
        int capacity = Math.max(page + 1, pages.length * 2);
        pages = Arrays.copyOf(pages, capacity);
        positionOf = Arrays.copyOf(positionOf, capacity);
        isTouched = Arrays.copyOf(isTouched, capacity);
        isChanged = Arrays.copyOf(isChanged, capacity);
    }

    private long[] load(int page) {
        cache.ensureCapacity(pageBytes());
        long[] numbers = new long[zeros.length];
        if (positionOf[page] != 0) {
            cache.load(positionOf[page], numbers);
        }
        cache.admit(this, page);
        pages[page] = numbers;
        isChanged[page] = false;
        held++;
        return numbers;
    }

    // ---------------------------------------------------------------- memory

    /** Returns whether a page was used since the last call, and clears this mark. */
    boolean wasTouched(int page) {
        boolean wasTouched = isTouched[page];
        isTouched[page] = false;
        return wasTouched;
    }

    /** Evicts a page; stores it if it has changed. */
    void evict(int page) {
        if (isChanged[page] && (positionOf[page] != 0 || !Arrays.equals(pages[page], zeros))) {
            positionOf[page] = cache.store(positionOf[page], pages[page]);
        }
        pages[page] = null;
        held--;
    }

    int pageBytes() {
        return zeros.length * Long.BYTES;
    }

    /** Releases all pages; none may be used afterwards. */
    void release() {
        cache.release(this);
        pages = new long[0][];
        held = 0;
    }

    /** Returns the bytes in memory. */
    long byteSize() {
        return (long) held * pageBytes() + BYTES_OF_ENTRY * pages.length;
    }
}
