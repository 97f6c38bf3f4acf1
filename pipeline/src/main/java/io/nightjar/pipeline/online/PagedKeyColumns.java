package io.nightjar.pipeline.online;

import java.util.Arrays;

/** A few longs for each key, zero where none was set. */
final class PagedKeyColumns {

    /*
     * Keys are numbered as they appear, so that those that were used at one time lie together, and leave memory together:
     *
     *   pages[key >> PAGE_BITS][(key & PAGE_MASK) * width + number]   null if it has zeros only, or lies elsewhere
     *   placeOf[page]                                                 where that is, plus one; 0 if it was never there
     *
     * A page may leave whenever another one is asked for, so callers must not hold on to one.
     */

    private static final int PAGE_BITS = 5;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final long BYTES_OF_ENTRY = 18;

    private final KeyPageCache cache;
    private final int width;
    private final long[] zeros;
    private long[][] pages = new long[4][];
    private long[] placeOf = new long[4];
    private boolean[] isTouched = new boolean[4];
    private boolean[] isChanged = new boolean[4];
    private int held;

    /** @param width how many longs a key has */
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
            if (placeOf[page] == 0) {
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
            if (value == 0 && placeOf[page] == 0) {
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
        placeOf = Arrays.copyOf(placeOf, capacity);
        isTouched = Arrays.copyOf(isTouched, capacity);
        isChanged = Arrays.copyOf(isChanged, capacity);
    }

    private long[] load(int page) {
        cache.ensureCapacity(pageBytes());
        long[] numbers = new long[zeros.length];
        if (placeOf[page] != 0) {
            cache.load(placeOf[page], numbers);
        }
        cache.admit(this, page);
        pages[page] = numbers;
        isChanged[page] = false;
        held++;
        return numbers;
    }

    // ---------------------------------------------------------------- memory

    /** Whether a page was asked for since this was asked last. */
    boolean wasTouched(int page) {
        boolean wasTouched = isTouched[page];
        isTouched[page] = false;
        return wasTouched;
    }

    /** A page leaves memory. */
    void evict(int page) {
        if (isChanged[page] && (placeOf[page] != 0 || !Arrays.equals(pages[page], zeros))) {
            placeOf[page] = cache.store(placeOf[page], pages[page]);
        }
        pages[page] = null;
        held--;
    }

    int pageBytes() {
        return zeros.length * Long.BYTES;
    }

    /** Releases all pages; none may be asked for afterwards. */
    void release() {
        cache.letGo(this);
        pages = new long[0][];
        held = 0;
    }

    /** Bytes in memory. */
    long byteSize() {
        return (long) held * pageBytes() + BYTES_OF_ENTRY * pages.length;
    }
}
