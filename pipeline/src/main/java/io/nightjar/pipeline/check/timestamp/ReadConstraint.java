package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.LongSet;

/** What one statement about places demands of the unknown transactions that it names. */
abstract class ReadConstraint {

    /** The transactions that it names, by ordinal in {@link UnknownStates}. */
    final IntArrayList vars = new IntArrayList();

    /** Whether it is to be looked at again. */
    boolean isPending;

    /** Settles whatever follows from what is settled, at the end of the round. */
    abstract void propagate();

    /** Whether every read is explained when all OPEN ones are left out. */
    abstract boolean isExplained();

    /** Tells of the reads that are not: the OPEN ones that could explain them. */
    abstract void addCandidates(IntSet to);

    /** The OPEN ones that could explain a read which a transaction would leave unexplained. */
    abstract void addRescuers(int var, IntSet to);

    /** Writers without a place that could explain reads which are not explained. */
    abstract void addUnplaced(LongSet to);
}
