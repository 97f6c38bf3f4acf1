package io.nightjar.pipeline.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Peeling, components and shortest cycles agree with paths found naively, on thousands of random graphs. */
class CyclesPropertyTest {

    @Test
    void whatIsLeftAfterPeelingLiesOnCyclesOrBetweenThem() {
        forEachGraph((graph, kinds, distances, name) -> {
            int[] expected = IntStream.range(0, graph.vertexCount)
                    .filter(vertex -> IntStream.range(0, graph.vertexCount)
                                    .anyMatch(cycle -> distances[cycle][cycle] > 0 && reaches(distances, cycle, vertex))
                            && IntStream.range(0, graph.vertexCount)
                                    .anyMatch(
                                            cycle -> distances[cycle][cycle] > 0 && reaches(distances, vertex, cycle)))
                    .toArray();
            int[] backwards = IntStream.range(0, graph.vertexCount)
                    .map(i -> graph.vertexCount - 1 - i)
                    .toArray();

            assertThat(CyclicCore.of(graph, null, kinds).rest()).as(name).containsExactly(expected);
            assertThat(CyclicCore.of(graph, backwards, kinds).rest()).as(name).containsExactly(expected);
        });
    }

    @Test
    void whatIsTakenFromTheFrontIsInTopologicalOrder() {
        forEachGraph((graph, kinds, distances, name) -> {
            int[] order = CyclicCore.of(graph, null, kinds).topologicalOrder();

            for (int later = 0; later < order.length; later++) {
                for (int earlier = 0; earlier <= later; earlier++) {
                    assertThat(distances[order[later]][order[earlier]]).as(name).isZero();
                }
            }
            long reachedByCycles = IntStream.range(0, graph.vertexCount)
                    .filter(vertex -> IntStream.range(0, graph.vertexCount)
                            .anyMatch(cycle -> distances[cycle][cycle] > 0 && reaches(distances, cycle, vertex)))
                    .count();
            assertThat(order.length + reachedByCycles).as(name).isEqualTo(graph.vertexCount);
        });
    }

    @Test
    void aBelievedOrderThatIsTopologicalIsKept() {
        DigraphBuilder builder = DigraphBuilder.plain(4);
        builder.add(3, 1);
        builder.add(1, 0);
        int[] believed = {3, 2, 1, 0};

        CyclicCore peel = CyclicCore.of(builder.build(), believed, Digraph.ALL_KINDS);

        assertThat(peel.isAcyclic()).isTrue();
        assertThat(peel.topologicalOrder()).containsExactly(believed);
    }

    @Test
    void componentsAreWhatReachesEachOther() {
        forEachGraph((graph, kinds, distances, name) -> {
            StronglyConnected components = StronglyConnected.of(
                    graph, CyclicCore.of(graph, null, kinds).rest(), kinds);

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
                assertThat(vertices).as(name).isSorted().hasSize(components.sizeOf(component));
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
    void cyclesThroughAVertexAreShortest() {
        forEachGraph((graph, kinds, distances, name) -> {
            ShortestCycle search = new ShortestCycle(graph, null);
            for (int vertex = 0; vertex < graph.vertexCount; vertex++) {
                int[] cycle = search.through(vertex, kinds);

                assertThat(cycle).as(name).hasSize(distances[vertex][vertex]);
                assertIsPath(graph, kinds, cycle, vertex, vertex, name);
            }
        });
    }

    @Test
    void pathsAreShortest() {
        forEachGraph((graph, kinds, distances, name) -> {
            ShortestCycle search = new ShortestCycle(graph, null);
            for (int from = 0; from < graph.vertexCount; from++) {
                for (int to = 0; to < graph.vertexCount; to++) {
                    int[] path = search.path(from, to, kinds);

                    assertThat(path).as(name).hasSize(distances[from][to]);
                    assertIsPath(graph, kinds, path, from, to, name);
                }
            }
        });
    }

    @Test
    void theShortestCycleOfAComponentIsFound() {
        forEachGraph((graph, kinds, distances, name) -> {
            StronglyConnected components = StronglyConnected.of(
                    graph, CyclicCore.of(graph, null, kinds).rest(), kinds);
            ShortestCycle search = new ShortestCycle(graph, components.componentOf);
            for (int component = 0; component < components.componentCount(); component++) {
                int[] vertices = components.verticesOf(component);
                int shortest = Arrays.stream(vertices)
                        .map(vertex -> distances[vertex][vertex])
                        .min()
                        .orElseThrow();

                assertThat(search.throughAny(vertices, kinds, Long.MAX_VALUE / 2))
                        .as(name)
                        .hasSize(shortest);
                assertThat(search.throughAny(vertices, kinds, 0)).as(name).isNotEmpty();
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
        assertThat(new ShortestCycle(ring, null).through(7, Digraph.ALL_KINDS)).hasSize(count);
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
