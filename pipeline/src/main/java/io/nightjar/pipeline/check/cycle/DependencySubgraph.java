package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.infer.DependencyGraph.RW;
import static io.nightjar.pipeline.infer.DependencyGraph.VIA;

import io.nightjar.pipeline.graph.CyclicCore;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.StronglyConnected;
import io.nightjar.pipeline.infer.DependencyGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Some nodes of a dependency graph, and the edges between them. */
final class DependencySubgraph {

    final Digraph edges;

    /** By node: the node of the dependency graph, ascending. */
    final int[] nodeOf;

    /** Nodes from here on are helpers. */
    final int firstHelper;

    private final int txnCount;

    private DependencySubgraph(Digraph edges, int[] nodeOf, int txnCount) {
        this.edges = edges;
        this.nodeOf = nodeOf;
        this.txnCount = txnCount;
        int helper = Arrays.binarySearch(nodeOf, txnCount);
        firstHelper = helper >= 0 ? helper : ~helper;
    }

    /** Returns the nodes that are on a cycle of a graph or reachable from one. */
    static DependencySubgraph coreOf(DependencyGraph graph) {
        int[] core = CyclicCore.of(graph.edges());
        Digraph edges = graph.edges().subgraph(core, Digraph.ALL_KINDS, new int[graph.edges().vertexCount]);
        return new DependencySubgraph(edges, core, graph.txnCount());
    }

    /** @param scratch an entry for each node, of any content */
    DependencySubgraph subgraph(int[] nodes, int kinds, int[] scratch) {
        int[] names = new int[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            names[i] = nodeOf[nodes[i]];
        }
        return new DependencySubgraph(edges.subgraph(nodes, kinds | VIA, scratch), names, txnCount);
    }

    /**
     * Returns the nodes of each strongly connected component of the edges of some kinds, ascending.
     *
     * @param keepsApart whether cycles in which one rw edge follows another do not count; a node may then be in two components
     */
    List<int[]> components(int kinds, boolean keepsApart) {
        Digraph graph = keepsApart ? edges.keptApart(kinds | VIA, RW, VIA) : edges;
        int halves = graph.vertexCount / Math.max(1, nodeOf.length); // of a node
        int[] byNode = new int[graph.vertexCount];
        Arrays.setAll(byNode, half -> half % halves * nodeOf.length + half / halves);
        StronglyConnected found = StronglyConnected.of(graph, byNode, kinds | VIA);
        List<int[]> components = new ArrayList<>();
        for (int component = 0; component < found.componentCount(); component++) {
            int[] nodes = found.verticesOf(component);
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] %= nodeOf.length;
            }
            Arrays.sort(nodes);
            int count = 1;
            for (int i = 1; i < nodes.length; i++) {
                if (nodes[i] != nodes[count - 1]) {
                    nodes[count++] = nodes[i];
                }
            }
            components.add(Arrays.copyOf(nodes, count));
        }
        return components;
    }

    boolean isHelper(int node) {
        return node >= firstHelper;
    }

    boolean hasKind(int kinds) {
        for (int edge = 0; edge < edges.edgeCount; edge++) {
            if (edges.allows(edge, kinds)) {
                return true;
            }
        }
        return false;
    }
}
