package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.VIA;

import java.util.Arrays;

/** The strongly connected components of a part of a graph, without components of a single node. */
final class Components {

    /*
     * Tarjan's algorithm with explicit stacks. If rw edges are kept apart, every node has two halves:
     *
     *   2 * node        entered by another edge than rw
     *   2 * node + 1    entered by rw: no rw leaves it
     *
     * The components are then exactly the subgraphs that contain cycles without neighboring rw edges. Both halves of a
     * node may be in different components: the node then belongs to both.
     */

    private static final int UNSEEN = 0;

    private final DependencySubgraph graph;
    private final int kinds;
    private final boolean keepApart;
    private int[] members = new int[16];
    private int memberCount;
    private int[] firstOf = new int[4];
    private int count;

    private final int[] orderOf; // by half: when it was reached, from 1
    private final int[] lowOf; // the smallest order that is known to be reachable; the largest int once it is settled
    private final int[] cursorOf;
    private final int[] open; // halves that belong to no component yet
    private final int[] path;
    private int openSize;
    private int reached;

    private Components(DependencySubgraph graph, int kinds, boolean keepApart) {
        this.graph = graph;
        this.kinds = kinds | VIA;
        this.keepApart = keepApart;
        int halves = keepApart ? 2 * graph.nodeCount : graph.nodeCount;
        orderOf = new int[halves];
        lowOf = new int[halves];
        cursorOf = new int[halves];
        open = new int[halves];
        path = new int[halves];
    }

    static Components of(DependencySubgraph graph, int kinds, boolean keepApart) {
        Components components = new Components(graph, kinds, keepApart);
        for (int half = 0; half < components.orderOf.length; half++) {
            if (components.orderOf[half] == UNSEEN) {
                components.walk(half);
            }
        }
        components.firstOf[components.count] = components.memberCount;
        return components;
    }

    int count() {
        return count;
    }

    /** The nodes of a component, ascending. */
    int[] nodes(int component) {
        return Arrays.copyOfRange(members, firstOf[component], firstOf[component + 1]);
    }

    private int nodeOf(int half) {
        return keepApart ? half >> 1 : half;
    }

    /** Returns the target of an edge, or -1 if it must not be followed. */
    private int follow(int half, int edge) {
        int kind = graph.kindOf[edge];
        int target = graph.targetOf[edge];
        if ((kind & kinds) == 0) {
            return -1;
        }
        if (!keepApart) {
            return target;
        }
        if (kind == VIA) {
            return 2 * target + (half & 1);
        }
        if (kind == RW) {
            return (half & 1) != 0 ? -1 : 2 * target + 1;
        }
        return 2 * target;
    }

    private void walk(int root) {
        int depth = 0;
        enter(root);
        path[depth++] = root;
        while (depth > 0) {
            int half = path[depth - 1];
            int node = nodeOf(half);
            if (cursorOf[half] < graph.firstEdgeOf[node + 1]) {
                int target = follow(half, cursorOf[half]++);
                if (target < 0) {
                    continue;
                }
                if (orderOf[target] == UNSEEN) {
                    enter(target);
                    path[depth++] = target;
                } else {
                    lowOf[half] =
                            Math.min(lowOf[half], lowOf[target] == Integer.MAX_VALUE ? lowOf[half] : orderOf[target]);
                }
                continue;
            }
            depth--;
            if (lowOf[half] == orderOf[half]) {
                settle(half);
            } else if (depth > 0) {
                lowOf[path[depth - 1]] = Math.min(lowOf[path[depth - 1]], lowOf[half]);
            }
        }
    }

    private void enter(int half) {
        orderOf[half] = ++reached;
        lowOf[half] = reached;
        cursorOf[half] = graph.firstEdgeOf[nodeOf(half)];
        open[openSize++] = half;
    }

    private void settle(int root) {
        int first = openSize;
        do {
            first--;
            lowOf[open[first]] = Integer.MAX_VALUE;
        } while (open[first] != root);
        if (openSize - first > 1) {
            Arrays.sort(open, first, openSize);
            if (count + 2 > firstOf.length) {
                firstOf = Arrays.copyOf(firstOf, 2 * firstOf.length);
            }
            firstOf[count++] = memberCount;
            if (memberCount + openSize - first > members.length) {
                members = Arrays.copyOf(members, Math.max(memberCount + openSize - first, 2 * memberCount));
            }
            int previous = -1;
            for (int i = first; i < openSize; i++) {
                int node = nodeOf(open[i]);
                if (node != previous) {
                    members[memberCount++] = node;
                }
                previous = node;
            }
        }
        openSize = first;
    }
}
