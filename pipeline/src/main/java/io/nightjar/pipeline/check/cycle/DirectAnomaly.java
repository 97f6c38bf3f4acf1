package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.level.Anomaly;

/**
 * An anomaly that is visible without a cycle, in ordinals of the log.
 *
 * @param txns the transactions, the faulty one first, then the others involved
 * @param op the operation in question, or {@link #NONE}
 * @param otherOp a second operation that contradicts it, or {@link #NONE}
 * @param version the version in question, or {@link #NONE}
 */
public record DirectAnomaly(Anomaly anomaly, int key, int[] txns, int op, int otherOp, int version) {

    /** Returns whether a read does not return its own transaction's write: no level allows that. */
    public boolean isOfOwnWrite() {
        return anomaly == Anomaly.INTERNAL && version == OWN;
    }

    /** Marks the version of an internal read that misses an own write. */
    static final int OWN = -2;

    public static final int NONE = -1;

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
