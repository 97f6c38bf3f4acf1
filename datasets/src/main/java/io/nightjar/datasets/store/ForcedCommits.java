package io.nightjar.datasets.store;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;

/** The partial order of committed transactions: by sessions and reads, and by edges that reads have forced. */
final class ForcedCommits {

    /*
     * Committed transactions are stored by session. before[s][i][r] is the number of transactions of session r that are
     * forced before the i-th of session s: as sessions are in order, that is all of them. causes holds the same for
     * sessions and reads alone. A new edge a -> b joins the row of a into the row of b, and into the rows of all
     * transactions that b precedes: in each session these are the last ones, and if one is unchanged, so are all after
     * it.
     *
     * A transaction that aborts takes its edges back: the rows are computed again from the remaining edges. So each
     * transaction records all its edges, including edges that another one has forced already.
     */

    private final CommittedTxns txns;
    private int[] count = {};
    private int[][][] before = {};
    private int[][][] causes = {};

    /** Forced edges of each open transaction: pairs of numbers. */
    private IntArrayList[] openEdges = {};

    /** Forced edges that stay. */
    private final IntArrayList edges = new IntArrayList();

    /** The edges of a read that has not been accepted yet. */
    private final IntArrayList trial = new IntArrayList();

    ForcedCommits(CommittedTxns txns) {
        this.txns = txns;
    }

    void grow(int from, int sessions) {
        count = Arrays.copyOf(count, sessions);
        before = Arrays.copyOf(before, sessions);
        causes = Arrays.copyOf(causes, sessions);
        openEdges = Arrays.copyOf(openEdges, sessions);
        for (int session = 0; session < from; session++) {
            VectorClocks.widen(before[session], count[session], sessions);
            VectorClocks.widen(causes[session], count[session], sessions);
        }
        for (int session = from; session < sessions; session++) {
            before[session] = new int[8][];
            causes[session] = new int[8][];
            openEdges[session] = new IntArrayList();
        }
    }

    /** Returns the clock row of the predecessors of a transaction by sessions and reads. */
    int[] causesOf(int session, int position) {
        return causes[session][position];
    }

    /** Returns the clock row of all that is before a transaction. */
    int[] beforeOf(int session, int position) {
        return before[session][position];
    }

    boolean isBefore(int first, int second) {
        return before[txns.sessionOf[second]][txns.positionOf[second]][txns.sessionOf[first]] > txns.positionOf[first];
    }

    // ---------------------------------------------------------------- a read that is tried

    void beginTrial() {
        trial.clear();
    }

    /** Records that a transaction is forced before another; returns false if it cannot be. */
    boolean force(int first, int second) {
        if (first == second) {
            return true;
        }
        if (second == AbstractNondeterministicStore.NONE || isBefore(second, first)) {
            return false;
        }
        if (causes[txns.sessionOf[second]][txns.positionOf[second]][txns.sessionOf[first]] <= txns.positionOf[first]) {
            trial.add(first);
            trial.add(second);
        }
        return true;
    }

    /** Returns whether several edges of the trial form a cycle together; none does alone. */
    boolean isCyclic() {
        int edgeCount = trial.size() / 2;
        if (edgeCount < 2) {
            return false;
        }
        boolean[] isGone = new boolean[edgeCount];
        int left = edgeCount;
        for (boolean goesOn = true; goesOn; ) {
            goesOn = false;
            for (int edge = 0; edge < edgeCount; edge++) {
                if (!isGone[edge] && !isFollowed(edge, isGone, edgeCount)) {
                    isGone[edge] = true;
                    left--;
                    goesOn = true;
                }
            }
        }
        return left > 0;
    }

    private boolean isFollowed(int edge, boolean[] isGone, int edgeCount) {
        int end = trial.getInt(2 * edge + 1);
        for (int next = 0; next < edgeCount; next++) {
            int start = trial.getInt(2 * next);
            if (!isGone[next] && (start == end || isBefore(end, start))) {
                return true;
            }
        }
        return false;
    }

    /** Accepts the edges of the trial, for a session's open transaction. */
    void acceptTrial(int session) {
        for (int edge = 0; edge < trial.size(); edge += 2) {
            openEdges[session].add(trial.getInt(edge));
            openEdges[session].add(trial.getInt(edge + 1));
            insert(trial.getInt(edge), trial.getInt(edge + 1));
        }
    }

    // ---------------------------------------------------------------- ends

    /**
     * Adds a committed transaction to a session, with the predecessors of its open transaction by sessions and reads.
     */
    void commit(int session, int[] openCauses, TxnBuffer txn) {
        int position = count[session]++;
        if (position == before[session].length) {
            before[session] = Arrays.copyOf(before[session], 2 * position);
            causes[session] = Arrays.copyOf(causes[session], 2 * position);
        }
        causes[session][position] = openCauses;
        int[] row = openCauses.clone();
        if (position > 0) {
            VectorClocks.join(row, before[session][position - 1]);
        }
        for (int read = 0; read < txn.readCount; read++) {
            int source = txn.readVersion[read];
            if (source != AbstractNondeterministicStore.NONE) {
                VectorClocks.join(row, before[txns.sessionOf[source]][txns.positionOf[source]]);
            }
        }
        before[session][position] = row;
        edges.addAll(openEdges[session]);
        openEdges[session].clear();
    }

    /** Removes the edges that a session's open transaction has forced. */
    void abort(int session) {
        if (!openEdges[session].isEmpty()) {
            openEdges[session].clear();
            makeRowsAgain();
        }
    }

    private void makeRowsAgain() {
        for (int session = 0; session < count.length; session++) {
            for (int position = 0; position < count[session]; position++) {
                System.arraycopy(causes[session][position], 0, before[session][position], 0, count.length);
            }
        }
        insertAll(edges);
        for (IntArrayList some : openEdges) {
            insertAll(some);
        }
    }

    private void insertAll(IntArrayList some) {
        for (int edge = 0; edge < some.size(); edge += 2) {
            insert(some.getInt(edge), some.getInt(edge + 1));
        }
    }

    private void insert(int first, int second) {
        if (isBefore(first, second)) {
            return;
        }
        int firstSession = txns.sessionOf[first];
        int[] addition = before[firstSession][txns.positionOf[first]].clone();
        addition[firstSession] = Math.max(addition[firstSession], txns.positionOf[first] + 1);
        int session = txns.sessionOf[second];
        int position = txns.positionOf[second];
        for (int other = 0; other < count.length; other++) {
            int next = other == session
                    ? position
                    : VectorClocks.firstThatKnows(before[other], count[other], session, position);
            while (next < count[other] && VectorClocks.join(before[other][next], addition)) {
                next++;
            }
        }
    }
}
