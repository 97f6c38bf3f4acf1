package io.nightjar.pipeline.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BiconnectedTest {

    @Test
    void groupsThatMeetInOneVertexPart() {
        Biconnected blocks = blocks(3, new int[][] {{0, 1}, {1, 2}});

        assertThat(blocks.componentCount).isEqualTo(2);
        assertThat(blocks.componentOf[0]).isNotEqualTo(blocks.componentOf[1]);
    }

    @Test
    void groupsOnACycleStayTogether() {
        assertThat(blocks(3, new int[][] {{0, 1}, {1, 2}, {2, 0}}).componentCount)
                .isEqualTo(1);
    }

    @Test
    void groupsThatShareTwoVerticesStayTogether() {
        assertThat(blocks(3, new int[][] {{0, 1}, {0, 1, 2}}).componentCount).isEqualTo(1);
    }

    @Test
    void groupThatEveryVertexIsInIsOneComponent() {
        int[] everyone = new int[100_000];
        Arrays.setAll(everyone, vertex -> vertex);

        assertThat(blocks(everyone.length, new int[][] {everyone}).componentCount)
                .isEqualTo(1);
    }

    @Test
    void aLongPathNeedsNoStack() {
        int[][] path = new int[200_000][];
        Arrays.setAll(path, group -> new int[] {group, group + 1});

        assertThat(blocks(path.length + 1, path).componentCount).isEqualTo(path.length);
    }

    @Tag(Seeds.TAG)
    @Test
    void componentsAreThoseOfTheCliqueGraph() {
        for (long seed : Seeds.upTo(3_000)) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            int vertexCount = 2 + random.nextInt(7);
            int[][] groups = new int[1 + random.nextInt(7)][];
            Arrays.setAll(groups, group -> randomGroup(random, vertexCount));

            Biconnected blocks = blocks(vertexCount, groups);

            CliqueGraph cliques = new CliqueGraph(vertexCount, groups);
            for (int a = 0; a < groups.length; a++) {
                for (int b = 0; b < a; b++) {
                    assertThat(blocks.componentOf[a] == blocks.componentOf[b])
                            .as("seed=%d groups=%s a=%d b=%d", seed, Arrays.deepToString(groups), a, b)
                            .isEqualTo(cliques.areInOneBlock(groups[a], groups[b]));
                }
            }
        }
    }

    private static int[] randomGroup(Random random, int vertexCount) {
        int size = random.nextInt(3) > 0 ? 2 : 2 + random.nextInt(vertexCount - 1);
        int[] members = new int[vertexCount];
        Arrays.setAll(members, vertex -> vertex);
        for (int i = 0; i < size; i++) {
            int other = i + random.nextInt(vertexCount - i);
            int member = members[other];
            members[other] = members[i];
            members[i] = member;
        }
        return Arrays.copyOf(members, size);
    }

    private static Biconnected blocks(int vertexCount, int[][] groups) {
        int[] firstMemberOf = new int[groups.length + 1];
        int[] memberOf =
                new int[Arrays.stream(groups).mapToInt(group -> group.length).sum()];
        for (int group = 0; group < groups.length; group++) {
            int count = groups[group].length;
            System.arraycopy(groups[group], 0, memberOf, firstMemberOf[group], count);
            firstMemberOf[group + 1] = firstMemberOf[group] + count;
        }
        return Biconnected.ofCliques(vertexCount, groups.length, firstMemberOf, memberOf);
    }

    /** By definition: two edges lie in one block if they are connected and no vertex parts what is left of them. */
    private static final class CliqueGraph {

        private static final int NO_PARENT = -1;

        private final boolean[][] areNeighbours;

        CliqueGraph(int vertexCount, int[][] groups) {
            areNeighbours = new boolean[vertexCount][vertexCount];
            for (int[] group : groups) {
                for (int a : group) {
                    for (int b : group) {
                        areNeighbours[a][b] = true;
                    }
                }
            }
        }

        boolean areInOneBlock(int[] groupA, int[] groupB) {
            int[] ends = {groupA[0], groupA[1], groupB[0], groupB[1]};
            for (int removed = NO_PARENT; removed < areNeighbours.length; removed++) {
                boolean[] reached = reach(ends[0] == removed ? ends[1] : ends[0], removed);
                for (int end : ends) {
                    if (end != removed && !reached[end]) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean[] reach(int start, int removed) {
            boolean[] reached = new boolean[areNeighbours.length];
            reached[start] = true;
            for (int round = 0; round < reached.length; round++) {
                for (int a = 0; a < reached.length; a++) {
                    for (int b = 0; b < reached.length; b++) {
                        reached[b] |= reached[a] && b != removed && areNeighbours[a][b];
                    }
                }
            }
            return reached;
        }
    }
}
