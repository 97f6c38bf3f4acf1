package io.nightjar.pipeline.validate;

import java.io.Serializable;

/** Result of a {@link ValidationPartition}, or of several. */
public final class PartitionAnswer implements Serializable {

    private static final long serialVersionUID = 1;

    private boolean isInDoubt;
    private final SessionLint sessions;

    PartitionAnswer(boolean isInDoubt, SessionLint sessions) {
        this.isInDoubt = isInDoubt;
        this.sessions = sessions;
    }

    /** Makes the answer of no partition at all. */
    public static PartitionAnswer ofNothing() {
        return new PartitionAnswer(false, new SessionLint());
    }

    /** Adds the results of other partitions, in any order. */
    public void merge(PartitionAnswer others) {
        isInDoubt |= others.isInDoubt;
        sessions.merge(others.sessions);
    }

    /** Returns whether a contradiction exists or may exist. */
    public boolean isInDoubt() {
        return isInDoubt;
    }

    SessionLint sessions() {
        return sessions;
    }
}
