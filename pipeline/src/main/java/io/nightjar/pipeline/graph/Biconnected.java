package io.nightjar.pipeline.graph;

import io.nightjar.pipeline.primitive.CountingSort;

/**
 * Biconnected components of an undirected graph that is given by its cliques: vertices are neighbours when they share a
 * group.
 *
 * <p>All edges of one clique lie in one component, so what is told is the component of each group.
 */
public final class Biconnected {

    /*
     * A clique of m vertices has m^2 edges, so they are never drawn. Instead Hopcroft and Tarjan's algorithm [1] walks the
     * bipartite graph of vertices and groups, where a group is a node as well, with one change: a component is closed at
     * vertices only, never at a group.
     *
     * Why that gives the components of the clique graph: its components are those of the bipartite graph, joined wherever
     * they meet in a group. (a) Two groups in one component of the bipartite graph lie on a simple cycle
     * v1 x v2 .. vi y vj .., whose vertices are distinct: in the clique graph it is a simple cycle through an edge of x
     * and an edge of y, or, with two vertices only, one edge that both cliques have. (b) A simple cycle v1 v2 .. vn of
     * the clique graph is a closed walk v1 x1 v2 x2 .. vn xn of the bipartite one that repeats groups at most. Cut
     * where a group repeats it falls into simple cycles, each inside one component, which meet in that group.
     *
     * To leave a component open at group x, on the way back from a vertex below it, is to join the components that meet
     * in x. The walk begins at vertices, so every group is closed by the vertex above it at the latest.
     *
     *   node     vertex v: v; group g: vertexCount + g
     *   low      the smallest number that the nodes below, and one edge from there, lead to
     *
     * Time and space are linear in the number of memberships.
     *
     * [1] Hopcroft and Tarjan, Algorithm 447: efficient algorithms for graph manipulation (CACM 1973)
     */

    private static final int NOT_REACHED = 0;

    public final int componentCount;

    /** By group. */
    public final int[] componentOf;

    private final int vertexCount;
    private final int[] firstMemberOf;
    private final int[] memberOf;
    private final int[] firstGroupOf;
    private final int[] groupOf;
    private final int[] low;

    private Biconnected(int vertexCount, int groupCount, int[] firstMemberOf, int[] memberOf) {
        this.vertexCount = vertexCount;
        this.firstMemberOf = firstMemberOf;
        this.memberOf = memberOf;
        firstGroupOf = new int[vertexCount + 1];
        groupOf = new int[firstMemberOf[groupCount]];
        transpose(groupCount);
        low = new int[vertexCount + groupCount];
        componentOf = new int[groupCount];
        componentCount = walk();
    }

    /**
     * @param firstMemberOf the members of group {@code g} are {@code memberOf[firstMemberOf[g] .. firstMemberOf[g + 1]]},
     *     at least one, each once
     */
    public static Biconnected ofCliques(int vertexCount, int groupCount, int[] firstMemberOf, int[] memberOf) {
        return new Biconnected(vertexCount, groupCount, firstMemberOf, memberOf);
    }

    private void transpose(int groupCount) {
        for (int member = 0; member < groupOf.length; member++) {
            firstGroupOf[memberOf[member] + 1]++;
        }
        CountingSort.addUp(firstGroupOf);
        int[] next = firstGroupOf.clone();
        for (int group = 0; group < groupCount; group++) {
            for (int member = firstMemberOf[group]; member < firstMemberOf[group + 1]; member++) {
                groupOf[next[memberOf[member]]++] = group;
            }
        }
    }

    private int walk() {
        int nodeCount = low.length;
        int[] numberOf = new int[nodeCount];
        int[] nextEdgeOf = new int[nodeCount];
        int[] path = new int[nodeCount];
        int[] openGroups = new int[componentOf.length];
        int openCount = 0;
        int numbered = 0;
        int closed = 0;
        for (int root = 0; root < vertexCount; root++) {
            if (numberOf[root] != NOT_REACHED) {
                continue;
            }
            int depth = 0;
            path[0] = root;
            numberOf[root] = low[root] = ++numbered;
            nextEdgeOf[root] = firstGroupOf[root];
            while (depth >= 0) {
                int node = path[depth];
                if (nextEdgeOf[node] < lastEdgeOf(node)) {
                    int neighbour = neighbour(node, nextEdgeOf[node]++);
                    if (numberOf[neighbour] == NOT_REACHED) {
                        numberOf[neighbour] = low[neighbour] = ++numbered;
                        path[++depth] = neighbour;
                        if (neighbour >= vertexCount) {
                            nextEdgeOf[neighbour] = firstMemberOf[neighbour - vertexCount];
                            openGroups[openCount++] = neighbour - vertexCount;
                        } else {
                            nextEdgeOf[neighbour] = firstGroupOf[neighbour];
                        }
                    } else {
                        low[node] = Math.min(low[node], numberOf[neighbour]);
                    }
                    continue;
                }
                depth--;
                if (depth < 0) {
                    break;
                }
                int above = path[depth];
                low[above] = Math.min(low[above], low[node]);
                if (above < vertexCount && low[node] >= numberOf[above]) {
                    int group;
                    do {
                        group = openGroups[--openCount];
                        componentOf[group] = closed;
                    } while (group != node - vertexCount);
                    closed++;
                }
            }
        }
        return closed;
    }

    private int lastEdgeOf(int node) {
        return node < vertexCount ? firstGroupOf[node + 1] : firstMemberOf[node - vertexCount + 1];
    }

    private int neighbour(int node, int edge) {
        return node < vertexCount ? vertexCount + groupOf[edge] : memberOf[edge];
    }
}
