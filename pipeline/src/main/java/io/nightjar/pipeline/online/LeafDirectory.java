package io.nightjar.pipeline.online;

import java.util.Arrays;

/** The leaves of a long sequence: blocks of one size, in the order of their rows. */
final class LeafDirectory {

    /*
     * Of each leaf of versions the least start of its rows is known, so that a search for those that were open at some time
     * passes over leaves, and the time of each leaf's first row, so that finding a leaf reads the directory only.
     */

    static final long BYTES_OF_LEAF = 24;

    private final RowBlocks rows;
    private final int leafRows;
    private int[] blockOf = new int[8];
    private int[] countOf = new int[8];
    private long[] firstAtOf = new long[8];
    private long[] leastStartOf = new long[8];
    private int leafCount;

    LeafDirectory(RowBlocks rows, int leafRows) {
        this.rows = rows;
        this.leafRows = leafRows;
    }

    /** Becomes the directory of one block. */
    void begin(int block, int count) {
        leafCount = 1;
        blockOf[0] = block;
        countOf[0] = count;
        firstAtOf[0] = rows.at(block);
        leastStartOf[0] = rows.leastStart(block, count);
    }

    int leafCount() {
        return leafCount;
    }

    /** How many leaves there is room for. */
    int capacity() {
        return blockOf.length;
    }

    int block(int leaf) {
        return blockOf[leaf];
    }

    int count(int leaf) {
        return countOf[leaf];
    }

    // ---------------------------------------------------------------- searching

    /** The last leaf whose first row is before, else the first leaf. */
    int find(long at, int rowClass, long id) {
        int low = leafCount - 1;
        if (isBefore(low, at, rowClass, id)) {
            return low; // nearly everything arrives late in its sequence
        }
        int high = low - 1;
        for (int step = 1; low > 0 && !isBefore(low, at, rowClass, id); step *= 2) {
            high = low - 1;
            low = Math.max(0, low - step);
        }
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (isBefore(middle, at, rowClass, id)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private boolean isBefore(int leaf, long at, int rowClass, long id) {
        long first = firstAtOf[leaf];
        return first < at || first == at && rows.isBefore(blockOf[leaf], at, rowClass, id);
    }

    /** The first leaf from one on with a row that may have started before a time, or as many as there are. */
    int openBefore(int from, long time) {
        int leaf = from;
        while (leaf < leafCount && leastStartOf[leaf] >= time) {
            leaf++;
        }
        return leaf;
    }

    // ---------------------------------------------------------------- adding

    boolean isFull(int leaf) {
        return countOf[leaf] == leafRows;
    }

    void insert(int leaf, int in, long at, long meta, long value, long start) {
        rows.insert(blockOf[leaf], countOf[leaf], in, at, meta, value, start);
        countOf[leaf]++;
        if (in == 0) {
            firstAtOf[leaf] = at;
        }
        leastStartOf[leaf] = Math.min(leastStartOf[leaf], start);
    }

    /** Puts the rows of a leaf from one on into a new leaf behind it. */
    void split(int leaf, int from) {
        if (leafCount == blockOf.length) {
            blockOf = Arrays.copyOf(blockOf, leafCount * 2);
            countOf = Arrays.copyOf(countOf, leafCount * 2);
            firstAtOf = Arrays.copyOf(firstAtOf, leafCount * 2);
            leastStartOf = Arrays.copyOf(leastStartOf, leafCount * 2);
        }
        move(leaf + 1, leaf + 2, leafCount - leaf - 1);
        int block = rows.allocate(leafRows);
        int moved = countOf[leaf] - from;
        rows.copy(blockOf[leaf] + from, block, moved);
        blockOf[leaf + 1] = block;
        countOf[leaf + 1] = moved;
        firstAtOf[leaf + 1] = moved == 0 ? Long.MAX_VALUE : rows.at(block);
        leastStartOf[leaf + 1] = rows.leastStart(block, moved);
        countOf[leaf] = from;
        leastStartOf[leaf] = rows.leastStart(blockOf[leaf], from);
        leafCount++;
    }

    private void move(int from, int to, int count) {
        System.arraycopy(blockOf, from, blockOf, to, count);
        System.arraycopy(countOf, from, countOf, to, count);
        System.arraycopy(firstAtOf, from, firstAtOf, to, count);
        System.arraycopy(leastStartOf, from, leastStartOf, to, count);
    }

    // ---------------------------------------------------------------- removing

    /** Removes the given number of leaves from the front; their rows have been released. */
    void removeFirst(int count) {
        for (int leaf = 0; leaf < count; leaf++) {
            rows.free(blockOf[leaf], leafRows);
        }
        leafCount -= count;
        move(count, 0, leafCount);
    }

    /** Removes the given number of rows from the front of the first leaf; they have been released. */
    void shift(int by) {
        countOf[0] -= by;
        rows.shift(blockOf[0], by, countOf[0]);
        firstAtOf[0] = rows.at(blockOf[0]);
    }
}
