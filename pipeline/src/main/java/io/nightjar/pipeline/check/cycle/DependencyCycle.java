package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.level.Anomaly;

/** A cycle of dependencies: transactions of the log, each joined to the next one, the last to the first. */
public final class DependencyCycle {

    private final Anomaly anomaly;
    private final int[] txns;
    private final byte[] kinds;
    private final boolean isShortest;

    DependencyCycle(Anomaly anomaly, int[] txns, byte[] kinds, boolean isShortest) {
        this.anomaly = anomaly;
        this.txns = txns;
        this.kinds = kinds;
        this.isShortest = isShortest;
    }

    public Anomaly anomaly() {
        return anomaly;
    }

    public int length() {
        return txns.length;
    }

    public int txn(int position) {
        return txns[position];
    }

    /** Returns the transaction after a position of the cycle. */
    public int next(int position) {
        return txns[position + 1 == txns.length ? 0 : position + 1];
    }

    /** Returns the kind of edge to the next position, as in {@code DependencyGraph}. */
    public byte kind(int position) {
        return kinds[position];
    }

    /** Returns whether no shorter cycle of its anomaly lies in its component; false where the search was cut short. */
    public boolean isShortest() {
        return isShortest;
    }
}
