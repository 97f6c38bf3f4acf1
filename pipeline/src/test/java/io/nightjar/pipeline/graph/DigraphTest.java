package io.nightjar.pipeline.graph;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(CyclicCore.of(graph).isAcyclic()).isTrue();
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
    void reversedEdgesLeadBackToTheirOriginals() {
        for (long seed = RandomGraphs.FIRST_SEED; seed < RandomGraphs.FIRST_SEED + RandomGraphs.COUNT; seed++) {
            Digraph graph = RandomGraphs.of(seed);
            Digraph reversed = graph.reversed();

            assertThat(reversed.edgeCount).isEqualTo(graph.edgeCount);
            for (int edge = 0; edge < reversed.edgeCount; edge++) {
                int original = reversed.labelOf[edge];
                assertThat(reversed.headOf[edge]).as("seed=%d", seed).isEqualTo(graph.tailOf(original));
                assertThat(reversed.tailOf(edge)).as("seed=%d", seed).isEqualTo(graph.headOf[original]);
                assertThat(reversed.kindsOf[edge]).as("seed=%d", seed).isEqualTo(graph.kindsOf[original]);
            }
        }
    }

    @Test
    void aGraphWithoutKindsAllowsEveryEdge() {
        DigraphBuilder builder = DigraphBuilder.plain(2);
        builder.add(0, 1);

        assertThat(builder.build().allows(0, 1)).isTrue();
    }
}
