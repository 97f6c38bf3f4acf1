package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** What the sessions of an application do. */
public interface ClientWorkload {

    /** The keys that programs work on. */
    WorkloadKeys keys();

    /** Draws the next transaction of a session. */
    Program next(int session, SeededRandom random);

    /** Returns what is true at the end if transactions are serializable. */
    default List<Assertion> assertions() {
        return List.of();
    }

    /** Whether the assertions can be judged: not where the application has begun to write over what they would need. */
    default boolean isJudgeable(FinalState state) {
        return true;
    }
}
