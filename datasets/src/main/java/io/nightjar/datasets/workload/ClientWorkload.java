package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** The transactions of an application's sessions. */
public interface ClientWorkload {

    /** Returns the keys that programs work on. */
    WorkloadKeys keys();

    /** Draws the next transaction of a session. */
    Program next(int session, SeededRandom random);

    /** Returns the statements that are true at the end if transactions are serializable. */
    default List<Assertion> assertions() {
        return List.of();
    }

    /**
     * Returns whether the assertions can be evaluated: not if the application has begun to overwrite values that they
     * need.
     */
    default boolean isJudgeable(FinalState state) {
        return true;
    }

    /** Returns the assertions that do not hold. */
    default List<Assertion> broken(FinalState state) {
        return assertions().stream()
                .filter(assertion -> !assertion.holds().test(state))
                .toList();
    }
}
