package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.level.Anomaly;

/**
 * An anomaly that needs no cycle to be seen, in ordinals of the log.
 *
 * @param txns the transactions, the one at fault first, then those it has to do with
 * @param op the operation in question, or {@link #NONE}
 * @param otherOp another one that it disagrees with, or {@link #NONE}
 * @param version the version in question, or {@link #NONE}
 */
public record DirectAnomaly(Anomaly anomaly, int key, int[] txns, int op, int otherOp, int version) {

    /** Whether a read does not show what its own transaction had written: no level allows that. */
    public boolean isOfOwnWrite() {
        return anomaly == Anomaly.INTERNAL && version == OWN;
    }

    /** Stands for the version of an internal read that misses an own write. */
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
