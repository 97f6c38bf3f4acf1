package io.nightjar.pipeline.verify;

/** Precedence relation of a few nodes, closed under transitivity. */
final class BeforeMatrix {

    private final int nodeCount;
    private final int wordsOfRow;
    private final long[] words; // bit j of row i: i comes before j

    BeforeMatrix(int nodeCount) {
        this(nodeCount, new long[Math.multiplyExact(nodeCount, (nodeCount + 63) >>> 6)]);
    }

    private BeforeMatrix(int nodeCount, long[] words) {
        this.nodeCount = nodeCount;
        this.wordsOfRow = (nodeCount + 63) >>> 6;
        this.words = words;
    }

    BeforeMatrix copy() {
        return new BeforeMatrix(nodeCount, words.clone());
    }

    boolean has(int from, int to) {
        return (words[from * wordsOfRow + (to >>> 6)] >>> to & 1) != 0;
    }

    boolean isCyclic() {
        for (int node = 0; node < nodeCount; node++) {
            if (has(node, node)) {
                return true;
            }
        }
        return false;
    }

    /** Adds an edge and all that follows from it; false if it was known. */
    boolean add(int from, int to) {
        if (has(from, to)) {
            return false;
        }
        for (int node = 0; node < nodeCount; node++) {
            if (node == from || has(node, from)) {
                int row = node * wordsOfRow;
                int rowOfTo = to * wordsOfRow;
                for (int word = 0; word < wordsOfRow; word++) {
                    words[row + word] |= words[rowOfTo + word];
                }
                words[row + (to >>> 6)] |= 1L << to;
            }
        }
        return true;
    }
}
