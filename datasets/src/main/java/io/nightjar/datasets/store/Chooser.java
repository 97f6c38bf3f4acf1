package io.nightjar.datasets.store;

import java.util.function.IntToLongFunction;

/** Chooses among several values; a seeded random number generator is one. */
@FunctionalInterface
public interface Chooser {

    /** Returns a number from 0 to {@code bound - 1}; where values have an order, the last one is the newest. */
    int below(int bound);

    /** Chooses one of several versions; {@link Store#INITIAL} may be among them. */
    default int below(int bound, IntToLongFunction versionOf) {
        return below(bound);
    }

    /**
     * Returns whether each number is as likely as any other, so that a value that is not allowed may be drawn again.
     */
    default boolean isUniform() {
        return true;
    }
}
