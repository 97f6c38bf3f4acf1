package io.nightjar.pipeline.check.cycle;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/** The edges of a component that go against its likely order and are on some cycle that was found. */
final class ExplainedBackEdges {

    private final FewBackEdgesOrder order;
    private final LongOpenHashSet edges = new LongOpenHashSet();

    ExplainedBackEdges(FewBackEdgesOrder order) {
        this.order = order;
    }

    boolean has(int source, int target) {
        return edges.contains(pair(source, target));
    }

    void add(int source, int target) {
        edges.add(pair(source, target));
    }

    /** Records the edges of a cycle; edges through helper nodes represent others and are not recorded. */
    void addCycle(int[] cycle) {
        for (int i = 0; i < cycle.length; i++) {
            int target = cycle[i + 1 == cycle.length ? 0 : i + 1];
            if (order.isBackward(cycle[i], target)) {
                add(cycle[i], target);
            }
        }
    }

    private static long pair(int source, int target) {
        return (long) source << 32 | target;
    }
}
