package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;

/** What the sessions of an application do. */
public interface ClientWorkload {

    /** The keys that programs work on. */
    Keys keys();

    /** Draws the next transaction of a session. */
    Program next(int session, SeededRandom random);
}
