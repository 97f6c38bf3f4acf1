package io.nightjar.pipeline.validate;

import java.io.Serializable;

/** What a {@link ValidationPart}, or several of them, came to. */
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

    /** Adds what other parts came to, in any order. */
    public void merge(PartAnswer others) {
        isInDoubt |= others.isInDoubt;
        sessions.merge(others.sessions);
    }

    /** Whether there is a contradiction, or may be one. */
    public boolean isInDoubt() {
        return isInDoubt;
    }

    SessionLint sessions() {
        return sessions;
    }
}
