package io.nightjar.pipeline.validate;

import io.nightjar.pipeline.primitive.Mix;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Partitioning of ids into hash classes, one per pass, used when the data of all ids exceeds memory. */
final class HashPasses {

    /*
     * A class is the set of ids whose hash ends in given bits. The first class contains all ids. If a class exceeds
     * memory during a pass, it is split: the pass continues with one half, and the other half waits for a later pass.
     * So the number of passes follows from the memory, and the size need not be known beforehand.
     */

    private record HashClass(long suffix, int bits) {}

    private final Deque<HashClass> waiting = new ArrayDeque<>();
    private long suffix;
    private long mask;
    private int bits;

    static long hash(long id) {
        return Mix.hash(id);
    }

    boolean isEverything() {
        return mask == 0;
    }

    /** Returns the share of all ids in the class, from 0 to 1. */
    double share() {
        return 1.0 / (1L << bits);
    }

    boolean holds(long id) {
        return mask == 0 || holdsHash(hash(id));
    }

    boolean holdsHash(long hash) {
        return (hash & mask) == suffix;
    }

    void split() {
        if (bits == Long.SIZE - 1) {
            throw new AssertionError("bug: ids of one hash do not fit");
        }
        waiting.push(new HashClass(suffix | 1L << bits, bits + 1));
        bits++;
        mask = (1L << bits) - 1;
    }

    /**
     * Limits every class to one partition of the given number of bits: the waiting classes and, before its pass has
     * started, the current class.
     */
    void refine(int partitionBits, boolean isBegun) {
        List<HashClass> large = new ArrayList<>(waiting);
        waiting.clear();
        for (HashClass each : large) {
            addRefined(each, partitionBits);
        }
        if (!isBegun && bits < partitionBits) {
            Deque<HashClass> others = new ArrayDeque<>(waiting);
            waiting.clear();
            addRefined(new HashClass(suffix, bits), partitionBits);
            waiting.addAll(others);
            next();
        }
    }

    private void addRefined(HashClass large, int partitionBits) {
        int more = Math.max(0, partitionBits - large.bits);
        for (long high = 0; high < 1L << more; high++) {
            waiting.add(new HashClass(large.suffix | high << large.bits, large.bits + more));
        }
    }

    /** Returns whether the current class overlaps the ids whose hash ends in the given bits. */
    boolean meets(long partitionSuffix, int partitionBits) {
        long common = mask & ((1L << partitionBits) - 1);
        return (partitionSuffix & common) == (suffix & common);
    }

    /** Moves to the next class. Returns false if none remains. */
    boolean next() {
        HashClass next = waiting.poll();
        if (next == null) {
            return false;
        }
        suffix = next.suffix;
        bits = next.bits;
        mask = (1L << bits) - 1;
        return true;
    }
}
