package io.nightjar.pipeline.online;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where the rows of each sequence are: two ints each, in pages that are there while any of their sequences has rows. */
final class SequenceHeads {

    /*
     *   head(sequence)   a number that belongs to the caller
     *   form(sequence)   EMPTY, or another one
     *
     *   pages[sequence >> PAGE_BITS][2 * (sequence & PAGE_MASK) ..]   both; null where all are empty
     */

    static final int EMPTY = 0;

    private static final int PAGE_BITS = 8;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final long BYTES_OF_PAGE = 8L << PAGE_BITS;
    private static final long BYTES_OF_ENTRY = 12;

    private int[][] pages = new int[4][];
    private int[] filledOf = new int[4]; // by page, how many are not empty
    private int pageCount; // that are there
    private int @Nullable [] spare; // a page of empty ones, or null

    void letGo() {
        pages = new int[0][];
        pageCount = 0;
    }

    long byteSize() {
        return BYTES_OF_PAGE * pageCount + BYTES_OF_ENTRY * pages.length;
    }

    boolean isEmpty(int sequence) {
        int page = sequence >>> PAGE_BITS;
        return page >= pages.length || pages[page] == null || form(sequence) == EMPTY;
    }

    /** Returns the head of a sequence that is not empty, or was asked to be there. */
    int head(int sequence) {
        return pages[sequence >>> PAGE_BITS][2 * (sequence & PAGE_MASK)];
    }

    /** Returns the form of a sequence that is not empty, or was asked to be there. */
    int form(int sequence) {
        return pages[sequence >>> PAGE_BITS][2 * (sequence & PAGE_MASK) + 1];
    }

    /** Sets head and form of a sequence that is not empty, or was asked to be there. */
    void set(int sequence, int head, int form) {
        int page = sequence >>> PAGE_BITS;
        int at = 2 * (sequence & PAGE_MASK);
        filledOf[page] += pages[page][at + 1] == EMPTY ? 1 : 0;
        pages[page][at] = head;
        pages[page][at + 1] = form;
    }

    void empty(int sequence) {
        int page = sequence >>> PAGE_BITS;
        pages[page][2 * (sequence & PAGE_MASK) + 1] = EMPTY;
        if (--filledOf[page] == 0) {
            spare = pages[page];
            pages[page] = null;
            pageCount--;
        }
    }

    /** A sequence is there from now on, if only as an empty one. */
    void ensure(int sequence) {
        int page = sequence >>> PAGE_BITS;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
            filledOf = Arrays.copyOf(filledOf, pages.length);
        }
        if (pages[page] == null) {
            pages[page] = spare == null ? new int[2 << PAGE_BITS] : spare;
            spare = null;
            pageCount++;
        }
    }
}
