package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.VIA;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.cycle.CycleRule.Base;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the shortest cycle in a component that fulfils a rule, and others beside it that are about as short. */
final class ShortestCycle {

    /*
     * Every cycle of a rule has an edge of the rule's first kind. From the target of each such edge a breadth-first search
     * looks for the way back to its source, over halves
     *
     *   half = node * halvesPerNode + state
     *
     * where the state is what the rest of the cycle still depends on: whether the last edge was rw, whether another rw has
     * been seen, whether the order has, whether the second rw is still to come. Edges from helpers cost nothing, so each
     * distance has a queue of its own, which grows while it is worked off. Searches stop where no shorter cycle can come.
     *
     * The first half of a way may meet the source before everything required has been seen. What then closes is no simple
     * cycle but contains one of a graver rule, so it is passed over here.
     *
     * In a large component many anomalies can lie that have nothing to do with each other. So once the shortest cycle is
     * known, each edge that no cycle touches yet may show another one that is hardly longer, for a quarter as many steps.
     * With an order among the edges nearly everybody is about as near to everybody else, so the shortest must do.
     */

    private static final int NOT_FOUND = Integer.MAX_VALUE;
    private static final int LAST_RW = 1;
    private static final int SEEN_RW = 2;
    private static final int SEEN_ORDER = 4;
    private static final int SECOND_DUE = 8;
    private static final int CLOCK_MASK = 0xFFF;

    /** Part of the steps that may be spent on further cycles. */
    private static final int SHARE_FOR_OTHERS = 4;

    /** How much longer than the shortest one the cycles beside it may be. */
    private static final int LONGER = 1;

    private final TypedGraph graph;
    private final CycleRule rule;
    private final Budget budget;
    private final long mostSteps;
    private long steps;

    private final int states;
    private final int[] stateBits; // compact state -> bits
    private final int[] stateOfBits;
    private final int[] reachedOf; // by half: the search that reached it last
    private final int[] distanceOf;
    private final int[] cameFromOf; // by half: the half before, or its complement where the search began
    private final byte[] cameByOf;
    private int search;
    private boolean isClosed; // an edge from the distance that is worked off closed a cycle
    private IntColumn current = new IntColumn();
    private IntColumn next = new IntColumn();

    private int[] foundNodes; // what the search from one edge found
    private byte[] foundKinds;
    private int shortest = NOT_FOUND;
    private boolean isExhausted;
    private final List<int[]> cycles = new ArrayList<>();
    private final List<byte[]> kindsOf = new ArrayList<>();

    ShortestCycle(TypedGraph graph, CycleRule rule, Budget budget, long mostSteps) {
        this.graph = graph;
        this.rule = rule;
        this.budget = budget;
        this.mostSteps = mostSteps;
        int used = (rule.base.isApart ? LAST_RW | SEEN_RW : 0)
                | (rule.required != 0 ? SEEN_ORDER : 0)
                | (rule.base.isInARow ? SECOND_DUE : 0);
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
        int halves = Math.multiplyExact(graph.nodeCount, states);
        reachedOf = new int[halves];
        distanceOf = new int[halves];
        cameFromOf = new int[halves];
        cameByOf = new byte[halves];
    }

    /** Whether the search for the shortest cycle came to its end by itself. */
    boolean isExhausted() {
        return isExhausted;
    }

    /** How many cycles were found, the shortest one first. */
    int count() {
        return cycles.size();
    }

    /** Transactions of a cycle, as nodes of the graph. */
    int[] nodes(int cycle) {
        return cycles.get(cycle);
    }

    /** By position in a cycle: the kind of edge that leads on to the next one. */
    byte[] kinds(int cycle) {
        return kindsOf.get(cycle);
    }

    void run() {
        findShortest();
        isExhausted = steps < mostSteps;
        if (rule.required == 0 && !cycles.isEmpty() && graph.firstHelper > shortest) {
            steps = mostSteps - mostSteps / SHARE_FOR_OTHERS;
            findOthers();
        }
    }

    private void findShortest() {
        int[] bestNodes = null;
        byte[] bestKinds = null;
        for (int pass = 0; pass < 2 && steps < mostSteps && shortest > rule.shortest(); pass++) {
            // Edges against the order of rows first: nearly every cycle has one.
            for (int source = 0; source < graph.firstHelper && shortest > rule.shortest(); source++) {
                for (int edge = graph.firstEdgeOf[source]; edge < graph.firstEdgeOf[source + 1]; edge++) {
                    boolean isDue = graph.targetOf[edge] < source == (pass == 0);
                    if (isDue
                            && graph.kindOf[edge] == rule.base.first
                            && steps < mostSteps
                            && searchFrom(source, graph.targetOf[edge], shortest - 1)) {
                        bestNodes = foundNodes;
                        bestKinds = foundKinds;
                        shortest = foundNodes.length;
                    }
                }
            }
        }
        if (bestNodes != null) {
            cycles.add(bestNodes);
            kindsOf.add(bestKinds);
        }
    }

    private void findOthers() {
        boolean[] isOnCycle = new boolean[graph.nodeCount];
        for (int node : cycles.get(0)) {
            isOnCycle[node] = true;
        }
        for (int source = 0; source < graph.firstHelper && steps < mostSteps; source++) {
            for (int edge = graph.firstEdgeOf[source]; edge < graph.firstEdgeOf[source + 1]; edge++) {
                int target = graph.targetOf[edge];
                if (graph.kindOf[edge] == rule.base.first
                        && !(isOnCycle[source] && isOnCycle[target])
                        && steps < mostSteps
                        && searchFrom(source, target, shortest + LONGER)) {
                    cycles.add(foundNodes);
                    kindsOf.add(foundKinds);
                    for (int node : foundNodes) {
                        isOnCycle[node] = true;
                    }
                }
            }
        }
    }

    /** Looks for the shortest cycle that begins with an edge and has no more than so many. */
    private boolean searchFrom(int source, int target, int longest) {
        search++;
        isClosed = false;
        int most = longest - 1; // edges that the way back may have
        Base base = rule.base;
        int bits = (base.isApart ? LAST_RW : 0) | (base.isInARow ? SECOND_DUE : 0);
        int start = half(target, bits);
        reachedOf[start] = search;
        distanceOf[start] = 0;
        cameFromOf[start] = -1;
        current.clear();
        current.add(start);
        for (int distance = 0; current.size() > 0 && distance <= most; distance++) {
            next.clear();
            for (int i = 0; i < current.size(); i++) {
                int half = current.get(i);
                if (distanceOf[half] == distance && expand(half, distance, source, most)) {
                    return true;
                }
                if (steps >= mostSteps) {
                    return isClosed;
                }
            }
            if (isClosed) { // not before: a helper of this distance might have closed a shorter one
                return true;
            }
            IntColumn done = current;
            current = next;
            next = done;
        }
        return false;
    }

    /** Goes on from a half; true if that closed a cycle than which no shorter one can come. */
    private boolean expand(int half, int distance, int source, int most) {
        int node = half / states;
        int bits = stateBits[half % states];
        for (int edge = graph.firstEdgeOf[node]; edge < graph.firstEdgeOf[node + 1]; edge++) {
            if ((++steps & CLOCK_MASK) == 0 && budget.isSpent()) {
                steps = Math.max(steps, mostSteps);
            }
            int kind = graph.kindOf[edge];
            int after = follow(bits, kind);
            if (after < 0 || kind != VIA && distance == most) {
                continue;
            }
            int to = graph.targetOf[edge];
            int target = half(to, after);
            int length = kind == VIA ? distance : distance + 1;
            if (reachedOf[target] == search && distanceOf[target] <= length) {
                continue;
            }
            reachedOf[target] = search;
            distanceOf[target] = length;
            cameFromOf[target] = half;
            cameByOf[target] = (byte) kind;
            if (to == source && closes(after)) {
                boolean isTaken = (kind == VIA || !isClosed) && takeIfSimple(source, target);
                isClosed |= isTaken;
                if (isTaken && kind == VIA) {
                    return true;
                }
                continue;
            }
            (kind == VIA ? current : next).add(target);
        }
        return false;
    }

    private int half(int node, int bits) {
        return node * states + stateOfBits[bits];
    }

    /** The state after an edge, or -1 if the rule has no use for it. */
    private int follow(int bits, int kind) {
        if (kind == VIA) {
            return bits;
        }
        if ((bits & SECOND_DUE) != 0) {
            return kind == RW ? bits & ~SECOND_DUE : -1;
        }
        if ((kind & (rule.base.allowed | rule.orders)) == 0) {
            return -1;
        }
        int after = bits;
        if (rule.base.isApart) {
            if (kind == RW) {
                if ((bits & LAST_RW) != 0) {
                    return -1;
                }
                after |= LAST_RW | SEEN_RW;
            } else {
                after &= ~LAST_RW;
            }
        }
        return kind == rule.required ? after | SEEN_ORDER : after;
    }

    private boolean closes(int bits) {
        boolean isApart = !rule.base.isApart || (bits & LAST_RW) == 0 && (bits & SEEN_RW) != 0;
        return isApart && (rule.required == 0 || (bits & SEEN_ORDER) != 0) && (bits & SECOND_DUE) == 0;
    }

    /** Takes the way that ends at a half of the source, unless it meets a transaction twice. */
    private boolean takeIfSimple(int source, int last) {
        int length = 0;
        for (int half = last; half != -1; half = cameFromOf[half]) {
            length++;
        }
        int[] way = new int[length];
        for (int half = last, i = length - 1; i >= 0; half = cameFromOf[half], i--) {
            way[i] = half;
        }
        int[] nodes = new int[length + 1];
        byte[] kinds = new byte[length + 1];
        int count = 0;
        nodes[count] = source;
        kinds[count++] = (byte) rule.base.first;
        for (int i = 0; i < length - 1; i++) {
            int node = way[i] / states;
            if (!graph.isHelper(node)) { // what leaves a helper is of the kind that led there
                nodes[count] = node;
                kinds[count++] = cameByOf[way[i + 1]];
            }
        }
        if (meetsTwice(nodes, count)) {
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
