package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Half;
import io.nightjar.pipeline.check.Contradiction.Rule;
import io.nightjar.pipeline.check.Contradiction.Step;
import java.util.ArrayList;
import java.util.List;

/** Turns a cycle of nodes into steps between transactions. Chains must be sessions. */
final class CycleSteps {

    private CycleSteps() {}

    /** Returns the cycle that was just found; that a transaction's snapshot comes before its commit is no step. */
    static List<Step> of(OrderGraph graph, ConflictAnalysis found) {
        List<Step> steps = new ArrayList<>();
        int length = found.pathLength;
        int start = 0;
        while (found.pathEdge[start] == ConflictAnalysis.CHAIN) {
            start++;
        }
        int i = 0;
        while (i < length) {
            int at = (start + i) % length;
            if (found.pathEdge[at] != ConflictAnalysis.CHAIN) {
                steps.add(forced(graph, found.pathEdge[at]));
                i++;
                continue;
            }
            int end = i;
            while (end < length && found.pathEdge[(start + end) % length] == ConflictAnalysis.CHAIN) {
                end++;
            }
            int from = graph.slotOf(found.pathNode[at]);
            int to = graph.slotOf(found.pathNode[(start + end) % length]);
            if (from != to) {
                steps.add(sessionOrder(graph, from, to));
            }
            i = end;
        }
        return steps;
    }

    private static Step sessionOrder(OrderGraph graph, int from, int to) {
        return new Step(
                graph.history.txnOf[from],
                Half.COMMIT,
                graph.history.txnOf[to],
                graph.shift == 0 ? Half.COMMIT : Half.SNAPSHOT,
                Rule.SESSION_ORDER,
                Contradiction.NONE,
                Contradiction.NONE);
    }

    private static Step forced(OrderGraph graph, int edge) {
        ForcedEdges edges = graph.edges;
        int because = edges.because[edge];
        return new Step(
                graph.history.txnOf[graph.slotOf(edges.from[edge])],
                halfOf(graph, edges.from[edge]),
                graph.history.txnOf[graph.slotOf(edges.to[edge])],
                halfOf(graph, edges.to[edge]),
                ruleOf(edges.rule[edge]),
                edges.key[edge],
                because < 0 ? because : graph.history.txnOf[because]);
    }

    private static Half halfOf(OrderGraph graph, int node) {
        return graph.isCommit(node) ? Half.COMMIT : Half.SNAPSHOT;
    }

    private static Rule ruleOf(byte rule) {
        return switch (rule) {
            case ForcedEdges.READ_FROM -> Rule.READ_FROM;
            case ForcedEdges.OVERWRITTEN -> Rule.OVERWRITTEN;
            case ForcedEdges.OVERWRITES -> Rule.OVERWRITES;
            case ForcedEdges.NO_OVERLAP -> Rule.NO_OVERLAP;
            case ForcedEdges.VERSION_ORDER -> Rule.VERSION_ORDER;
            case ForcedEdges.SESSION_ORDER -> Rule.SESSION_ORDER;
            default -> throw new AssertionError("bug: a guess on a cycle of saturation: rule=" + rule);
        };
    }
}
