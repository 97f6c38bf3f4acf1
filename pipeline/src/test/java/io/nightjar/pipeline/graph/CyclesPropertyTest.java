package io.nightjar.pipeline.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Peeling, components and shortest cycles agree with paths found naively, on thousands of random graphs. */
class CyclesPropertyTest {

    @Test
    void cyclicCoreHasTheVerticesThatCyclesReach() {
        forEachGraph((graph, kinds, anyDistances, name) -> {
            int[][] distances = RandomGraphs.distances(graph, Digraph.ALL_KINDS);
            int[] expected = IntStream.range(0, graph.vertexCount)
                    .filter(vertex -> IntStream.range(0, graph.vertexCount)
                            .anyMatch(cycle -> distances[cycle][cycle] > 0 && reaches(distances, cycle, vertex)))
                    .toArray();

            assertThat(CyclicCore.of(graph)).as(name).containsExactly(expected);
        });
    }

    @Test
    void componentsAreWhatReachesEachOther() {
        forEachGraph((graph, kinds, distances, name) -> {
            StronglyConnected components = StronglyConnected.of(graph, CyclicCore.of(graph), kinds);

            for (int vertex = 0; vertex < graph.vertexCount; vertex++) {
                int component = components.componentOf[vertex];
                assertThat(component != StronglyConnected.NONE).as(name).isEqualTo(distances[vertex][vertex] > 0);
                for (int other = 0; other < graph.vertexCount && component != StronglyConnected.NONE; other++) {
                    boolean together = distances[vertex][other] > 0 && distances[other][vertex] > 0;
                    assertThat(components.componentOf[other] == component)
                            .as(name)
                            .isEqualTo(together);
                }
            }
            for (int component = 0; component < components.componentCount(); component++) {
                int[] vertices = components.verticesOf(component);
                assertThat(vertices).as(name).isSorted();
                for (int vertex : vertices) {
                    assertThat(components.componentOf[vertex]).as(name).isEqualTo(component);
                }
            }
        });
    }

    @Test
    void componentsAmongSomeVerticesIgnoreTheOthers() {
        DigraphBuilder builder = DigraphBuilder.plain(3);
        builder.add(0, 1);
        builder.add(1, 2);
        builder.add(2, 0);
        builder.add(1, 0);

        StronglyConnected components = StronglyConnected.of(builder.build(), new int[] {0, 1}, Digraph.ALL_KINDS);

        assertThat(components.componentCount()).isEqualTo(1);
        assertThat(components.verticesOf(0)).containsExactly(0, 1);
    }

    @Test
    void pathsAreShortest() {
        forEachGraph((graph, kinds, distances, name) -> {
            ShortestPath search = new ShortestPath(graph);
            for (int from = 0; from < graph.vertexCount; from++) {
                for (int to = 0; to < graph.vertexCount; to++) {
                    int[] path = search.find(from, to, kinds);

                    assertThat(path).as(name).hasSize(distances[from][to]);
                    assertIsPath(graph, kinds, path, from, to, name);
                }
            }
        });
    }

    @Test
    void deepPathsDoNotOverflowTheStack() {
        int count = 200_000;
        DigraphBuilder builder = DigraphBuilder.plain(count);
        for (int vertex = 0; vertex < count; vertex++) {
            builder.add(vertex, (vertex + 1) % count);
        }
        Digraph ring = builder.build();

        assertThat(StronglyConnected.of(ring).verticesOf(0)).hasSize(count);
        assertThat(new ShortestPath(ring).find(7, 7, Digraph.ALL_KINDS)).hasSize(count);
    }

    private static boolean reaches(int[][] distances, int from, int to) {
        return from == to || distances[from][to] > 0;
    }

    private static void assertIsPath(Digraph graph, int kinds, int[] edges, int from, int to, String name) {
        int at = from;
        for (int edge : edges) {
            assertThat(graph.tailOf(edge)).as(name).isEqualTo(at);
            assertThat(graph.allows(edge, kinds)).as(name).isTrue();
            at = graph.headOf[edge];
        }
        if (edges.length > 0) {
            assertThat(at).as(name).isEqualTo(to);
        }
    }

    private interface GraphFact {
        void check(Digraph graph, int kinds, int[][] distances, String name);
    }

    private static void forEachGraph(GraphFact fact) {
        for (long seed = RandomGraphs.FIRST_SEED; seed < RandomGraphs.FIRST_SEED + RandomGraphs.COUNT; seed++) {
            Digraph graph = RandomGraphs.of(seed);
            int kinds = RandomGraphs.kinds(seed);
            String name = "seed=" + seed + " kinds=" + kinds + " edges=" + List.of(RandomGraphs.text(graph));
            fact.check(graph, kinds, RandomGraphs.distances(graph, kinds), name);
        }
    }
}
