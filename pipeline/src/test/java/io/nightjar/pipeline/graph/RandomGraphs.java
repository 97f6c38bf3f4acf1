package io.nightjar.pipeline.graph;

import io.nightjar.datasets.random.SeededRandom;

/** Small random graphs with kinds and labels, and who reaches whom in them, worked out naively. */
final class RandomGraphs {

    static final int COUNT = 3_000;
    static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);

    private RandomGraphs() {}

    static Digraph of(long seed) {
        SeededRandom random = new SeededRandom(seed);
        int vertexCount = 1 + random.below(9);
        int edgeCount = random.below(2 * vertexCount + 3);
        DigraphBuilder builder = DigraphBuilder.withKindsAndLabels(vertexCount);
        for (int edge = 0; edge < edgeCount; edge++) {
            builder.add(random.below(vertexCount), random.below(vertexCount), 1 << random.below(3), edge);
        }
        return builder.build();
    }

    /** A set of kinds that depends on the seed. */
    static int kinds(long seed) {
        return 1 + (int) (seed % 7);
    }

    /** {@code distances[from][to]}: edges on a shortest path of at least one edge; 0 if there is none. */
    static int[][] distances(Digraph graph, int kinds) {
        int count = graph.vertexCount;
        int[][] distances = new int[count][count];
        for (int length = 1; length <= count; length++) {
            for (int tail = 0; tail < count; tail++) {
                for (int edge = graph.firstEdgeOf[tail]; edge < graph.firstEdgeOf[tail + 1]; edge++) {
                    for (int from = 0; graph.allows(edge, kinds) && from < count; from++) {
                        boolean continues = length == 1 ? from == tail : distances[from][tail] == length - 1;
                        if (continues && distances[from][graph.headOf[edge]] == 0) {
                            distances[from][graph.headOf[edge]] = length;
                        }
                    }
                }
            }
        }
        return distances;
    }

    static String text(Digraph graph) {
        StringBuilder text = new StringBuilder();
        for (int tail = 0; tail < graph.vertexCount; tail++) {
            for (int edge = graph.firstEdgeOf[tail]; edge < graph.firstEdgeOf[tail + 1]; edge++) {
                text.append(tail).append(" -").append(graph.kindsOf[edge]).append("-> ");
                text.append(graph.headOf[edge]).append('\n');
            }
        }
        return text.toString();
    }
}
