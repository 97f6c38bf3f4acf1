package io.nightjar.pipeline.check.commitorder;

import java.util.Arrays;

/** Edges between nodes that do not follow from the chains, in the order in which they were found, each with its reason. */
final class ForcedEdges {

    /*
     * Invariant. An edge is derived from earlier edges, never from later ones, so following reasons back terminates.
     */

    /** Read from, by a transaction of another chain. */
    static final byte READ_FROM = 0;
    /** {@code because} read the key from {@code to} and had seen {@code from}, which wrote it too. */
    static final byte OVERWRITTEN = 1;
    /**
     * The transaction {@code from} read the write of {@code because} (or the initial state), and {@code to} overwrote
     * it.
     */
    static final byte OVERWRITES = 2;
    /** Both write the key, and the snapshot of {@code from} comes before the commit of {@code to}. */
    static final byte NO_OVERLAP = 3;
    /** The order of versions was given. */
    static final byte VERSION_ORDER = 4;
    /** Both are of one session, but not of one chain. */
    static final byte SESSION_ORDER = 5;
    /** Guessed. */
    static final byte DECISION = 6;
    /** The opposite of a guess that failed; {@code because} is the number of the flip reason. */
    static final byte FLIPPED = 7;

    /** Guessed of a reader and a writer or of two halves; the opposite is the reversed edge. */
    static final byte READ_DECISION = 8;

    /*
     * Definitions. Rules of CandidateDerivation. `because` is the observation, and `key` the version of the candidate
     * left, negative for the initial state, or NONE if several are left.
     */
    /** Only {@code from} can have been read. */
    static final byte ONLY_CANDIDATE = 9;
    /** Only {@code to} can have been read, and {@code from} had been seen. */
    static final byte BEFORE_CANDIDATE = 10;
    /** Only one candidate can have been read, and {@code to} overwrote it. */
    static final byte AFTER_CANDIDATE = 11;
    /** Comes before all candidates. */
    static final byte BEFORE_CANDIDATES = 12;
    /** Comes after all candidates. */
    static final byte AFTER_CANDIDATES = 13;

    /** Of a sum, which the writer among {@code from} and {@code to} would make too small or too large otherwise. */
    static final byte SUM = 14;

    static final int NONE = -1;

    private static final int FIRST_CAPACITY = 64;

    int size;
    int[] from = new int[FIRST_CAPACITY];
    int[] to = new int[FIRST_CAPACITY];
    byte[] rule = new byte[FIRST_CAPACITY];
    int[] key = new int[FIRST_CAPACITY];

    /** A slot, {@code ChainedHistory.INITIAL} or {@link #NONE}. */
    int[] because = new int[FIRST_CAPACITY];

    int add(int fromNode, int toNode, byte byRule, int ofKey, int becauseOf) {
        if (size == from.length) {
            grow(Math.addExact(size, size >> 1));
        }
        from[size] = fromNode;
        to[size] = toNode;
        rule[size] = byRule;
        key[size] = ofKey;
        because[size] = becauseOf;
        return size++;
    }

    void expect(int count) {
        if (count > from.length) {
            grow(count);
        }
    }

    private void grow(int capacity) {
        from = Arrays.copyOf(from, capacity);
        to = Arrays.copyOf(to, capacity);
        rule = Arrays.copyOf(rule, capacity);
        key = Arrays.copyOf(key, capacity);
        because = Arrays.copyOf(because, capacity);
    }
}
