package io.nightjar.pipeline.validate;

import java.io.Serializable;

/** Result of a {@link ValidationPart}, or of several. */
public final class PartAnswer implements Serializable {

    private static final long serialVersionUID = 1;

    private boolean isInDoubt;
    private final SessionLint sessions;

    PartAnswer(boolean isInDoubt, SessionLint sessions) {
        this.isInDoubt = isInDoubt;
        this.sessions = sessions;
    }

    /** Makes the answer of no part at all. */
    public static PartAnswer ofNothing() {
        return new PartAnswer(false, new SessionLint());
    }

    /** Adds the results of other parts, in any order. */
    public void merge(PartAnswer others) {
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
