package io.nightjar.datasets.store;

/** Chooses among several answers; a seeded random number generator is one. */
@FunctionalInterface
public interface Chooser {

    /** A number from 0 to {@code bound - 1}. */
    int below(int bound);
}
