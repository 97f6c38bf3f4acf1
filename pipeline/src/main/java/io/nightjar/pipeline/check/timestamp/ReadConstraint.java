package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.LongSet;

/** Constraint of one statement about positions on the unknown transactions that it names. */
abstract class ReadConstraint {

    /** The transactions that it names, by ordinal in {@link UnknownStates}. */
    final IntArrayList vars = new IntArrayList();

    /** Whether it needs to be propagated again. */
    boolean isPending;

    /** Applies the consequences of the resolved transactions at the end of the round. */
    abstract void propagate();

    /** Returns whether every read is explained if all OPEN transactions are OUT. */
    abstract boolean isExplained();

    /** Adds the OPEN transactions that could explain the unexplained reads. */
    abstract void addCandidates(IntSet to);

    /** Adds the OPEN ones that could explain a read which a transaction would leave unexplained. */
    abstract void addRescuers(int var, IntSet to);

    /** Writers without a position that could explain reads which are not explained. */
    abstract void addUnplaced(LongSet to);
}
