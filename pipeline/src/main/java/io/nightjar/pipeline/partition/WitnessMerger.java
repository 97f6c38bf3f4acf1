package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.List;

/** Joins the witnesses of components into one of the whole history. */
public final class WitnessMerger {

    /*
     * Components share only cut sessions and are connected like a tree, and every witness respects session order, so
     * the union of their orders and session order has no cycle: a path that leaves a component through a session
     * returns through the same session. Any topological order of the union satisfies the level, since visibility and
     * conflicts are matters of single keys.
     *
     * Nodes are points in time. If every witness is serial, a transaction is one point. Otherwise it is two:
     *
     *   2 txn      its snapshot
     *   2 txn + 1  its commit
     *
     * Edges are only those between neighbors in each witness, in each session and in each transaction.
     */

    private final ClientHistory whole;
    private final boolean isSerial;
    private final int nodeCount;

    private final DigraphBuilder edges;

    private WitnessMerger(ClientHistory whole, boolean isSerial) {
        this.whole = whole;
        this.isSerial = isSerial;
        nodeCount = isSerial ? whole.txnCount : 2 * whole.txnCount;
        edges = DigraphBuilder.plain(nodeCount);
    }

    /**
     * @param components all of the whole history
     * @param witnesses one for each component; the result is serial if all of them are
     */
    public static CommitOrder merge(ClientHistory whole, List<Component> components, List<CommitOrder> witnesses) {
        boolean isSerial = true;
        for (CommitOrder witness : witnesses) {
            isSerial &= isSerial(witness);
        }
        WitnessMerger merger = new WitnessMerger(whole, isSerial);
        merger.addSessions();
        for (int i = 0; i < components.size(); i++) {
            merger.addWitness(components.get(i), witnesses.get(i));
        }
        return merger.sort();
    }

    private void addSessions() {
        for (int txn = 0; txn < whole.txnCount; txn++) {
            boolean hasSuccessor = txn + 1 < whole.txnCount && whole.sessionOf[txn + 1] == whole.sessionOf[txn];
            if (!isSerial) {
                edges.add(2 * txn, 2 * txn + 1);
            }
            if (hasSuccessor) {
                edges.add(isSerial ? txn : 2 * txn + 1, isSerial ? txn + 1 : 2 * txn + 2);
            }
        }
    }

    private void addWitness(Component component, CommitOrder witness) {
        int[] points = isSerial ? serialOrder(witness) : order(witness);
        int before = -1;
        for (int point : points) {
            int node = isSerial ? component.wholeTxnOf[point] : 2 * component.wholeTxnOf[point >> 1] + (point & 1);
            if (before >= 0) {
                edges.add(before, node);
            }
            before = node;
        }
    }

    private CommitOrder sort() {
        int[] order = edges.build().topologicalOrder();
        if (order == null) {
            throw new AssertionError("bug: the witnesses of the components contradict each other: points=" + nodeCount);
        }
        return asWitness(order);
    }

    private CommitOrder asWitness(int[] order) {
        int[] positionOf = new int[nodeCount];
        for (int position = 0; position < nodeCount; position++) {
            positionOf[order[position]] = position;
        }
        if (isSerial) {
            return CommitOrder.serial(positionOf);
        }
        int[] snapshotOf = new int[whole.txnCount];
        int[] commitOf = new int[whole.txnCount];
        for (int txn = 0; txn < whole.txnCount; txn++) {
            snapshotOf[txn] = positionOf[2 * txn];
            commitOf[txn] = positionOf[2 * txn + 1];
        }
        return new CommitOrder(snapshotOf, commitOf);
    }

    // ---------------------------------------------------------------- witnesses as sequences

    private static boolean isSerial(CommitOrder witness) {
        return witness.snapshotOf == witness.commitOf;
    }

    private static int[] serialOrder(CommitOrder witness) {
        int count = witness.commitOf.length;
        long[] positions = new long[count];
        int[] txns = new int[count];
        for (int txn = 0; txn < count; txn++) {
            positions[txn] = witness.commitOf[txn];
            txns[txn] = txn;
        }
        RadixSort.sort(positions, txns, count);
        return txns;
    }

    /** Snapshots and commits in their order; at one position the snapshot, which does not see the commit, comes first. */
    private static int[] order(CommitOrder witness) {
        int count = 2 * witness.commitOf.length;
        long[] positions = new long[count];
        int[] points = new int[count];
        for (int point = 0; point < count; point += 2) {
            positions[point] = 2L * witness.snapshotOf[point >> 1];
            positions[point + 1] = 2L * witness.commitOf[point >> 1] + 1;
            points[point] = point;
            points[point + 1] = point + 1;
        }
        RadixSort.sort(positions, points, count);
        return points;
    }
}
