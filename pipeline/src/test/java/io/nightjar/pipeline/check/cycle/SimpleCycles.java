package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.DependencyGraph;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** All simple cycles of a small history, one after another. */
final class SimpleCycles {

    private final ReferenceDependencies dependencies;
    private final Map<Anomaly, Integer> shortest = new EnumMap<>(Anomaly.class);
    private final byte[] kinds;
    private final boolean[] isOnPath;

    SimpleCycles(ReferenceDependencies dependencies) {
        this.dependencies = dependencies;
        kinds = new byte[dependencies.count];
        isOnPath = new boolean[dependencies.count];
    }

    /** The length of the shortest cycle of each anomaly. */
    Map<Anomaly, Integer> shortest() {
        for (int start = 0; start < dependencies.count; start++) {
            walk(start, start, 0);
        }
        return shortest;
    }

    private void walk(int start, int node, int length) {
        isOnPath[node] = true;
        for (int to = start; to < dependencies.count; to++) {
            if (to == start && length == 0 || to != start && isOnPath[to]) {
                continue;
            }
            step(dependencies.ww, DependencyGraph.WW, start, node, to, length);
            step(dependencies.wr, DependencyGraph.WR, start, node, to, length);
            step(dependencies.rw, DependencyGraph.RW, start, node, to, length);
            step(dependencies.so, DependencyGraph.SO, start, node, to, length);
            step(dependencies.rt, DependencyGraph.RT, start, node, to, length);
        }
        isOnPath[node] = false;
    }

    private void step(boolean[][] relation, byte kind, int start, int node, int to, int length) {
        if (!relation[node][to]) {
            return;
        }
        kinds[length] = kind;
        if (to != start) {
            walk(start, to, length + 1);
        } else {
            byte[] cycle = Arrays.copyOf(kinds, length + 1);
            shortest.merge(CycleRule.of(cycle).anomaly, cycle.length, Math::min);
        }
    }
}
