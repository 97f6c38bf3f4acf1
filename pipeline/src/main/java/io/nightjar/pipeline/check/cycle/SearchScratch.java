package io.nightjar.pipeline.check.cycle;

import java.util.Arrays;

/** Arrays that searches for cycles share one after another, so that a small search need not clear large ones. */
final class SearchScratch {

    /** By half: the number of the search that reached it last. */
    int[] reachedOf = {};

    /** By half that the search reached: edges from its start. */
    int[] distanceOf = {};

    /** By half that the search reached: the half before, or -1 where it began. */
    int[] cameFromOf = {};

    /** By half that the search reached: the kind of the edge that led there. */
    byte[] cameByOf = {};

    int[] current = new int[64];
    int[] next = new int[64];
    private int searches;

    /** Begins a search over the given number of halves; returns its number. */
    int begin(int halves) {
        if (reachedOf.length < halves) {
            int capacity = Math.max(halves, 2 * Math.min(reachedOf.length, 1 << 29));
            reachedOf = new int[capacity];
            distanceOf = new int[capacity];
            cameFromOf = new int[capacity];
            cameByOf = new byte[capacity];
        }
        if (++searches == Integer.MAX_VALUE) {
            Arrays.fill(reachedOf, 0);
            searches = 1;
        }
        return searches;
    }

    /** Exchanges the two queues. */
    void swap() {
        int[] done = current;
        current = next;
        next = done;
    }
}
