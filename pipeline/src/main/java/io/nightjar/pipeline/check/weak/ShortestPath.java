package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Shortest paths between transactions, where a step forward in a session counts as one regardless of its distance. */
final class ShortestPath {

    /*
     * Algorithm. Breadth-first search along the edges of a graph and along sessions. From a transaction all later
     * transactions of its session are one step away; those after an earlier entry into the session have been visited
     * already, so each transaction is entered once.
     *
     * Cost. Linear in transactions and edges.
     */

    /** Marks a step forward in a session instead of an edge. */
    static final int SESSION = -1;

    static final int NO_TXN = -1;

    private final ClientHistory history;
    private final Digraph graph;

    /** Searches stay among transactions with the same number; null if they may go anywhere. */
    private final int @Nullable [] regionOf;

    private final int[] seenIn;
    private final int[] edgeInto;
    private final int[] cameFrom;
    private final int[] queue;

    /**
     * By session: the search for which enteredAt is valid, the first transaction from which the search went forward.
     */
    private final int[] enteredIn;

    private final int[] enteredAt;

    private int search;
    private long steps;
    private int[] txns = new int[0];
    private int[] edges = new int[0];

    ShortestPath(ClientHistory history, Digraph graph, int @Nullable [] regionOf) {
        this.history = history;
        this.graph = graph;
        this.regionOf = regionOf;
        this.seenIn = new int[history.txnCount];
        this.edgeInto = new int[history.txnCount];
        this.cameFrom = new int[history.txnCount];
        this.queue = new int[history.txnCount];
        this.enteredIn = new int[history.sessionCount];
        this.enteredAt = new int[history.sessionCount];
    }

    /** Returns the transactions of the path found last, including both ends. */
    int[] txns() {
        return txns;
    }

    /** Returns the step after each of {@link #txns} except the last: an edge of the graph, or {@link #SESSION}. */
    int[] edges() {
        return edges;
    }

    /** Returns the number of steps so far. */
    long steps() {
        return steps;
    }

    /**
     * Searches from a transaction until a goal is reached; the path can be requested afterwards.
     *
     * @param kinds kinds of edges to follow, in addition to sessions
     * @param maxLength maximum number of steps of a path
     * @param isGoal called once for each transaction reached, and for the first one whenever it is reached again
     * @return {@link #NO_TXN} if no goal is reached
     */
    int find(int from, int kinds, int maxLength, IntPredicate isGoal) {
        search++;
        seenIn[from] = search;
        queue[0] = from;
        int queued = 1;
        int endOfLayer = 1;
        int length = 1;
        for (int next = 0; next < queued && length <= maxLength; next++) {
            int tail = queue[next];
            int session = history.sessionOf[tail];
            int last = enteredIn[session] == search ? enteredAt[session] : history.firstTxnOf[session + 1] - 1;
            if (enteredIn[session] != search || tail < last) {
                enteredIn[session] = search;
                enteredAt[session] = tail;
            }
            for (int head = tail + 1; head <= last && isInRegion(head, from); head++) {
                steps++;
                if (enter(head, tail, SESSION, from, isGoal)) {
                    return end(from, head, tail, SESSION, length);
                }
                queued = enqueue(head, queued);
            }
            for (int edge = graph.firstEdgeOf[tail]; edge < graph.firstEdgeOf[tail + 1]; edge++) {
                steps++;
                int head = graph.headOf[edge];
                if (graph.allows(edge, kinds) && isInRegion(head, from)) {
                    if (enter(head, tail, edge, from, isGoal)) {
                        return end(from, head, tail, edge, length);
                    }
                    queued = enqueue(head, queued);
                }
            }
            if (next + 1 == endOfLayer) {
                endOfLayer = queued;
                length++;
            }
        }
        return NO_TXN;
    }

    private boolean isInRegion(int txn, int from) {
        return regionOf == null || regionOf[txn] == regionOf[from];
    }

    /** Returns whether the search is at its goal. */
    private boolean enter(int head, int tail, int edge, int from, IntPredicate isGoal) {
        if (head == from) {
            return isGoal.test(head);
        }
        if (seenIn[head] == search) {
            return false;
        }
        cameFrom[head] = tail;
        edgeInto[head] = edge;
        return isGoal.test(head);
    }

    private int enqueue(int head, int queued) {
        if (seenIn[head] == search) {
            return queued;
        }
        seenIn[head] = search;
        queue[queued] = head;
        return queued + 1;
    }

    private int end(int from, int goal, int lastTail, int lastEdge, int length) {
        txns = new int[length + 1];
        edges = new int[length];
        txns[length] = goal;
        edges[length - 1] = lastEdge;
        int txn = lastTail;
        for (int i = length - 1; i > 0; i--) {
            txns[i] = txn;
            edges[i - 1] = edgeInto[txn];
            txn = cameFrom[txn];
        }
        txns[0] = from;
        return goal;
    }

    /**
     * Finds a short cycle through one of the given transactions.
     *
     * @param maxSteps after this number of steps, the shortest cycle found so far is used
     * @return whether a cycle was found
     */
    boolean findCycle(int[] starts, int kinds, long maxSteps) {
        long lastStep = steps + maxSteps;
        int[] bestTxns = null;
        int[] bestEdges = null;
        int limit = history.txnCount;
        int[] candidates = starts;
        while (candidates.length > 0) { // first those given, then those on the best cycle so far, while that helps
            int before = limit;
            for (int start : candidates) {
                if (limit > 0
                        && (bestTxns == null || steps < lastStep)
                        && find(start, kinds, limit, txn -> txn == start) == start) {
                    bestTxns = txns;
                    bestEdges = edges;
                    limit = edges.length - 1;
                }
            }
            candidates = limit < before && bestTxns != null ? Arrays.copyOf(bestTxns, bestTxns.length - 1) : new int[0];
        }
        if (bestTxns == null || bestEdges == null) {
            return false;
        }
        txns = bestTxns;
        edges = bestEdges;
        return true;
    }
}
