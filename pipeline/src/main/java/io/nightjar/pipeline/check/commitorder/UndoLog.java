package io.nightjar.pipeline.check.commitorder;

import java.util.Arrays;

/** Log of overwritten cells and their previous contents, in order, for undoing. */
final class UndoLog {

    private static final int SEGMENT_BITS = 16;
    private static final int SEGMENT_SIZE = 1 << SEGMENT_BITS;
    private static final int SEGMENT_MASK = SEGMENT_SIZE - 1;

    private int[][] cells = new int[16][];
    private int[][] values = new int[16][];
    private int size;

    int size() {
        return size;
    }

    void push(int cell, int value) {
        int segment = size >>> SEGMENT_BITS;
        if (segment == cells.length) {
            cells = Arrays.copyOf(cells, 2 * segment);
            values = Arrays.copyOf(values, 2 * segment);
        }
        if (cells[segment] == null) {
            cells[segment] = new int[SEGMENT_SIZE];
            values[segment] = new int[SEGMENT_SIZE];
        }
        cells[segment][size & SEGMENT_MASK] = cell;
        values[segment][size & SEGMENT_MASK] = value;
        size = Math.addExact(size, 1);
    }

    int cell(int index) {
        return cells[index >>> SEGMENT_BITS][index & SEGMENT_MASK];
    }

    int value(int index) {
        return values[index >>> SEGMENT_BITS][index & SEGMENT_MASK];
    }

    void shrinkTo(int newSize) {
        size = newSize;
    }
}
