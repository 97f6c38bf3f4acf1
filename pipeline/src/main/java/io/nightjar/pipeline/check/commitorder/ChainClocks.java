package io.nightjar.pipeline.check.commitorder;

/** A clock row for each node of a graph: how many leading nodes of each chain come before it. */
final class ChainClocks {

    /*
     * Layout. Rows of `width` ints, a power of two of them in each block:
     *
     *   row of node v  =  blockOf(v)[baseOf(v)] .. blockOf(v)[baseOf(v) + width]
     */

    private static final int INTS_IN_BLOCK = 1 << 20;
    private static final int BYTES_IN_INT = 4;

    final int width;
    private final int rowShift;
    private final int rowMask;
    private final int[][] blocks;

    ChainClocks(int nodes, int width) {
        this.width = width;
        int rowsInBlock = Math.max(1, Integer.highestOneBit(Math.max(1, INTS_IN_BLOCK / Math.max(1, width))));
        this.rowShift = Integer.numberOfTrailingZeros(rowsInBlock);
        this.rowMask = rowsInBlock - 1;
        this.blocks = new int[(nodes + rowMask) >>> rowShift][];
        for (int block = 0; block < blocks.length; block++) {
            int rows = Math.min(rowsInBlock, nodes - (block << rowShift));
            blocks[block] = new int[rows * width];
        }
    }

    static long byteSize(long nodes, long width) {
        return nodes * width * BYTES_IN_INT;
    }

    int[] blockOf(int node) {
        return blocks[node >>> rowShift];
    }

    int baseOf(int node) {
        return (node & rowMask) * width;
    }

    int get(int node, int chain) {
        return blocks[node >>> rowShift][(node & rowMask) * width + chain];
    }

    void set(int node, int chain, int count) {
        blocks[node >>> rowShift][(node & rowMask) * width + chain] = count;
    }

    /** Returns the sum of a row: how many nodes come before. */
    int rank(int node) {
        int[] block = blockOf(node);
        int base = baseOf(node);
        int sum = 0;
        for (int chain = 0; chain < width; chain++) {
            sum += block[base + chain];
        }
        return sum;
    }
}
