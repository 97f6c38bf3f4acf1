package io.nightjar.pipeline.check.frontier;

import io.nightjar.pipeline.primitive.Mix;
import java.util.Arrays;

/** Frontiers from which no order can be completed; exact, and bounded in memory. */
final class FailedFrontiers {

    /*
     * Layout. A hash table with open addressing and linear probing, at most half full, entries side by side:
     *
     *   words[slot * wordCount .. (slot + 1) * wordCount]     a frontier; all zero: free
     *
     * The frontier of all zeros, where nothing has happened, need not be distinguished from a free slot: once it has
     * failed, the search is over.
     *
     * Cost. When the next doubling would exceed the limit, no more frontiers are added; the search remains correct, and
     * may visit a frontier twice.
     */

    private static final int FIRST_SLOTS = 1 << 8;

    private final int wordCount;
    private final long byteLimit;
    private long[] words;
    private int slotMask;
    private int size;

    FailedFrontiers(int wordCount, long byteLimit) {
        this.wordCount = wordCount;
        this.byteLimit = byteLimit;
        words = new long[FIRST_SLOTS * wordCount];
        slotMask = FIRST_SLOTS - 1;
    }

    boolean contains(long[] frontier) {
        return !isFree(find(frontier));
    }

    void add(long[] frontier) {
        if (2 * size > slotMask && !grow()) {
            return;
        }
        int slot = find(frontier);
        if (isFree(slot)) {
            System.arraycopy(frontier, 0, words, slot * wordCount, wordCount);
            size++;
        }
    }

    private int find(long[] frontier) {
        long hash = 0;
        for (int word = 0; word < wordCount; word++) {
            hash = Mix.hash(hash, frontier[word]);
        }
        int slot = (int) hash & slotMask;
        while (!isFree(slot) && !isAt(slot, frontier)) {
            slot = slot + 1 & slotMask;
        }
        return slot;
    }

    private boolean isFree(int slot) {
        for (int i = slot * wordCount; i < (slot + 1) * wordCount; i++) {
            if (words[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isAt(int slot, long[] frontier) {
        int first = slot * wordCount;
        return Arrays.equals(words, first, first + wordCount, frontier, 0, wordCount);
    }

    private boolean grow() {
        long larger = 2L * words.length;
        if (larger > Integer.MAX_VALUE - 8 || 8 * larger > byteLimit) {
            return false;
        }
        long[] old = words;
        words = new long[(int) larger];
        slotMask = 2 * slotMask + 1;
        long[] frontier = new long[wordCount];
        for (int first = 0; first < old.length; first += wordCount) {
            System.arraycopy(old, first, frontier, 0, wordCount);
            int slot = find(frontier);
            System.arraycopy(frontier, 0, words, slot * wordCount, wordCount);
        }
        return true;
    }
}
