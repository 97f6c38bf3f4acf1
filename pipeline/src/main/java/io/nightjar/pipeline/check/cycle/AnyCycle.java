package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.VIA;

import io.nightjar.pipeline.check.Budget;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Search for a short cycle of any type through a transaction or an edge. */
@SuppressWarnings("NullAway.Init") // fields are set by a method
final class AnyCycle {

    private static final int CLOCK_MASK = 0xFFF;

    private final DependencySubgraph graph;
    private final SearchScratch scratch;
    private int search;
    private int queueSize;
    private int[] foundNodes;
    private byte[] foundKinds;
    private long steps;

    AnyCycle(DependencySubgraph graph, SearchScratch scratch) {
        this.graph = graph;
        this.scratch = scratch;
    }

    /** Transactions of the cycle found last, as nodes of the graph. */
    int[] nodes() {
        return foundNodes;
    }

    /** By position in the cycle found last: the kind of edge to the next position. */
    byte[] kinds() {
        return foundKinds;
    }

    /** Returns the number of edges visited by all searches so far. */
    long steps() {
        return steps;
    }

    /** Returns whether a transaction lies on a cycle. */
    boolean through(int txn) {
        if (!reaches(txn, txn, null, Budget.unlimited())) {
            return false;
        }
        take(txn, txn, (byte) 0);
        return true;
    }

    /** Returns whether an edge from a transaction is on a cycle between its ends in an order that it goes against. */
    boolean throughBackward(int source, int edge, int[] rankOf, Budget budget) {
        if (!reaches(graph.targetOf[edge], source, rankOf, budget)) {
            return false;
        }
        take(graph.targetOf[edge], source, graph.kindOf[edge]);
        return true;
    }

    private boolean reaches(int start, int goal, int @Nullable [] rankOf, Budget budget) {
        search = scratch.begin(graph.nodeCount);
        queueSize = 0;
        scratch.cameFromOf[start] = -1;
        if (start != goal) {
            scratch.reachedOf[start] = search;
        }
        enqueue(start);
        for (int head = 0; head < queueSize; head++) {
            int node = scratch.current[head];
            for (int edge = graph.firstEdgeOf[node]; edge < graph.firstEdgeOf[node + 1]; edge++) {
                if ((++steps & CLOCK_MASK) == 0 && budget.isSpent()) {
                    return false;
                }
                int target = graph.targetOf[edge];
                boolean isOutside = rankOf != null && (rankOf[target] < rankOf[start] || rankOf[target] > rankOf[goal]);
                if (scratch.reachedOf[target] == search || isOutside) {
                    continue;
                }
                scratch.reachedOf[target] = search;
                scratch.cameFromOf[target] = node;
                scratch.cameByOf[target] = graph.kindOf[edge];
                if (target == goal) {
                    return true;
                }
                enqueue(target);
            }
        }
        return false;
    }

    private void enqueue(int node) {
        if (queueSize == scratch.current.length) {
            scratch.current = Arrays.copyOf(scratch.current, 2 * queueSize);
        }
        scratch.current[queueSize++] = node;
    }

    /**
     * Stores the path from a start to a goal, and the edge of a kind from the goal to the start unless they are equal.
     */
    private void take(int start, int goal, byte kind) {
        int length = start == goal ? 1 : 2;
        for (int node = scratch.cameFromOf[goal]; node != start; node = scratch.cameFromOf[node]) {
            length++;
        }
        int[] nodes = new int[length];
        byte[] kinds = new byte[length];
        int at = length;
        byte onward = scratch.cameByOf[goal];
        for (int node = scratch.cameFromOf[goal]; ; node = scratch.cameFromOf[node]) {
            if (!graph.isHelper(node)) {
                nodes[--at] = node;
                kinds[at] = onward;
            }
            if (node == start) {
                break;
            }
            onward = scratch.cameByOf[node] == VIA ? onward : scratch.cameByOf[node];
        }
        if (start != goal) {
            nodes[--at] = goal;
            kinds[at] = kind;
        }
        foundNodes = Arrays.copyOfRange(nodes, at, length);
        foundKinds = Arrays.copyOfRange(kinds, at, length);
    }
}
