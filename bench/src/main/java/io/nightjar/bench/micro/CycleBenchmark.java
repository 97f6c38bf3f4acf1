package io.nightjar.bench.micro;

import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.graph.ShortestPath;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Shortest cycles in a graph that mostly goes forward, as dependencies do: one edge back, far from most of its nodes.
 */
public class CycleBenchmark extends KernelBenchmark {

    private static final int EDGES_OF_TXN = 4;
    private static final int FARTHEST = 50;
    private static final int SEARCHES = 8;

    @Param("1000000")
    public int transactions;

    private Digraph graph;

    @Setup(Level.Trial)
    public void generate() {
        DigraphBuilder builder = DigraphBuilder.plain(transactions);
        for (int txn = 0; txn + 1 < transactions; txn++) {
            builder.add(txn, txn + 1);
            for (int edge = 1; edge < EDGES_OF_TXN; edge++) {
                builder.add(txn, Math.min(transactions - 1, txn + 1 + (txn * 31 + edge * 17) % FARTHEST));
            }
        }
        builder.add(transactions - 1, 0);
        graph = builder.build();
    }

    @Benchmark
    public int searchCycles() {
        ShortestPath search = new ShortestPath(graph);
        int edges = 0;
        for (int i = 0; i < SEARCHES; i++) {
            int start = i * (transactions / SEARCHES);
            int[] cycle = search.find(start, start, Digraph.ALL_KINDS);
            if (cycle.length < transactions / FARTHEST) {
                throw new IllegalStateException("too short to be a cycle: edges=" + cycle.length);
            }
            edges += cycle.length;
        }
        return edges;
    }
}
