package io.nightjar.pipeline.graph;

import io.nightjar.pipeline.primitive.CountingSort;

/**
 * Biconnected components of an undirected graph that is given by its cliques: vertices are neighbors if they share a
 * group.
 *
 * <p>All edges of a clique are in one component, so the result is the component of each group.
 */
public final class Biconnected {

    /*
     * Definitions. The bipartite graph has a node per vertex and a node per group, with an edge per membership.
     * low[node] is the smallest number reachable from the nodes below it by at most one further edge.
     *
     *   node     vertex v: v; group g: vertexCount + g
     *
     * Algorithm. A clique of m vertices has m^2 edges, so they are never built. Instead Hopcroft and Tarjan's algorithm
     * [1] traverses the bipartite graph, with one change: a component is closed at vertices only, never at a group. If
     * the search returns to group x from a vertex below it and leaves the component open, it joins the components that
     * meet in x. The search begins at vertices, so every group is closed by the vertex above it at the latest.
     *
     * Correctness. The components of the clique graph are the components of the bipartite graph, joined where they meet
     * in a group. (a) Two groups in one component of the bipartite graph lie on a simple cycle v1 x v2 .. vi y vj ..,
     * whose vertices are distinct: in the clique graph it is a simple cycle through an edge of x and an edge of y, or,
     * with two vertices only, one edge of both cliques. (b) A simple cycle v1 v2 .. vn of the clique graph is a closed
     * walk v1 x1 v2 x2 .. vn xn of the bipartite graph that repeats groups at most. Cut where a group repeats, it falls
     * into simple cycles, each inside one component, and these components meet in that group.
     *
     * Cost. Time and memory are linear in the number of memberships.
     *
     * Source. [1] Hopcroft and Tarjan, Algorithm 447: efficient algorithms for graph manipulation (CACM 1973)
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
