package io.nightjar.pipeline.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DigraphTest {

    @Test
    void edgesAreGroupedByTailInTheOrderAdded() {
        DigraphBuilder builder = DigraphBuilder.withKindsAndLabels(4);
        builder.add(2, 0, 1, 10);
        builder.add(0, 3, 2, 11);
        builder.add(2, 1, 4, 12);
        builder.add(0, 3, 1, 13);

        Digraph graph = builder.build();

        assertThat(graph.edgeCount).isEqualTo(4);
        assertThat(graph.firstEdgeOf).containsExactly(0, 2, 2, 4, 4);
        assertThat(graph.headOf).containsExactly(3, 3, 0, 1);
        assertThat(graph.kindsOf).containsExactly(2, 1, 1, 4);
        assertThat(graph.labelOf).containsExactly(11, 13, 10, 12);
    }

    @Test
    void aGraphMayHaveNoVertices() {
        Digraph graph = DigraphBuilder.plain(0).build();

        assertThat(graph.edgeCount).isZero();
        assertThat(CyclicCore.of(graph)).isEmpty();
        assertThat(graph.topologicalOrder()).isEmpty();
    }

    @Test
    void everyEdgeKnowsItsTail() {
        for (long seed = RandomGraphs.FIRST_SEED; seed < RandomGraphs.FIRST_SEED + RandomGraphs.COUNT; seed++) {
            Digraph graph = RandomGraphs.of(seed);
            for (int tail = 0; tail < graph.vertexCount; tail++) {
                for (int edge = graph.firstEdgeOf[tail]; edge < graph.firstEdgeOf[tail + 1]; edge++) {
                    assertThat(graph.tailOf(edge))
                            .as("seed=%d edge=%d", seed, edge)
                            .isEqualTo(tail);
                }
            }
        }
    }

    @Test
    void topologicalOrderKeepsEveryEdge() {
        for (long seed = RandomGraphs.FIRST_SEED; seed < RandomGraphs.FIRST_SEED + RandomGraphs.COUNT; seed++) {
            Digraph graph = RandomGraphs.of(seed);
            int[][] distances = RandomGraphs.distances(graph, Digraph.ALL_KINDS);
            int[] order = graph.topologicalOrder();

            boolean isAcyclic =
                    IntStream.range(0, graph.vertexCount).allMatch(vertex -> distances[vertex][vertex] == 0);
            assertThat(order != null).as("seed=%d", seed).isEqualTo(isAcyclic);
            for (int later = 0; order != null && later < order.length; later++) {
                for (int earlier = 0; earlier < later; earlier++) {
                    assertThat(distances[order[later]][order[earlier]])
                            .as("seed=%d", seed)
                            .isZero();
                }
            }
        }
    }

    @Test
    void partKeepsEdgesBetweenItsVertices() {
        for (long seed = RandomGraphs.FIRST_SEED; seed < RandomGraphs.FIRST_SEED + RandomGraphs.COUNT; seed++) {
            Digraph graph = RandomGraphs.of(seed);
            int kinds = RandomGraphs.kinds(seed);
            int leftOut = (int) (seed % 3);
            int[] vertices = IntStream.range(0, graph.vertexCount)
                    .filter(vertex -> vertex % 3 != leftOut)
                    .toArray();
            Digraph part = graph.subgraph(vertices, kinds, new int[graph.vertexCount]);

            List<String> expected = texts(graph, kinds, vertex -> vertex).stream()
                    .filter(edge -> Arrays.stream(edge.split(" "))
                            .limit(2)
                            .allMatch(vertex -> Integer.parseInt(vertex) % 3 != leftOut))
                    .toList();
            assertThat(texts(part, Digraph.ALL_KINDS, vertex -> vertices[vertex]))
                    .as("seed=%d", seed)
                    .isEqualTo(expected);
        }
    }

    private static List<String> texts(Digraph graph, int kinds, IntUnaryOperator name) {
        return IntStream.range(0, graph.edgeCount)
                .filter(edge -> graph.allows(edge, kinds))
                .mapToObj(edge -> name.applyAsInt(graph.tailOf(edge)) + " " + name.applyAsInt(graph.headOf[edge]) + " "
                        + graph.kindsOf[edge])
                .toList();
    }

    @Test
    void pathsHaveNoAdjacentEdgesOfSeparatedKinds() {
        DigraphBuilder builder = DigraphBuilder.withKinds(4);
        builder.add(0, 1, 1);
        builder.add(1, 2, 2);
        builder.add(2, 3, 1);
        builder.add(2, 3, 4);
        builder.add(3, 0, 1);
        Digraph halves = builder.build().keptApart(7, 1, 2);
        ShortestPath search = new ShortestPath(halves);

        assertThat(search.find(0, 4 + 2, 7))
                .as("a neutral edge does not part them")
                .hasSize(2);
        assertThat(search.find(4 + 2, 4 + 3, 7)).isEmpty();
        assertThat(Arrays.stream(search.find(4 + 2, 4, 7)).map(edge -> halves.labelOf[edge]))
                .as("edges of the graph by which another kind parts them")
                .containsExactly(3, 4);
    }

    @Test
    void aGraphWithoutKindsAllowsEveryEdge() {
        DigraphBuilder builder = DigraphBuilder.plain(2);
        builder.add(0, 1);

        assertThat(builder.build().allows(0, 1)).isTrue();
    }
}
