package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.VIA;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.CycleRule.Base;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the shortest cycle of a rule through an edge of the rule's first kind. */
final class ShortestCycleOfRule {

    /*
     * Definitions. A half is a node with a state, which records the facts that the rest of the cycle depends on:
     * whether the last edge was rw, whether another rw occurred, or two in a row, and whether an order edge occurred.
     *
     * Layout. half = node * halvesPerNode + state
     *
     * Algorithm. A breadth-first search over halves finds the path from the target of the edge back to its source.
     * Edges from helpers cost nothing, so each distance has a separate queue, which grows while it is processed. A path
     * may visit a transaction twice before it has all required edges. The closed walk is then no simple cycle but
     * contains a shorter cycle of this rule or of a stronger anomaly, so it is skipped here.
     */

    private static final int LAST_RW = 1;
    private static final int SEEN_RW = 2;
    private static final int SEEN_ORDER = 4;
    private static final int SEEN_ROW = 8;
    private static final int CLOCK_MASK = 0xFFF;

    private final DependencySubgraph graph;
    private final CycleRule rule;
    private final Budget budget;
    private final SearchScratch scratch;

    private final int states;
    private final int[] stateBits; // compact state -> bits
    private final int[] stateOfBits;

    private int @Nullable [] rankOf; // by node; null if a search may go anywhere
    private int minRank;
    private int maxRank;
    private long steps;
    private int search;
    private int currentSize;
    private int nextSize;
    private boolean isClosed; // an edge from the distance that is worked off closed a cycle
    private boolean hasPassedOver;
    private int[] foundNodes = new int[0];
    private byte[] foundKinds = new byte[0];

    ShortestCycleOfRule(DependencySubgraph graph, CycleRule rule, Budget budget, SearchScratch scratch) {
        this.graph = graph;
        this.rule = rule;
        this.budget = budget;
        this.scratch = scratch;
        int used = (rule.base.isApart ? LAST_RW | SEEN_RW : 0)
                | (rule.required != 0 ? SEEN_ORDER : 0)
                | (rule.base.isInARow ? LAST_RW | SEEN_ROW : 0);
        states = 1 << Integer.bitCount(used);
        stateBits = new int[states];
        stateOfBits = new int[16];
        int state = 0;
        for (int bits = 0; bits < 16; bits++) {
            if ((bits & ~used) == 0) {
                stateOfBits[bits] = state;
                stateBits[state++] = bits;
            }
        }
        Math.multiplyExact(graph.nodeOf.length, states);
    }

    /** Returns the number of edges visited by all searches so far, or the maximum value once the budget is spent. */
    long steps() {
        return steps;
    }

    /**
     * Returns whether some search closed a path that visits a transaction twice, which may have hidden a simple one.
     */
    boolean hasPassedOver() {
        return hasPassedOver;
    }

    /** Returns the transactions of the cycle found last, as nodes of the graph. */
    int[] nodes() {
        return foundNodes;
    }

    /** Returns, by position in the cycle found last, the kind of edge to the next position. */
    byte[] kinds() {
        return foundKinds;
    }

    /**
     * Searches all nodes until all searches have visited the given number of edges; returns whether a cycle was found.
     */
    boolean through(int source, int target, int maxLength, long maxSteps) {
        rankOf = null;
        return search(source, target, maxLength, maxSteps);
    }

    /** Searches for a path only among the nodes between the two in an order that the edge goes against. */
    boolean throughBackward(int source, int target, int maxLength, long maxSteps, int[] rankOf) {
        this.rankOf = rankOf;
        minRank = rankOf[target];
        maxRank = rankOf[source];
        return search(source, target, maxLength, maxSteps);
    }

    private boolean search(int source, int target, int maxLength, long maxSteps) {
        search = scratch.begin(graph.nodeOf.length * states);
        isClosed = false;
        int maxBack = maxLength - 1; // maximum number of edges of the path back
        int start = half(target, rule.base.first == RW ? stateAfterMiss() : 0);
        scratch.reachedOf[start] = search;
        scratch.distanceOf[start] = 0;
        scratch.cameFromOf[start] = -1;
        currentSize = 0;
        nextSize = 0;
        addToCurrent(start);
        for (int distance = 0; currentSize > 0 && distance <= maxBack; distance++) {
            nextSize = 0;
            for (int i = 0; i < currentSize; i++) {
                int half = scratch.current[i];
                if (scratch.distanceOf[half] == distance && expand(half, distance, source, maxBack)) {
                    return true;
                }
                if (steps >= maxSteps) {
                    return isClosed;
                }
            }
            if (isClosed) { // not before: a helper of this distance might have closed a shorter one
                return true;
            }
            scratch.swap();
            currentSize = nextSize;
        }
        return false;
    }

    private int stateAfterMiss() {
        return rule.base.isApart || rule.base.isInARow ? LAST_RW : 0;
    }

    /** Expands a half; returns whether that closed a cycle and no shorter one is possible. */
    private boolean expand(int half, int distance, int source, int maxEdges) {
        int node = half / states;
        int bits = stateBits[half % states];
        int[] reachedOf = scratch.reachedOf;
        int[] distanceOf = scratch.distanceOf;
        for (int edge = graph.edges.firstEdgeOf[node]; edge < graph.edges.firstEdgeOf[node + 1]; edge++) {
            if ((++steps & CLOCK_MASK) == 0 && budget.isSpent()) {
                steps = Math.max(steps, Long.MAX_VALUE >> 1);
            }
            int to = graph.edges.headOf[edge];
            if (rankOf != null && (rankOf[to] > maxRank || rankOf[to] < minRank)) {
                continue;
            }
            int kind = graph.edges.kindsOf[edge];
            int after = follow(bits, kind);
            if (after < 0 || kind != VIA && distance == maxEdges) {
                continue;
            }
            int target = half(to, after);
            int length = kind == VIA ? distance : distance + 1;
            if (reachedOf[target] == search && distanceOf[target] <= length) {
                continue;
            }
            if (to == source && !closes(after)) {
                continue; // a path through the source is no simple cycle
            }
            reachedOf[target] = search;
            distanceOf[target] = length;
            scratch.cameFromOf[target] = half;
            scratch.cameByOf[target] = (byte) kind;
            if (to == source) {
                boolean isTaken = (kind == VIA || !isClosed) && takeIfSimple(source, target);
                isClosed |= isTaken;
                if (isTaken && kind == VIA) {
                    return true;
                }
                continue;
            }
            if (kind == VIA) {
                addToCurrent(target);
            } else {
                addToNext(target);
            }
        }
        return false;
    }

    private void addToCurrent(int half) {
        if (currentSize == scratch.current.length) {
            scratch.current = Arrays.copyOf(scratch.current, 2 * currentSize);
        }
        scratch.current[currentSize++] = half;
    }

    private void addToNext(int half) {
        if (nextSize == scratch.next.length) {
            scratch.next = Arrays.copyOf(scratch.next, 2 * nextSize);
        }
        scratch.next[nextSize++] = half;
    }

    private int half(int node, int bits) {
        return node * states + stateOfBits[bits];
    }

    /** Returns the state after an edge, or -1 if the rule has no use for it. */
    private int follow(int bits, int kind) {
        if (kind == VIA) {
            return bits;
        }
        Base base = rule.base;
        if ((kind & (base.allowed | rule.orders)) == 0) {
            return -1;
        }
        int after = bits;
        if (base.isApart) {
            if (kind == RW) {
                if ((bits & LAST_RW) != 0) {
                    return -1;
                }
                after |= LAST_RW | SEEN_RW;
            } else {
                after &= ~LAST_RW;
            }
        } else if (base.isInARow && (bits & SEEN_ROW) == 0) {
            if (kind != RW) {
                after &= ~LAST_RW;
            } else if ((bits & LAST_RW) != 0) {
                after = after & ~LAST_RW | SEEN_ROW;
            } else {
                after |= LAST_RW;
            }
        }
        return kind == rule.required ? after | SEEN_ORDER : after;
    }

    private boolean closes(int bits) {
        if (rule.required != 0 && (bits & SEEN_ORDER) == 0) {
            return false;
        }
        if (rule.base.isApart) {
            return (bits & LAST_RW) == 0 && (bits & SEEN_RW) != 0;
        }
        return !rule.base.isInARow || (bits & (SEEN_ROW | LAST_RW)) != 0; // the first edge is rw, and follows the last
    }

    /** Stores the path that ends at a half of the source, unless it visits a transaction twice. */
    private boolean takeIfSimple(int source, int last) {
        int length = 0;
        for (int half = last; half != -1; half = scratch.cameFromOf[half]) {
            length++;
        }
        int[] way = new int[length];
        for (int half = last, i = length - 1; i >= 0; half = scratch.cameFromOf[half], i--) {
            way[i] = half;
        }
        int[] nodes = new int[length + 1];
        byte[] kinds = new byte[length + 1];
        int count = 0;
        nodes[count] = source;
        kinds[count++] = (byte) rule.base.first;
        for (int i = 0; i < length - 1; i++) {
            int node = way[i] / states;
            if (!graph.isHelper(node)) { // edges leaving a helper have the kind of the edge that entered it
                nodes[count] = node;
                kinds[count++] = scratch.cameByOf[way[i + 1]];
            }
        }
        if (meetsTwice(nodes, count)) {
            hasPassedOver = true;
            return false;
        }
        foundNodes = Arrays.copyOf(nodes, count);
        foundKinds = Arrays.copyOf(kinds, count);
        return true;
    }

    private static boolean meetsTwice(int[] nodes, int count) {
        int[] sorted = Arrays.copyOf(nodes, count);
        Arrays.sort(sorted);
        for (int i = 1; i < count; i++) {
            if (sorted[i - 1] == sorted[i]) {
                return true;
            }
        }
        return false;
    }
}
