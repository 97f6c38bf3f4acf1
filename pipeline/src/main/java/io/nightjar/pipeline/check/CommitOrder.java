package io.nightjar.pipeline.check;

/**
 * A witness: positions of the snapshot and of the commit of each transaction of a history, in one order.
 *
 * <p>Positions are distinct within each array. At a level without snapshots (serializability) both arrays are the same.
 * A transaction observes exactly the writes with a commit position smaller than its snapshot position.
 */
public final class CommitOrder {

    public final int[] snapshotOf;
    public final int[] commitOf;

    public CommitOrder(int[] snapshotOf, int[] commitOf) {
        this.snapshotOf = snapshotOf;
        this.commitOf = commitOf;
    }

    /** Returns an order in which every transaction happens at one point. */
    public static CommitOrder serial(int[] positionOf) {
        return new CommitOrder(positionOf, positionOf);
    }
}
