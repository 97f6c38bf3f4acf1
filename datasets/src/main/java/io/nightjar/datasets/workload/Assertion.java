package io.nightjar.datasets.workload;

import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A statement of an application that is true when all its transactions have ended.
 *
 * @param name short, as reports name it
 * @param meaning a sentence for people
 */
public record Assertion(String name, String meaning, Predicate<FinalState> holds) {

    /** A condition on each of many objects. */
    @FunctionalInterface
    interface Each {
        boolean holds(FinalState state, int number);
    }

    /** Returns an assertion that is true if it is true of all indices from 0 to {@code count - 1}. */
    static Assertion ofEach(String name, String meaning, int count, Each each) {
        return new Assertion(
                name, meaning, state -> IntStream.range(0, count).allMatch(number -> each.holds(state, number)));
    }
}
