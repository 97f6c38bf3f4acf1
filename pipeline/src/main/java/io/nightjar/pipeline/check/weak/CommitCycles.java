package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Rule;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.graph.CyclicCore;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.graph.StronglyConnected;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The cycles that a level does not allow, one for each knot of transactions, each step with its reason. */
final class CommitCycles {

    /*
     * Algorithm. Constructed only if a cycle exists. Sessions, reads and forced edges become a graph, and nodes that
     * cannot lie on a cycle are removed. Each strongly connected component gives one cycle, as short as a bounded
     * search finds, where going forward in a session counts as one step. A forced edge on it is justified by the
     * nearest reader that makes the rule of the level apply, which is searched from the earlier transaction along the
     * relation of the level.
     *
     * Components in which the next weaker level has a cycle are skipped: they were reported there.
     */

    private static final int SESSION = 1;
    private static final int READ = 2;
    private static final int VERSION = 4;
    private static final int FORCED = 8;

    private static final int MAX_CYCLES = 1_000;
    private static final long MAX_STEPS_A_CYCLE = 1L << 23;
    private static final long MAX_STEPS = 1L << 28;

    private final ClientHistory history;
    private final IsolationLevel level;
    private final Digraph graph;
    private final StronglyConnected components;
    private final Set<Integer> staleReaders = new LinkedHashSet<>();
    private final List<Contradiction> contradictions = new ArrayList<>();
    private final ForcedEdgeExplainer nearestReader;

    CommitCycles(
            ClientHistory history,
            WriteSets writeSets,
            IsolationLevel level,
            LevelEdges edges,
            @Nullable CommitCycles weaker) {
        this.history = history;
        this.level = level;
        this.graph = graph(history, edges);
        this.components = StronglyConnected.of(graph, CyclicCore.of(graph), Digraph.ALL_KINDS);
        this.nearestReader = new ForcedEdgeExplainer(history, writeSets, graph, READ);
        if (weaker != null) {
            contradictions.addAll(weaker.contradictions);
            staleReaders.addAll(weaker.staleReaders);
        }
        reportStaleReads(edges);
        reportComponents(weaker);
    }

    /** Returns the contradictions, weaker levels first. */
    List<Contradiction> contradictions() {
        return contradictions;
    }

    private static Digraph graph(ClientHistory history, LevelEdges edges) {
        DigraphBuilder builder = DigraphBuilder.withKinds(history.txnCount);
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (txn > 0 && history.sessionOf[txn - 1] == history.sessionOf[txn]) {
                builder.add(txn - 1, txn, SESSION);
            }
            int last = ClientHistory.INITIAL;
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int writer = history.writerOf[read];
                if (writer != ClientHistory.INITIAL && writer != last) {
                    builder.add(writer, txn, READ);
                    last = writer;
                }
            }
        }
        for (int edge = 0; edge < edges.count(); edge++) {
            builder.add(edges.from(edge), edges.to(edge), edges.isVersion(edge) ? VERSION : FORCED);
        }
        return builder.build();
    }

    // ---------------------------------------------------------------- reads of the initial state

    /**
     * Reports stale reads of the initial state, which comes before everything: a transaction overwrote it before a
     * transaction that still read it.
     */
    private void reportStaleReads(LevelEdges edges) {
        for (int stale = 0; stale < edges.staleReadCount() && contradictions.size() < MAX_CYCLES; stale++) {
            int overwriter = edges.overwriter(stale);
            int reader = edges.staleReader(stale);
            if (!staleReaders.add(reader)) {
                continue;
            }
            int key = edges.staleKey(stale);
            Set<Integer> txns = new LinkedHashSet<>();
            txns.add(overwriter);
            txns.add(reader);
            addPath(overwriter, reader, txns);
            Step first = Step.of(
                    ClientHistory.INITIAL, overwriter, Rule.SESSION_ORDER, Contradiction.NONE, Contradiction.NONE);
            Step second = Step.of(overwriter, ClientHistory.INITIAL, Rule.OVERWRITTEN, key, reader);
            contradictions.add(contradiction(txns, List.of(first, second)));
        }
    }

    /** Adds the transactions between two others by sessions and reads, if the level requires no direct relation. */
    private void addPath(int from, int to, Set<Integer> txns) {
        if (level == IsolationLevel.CAUSAL) {
            int[] path = nearestReader.path(from, to);
            for (int txn : path) {
                txns.add(txn);
            }
        }
    }

    // ---------------------------------------------------------------- cycles

    private void reportComponents(@Nullable CommitCycles weaker) {
        ShortestPath ways = new ShortestPath(history, graph, components.componentOf);
        for (int component = 0; component < components.componentCount(); component++) {
            if (contradictions.size() >= MAX_CYCLES
                    || ways.steps() + nearestReader.steps() > MAX_STEPS && !contradictions.isEmpty()) {
                return;
            }
            int[] vertices = components.verticesOf(component);
            if (weaker == null || !weaker.hasCycleIn(vertices)) {
                if (!ways.findCycle(startsIn(vertices), READ | VERSION | FORCED, MAX_STEPS_A_CYCLE)) {
                    throw new AssertionError("bug: no cycle in a component, size=" + vertices.length);
                }
                contradictions.add(explain(ways.txns(), ways.edges()));
            }
        }
    }

    private boolean hasCycleIn(int[] vertices) {
        for (int vertex : vertices) {
            if (components.componentOf[vertex] != StronglyConnected.NONE) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns transactions with a forced edge, since sessions and reads alone rarely form a cycle; all if no edge is
     * forced.
     */
    private int[] startsIn(int[] vertices) {
        int count = 0;
        int[] starts = new int[vertices.length];
        for (int vertex : vertices) {
            boolean isForced = false;
            for (int edge = graph.firstEdgeOf[vertex]; edge < graph.firstEdgeOf[vertex + 1]; edge++) {
                isForced |= graph.allows(edge, VERSION | FORCED)
                        && components.componentOf[graph.headOf[edge]] == components.componentOf[vertex];
            }
            if (isForced) {
                starts[count++] = vertex;
            }
        }
        return count == 0 ? vertices : Arrays.copyOf(starts, count);
    }

    /** @param cycle transactions, the first once more at the end */
    private Contradiction explain(int[] cycle, int[] edges) {
        Set<Integer> txns = new LinkedHashSet<>();
        Set<Integer> further = new LinkedHashSet<>();
        List<Step> steps = new ArrayList<>();
        int last = edges.length - 1;
        boolean isSessionSplit = edges[0] == ShortestPath.SESSION && edges[last] == ShortestPath.SESSION;
        for (int i = isSessionSplit ? 1 : 0; i <= last; i++) {
            int to = isSessionSplit && i == last ? cycle[1] : cycle[i + 1];
            txns.add(cycle[i]);
            steps.add(step(edges[i], cycle[i], to, further));
        }
        txns.addAll(further);
        return contradiction(txns, steps);
    }

    private Step step(int edge, int from, int to, Set<Integer> further) {
        if (edge == ShortestPath.SESSION) {
            return Step.of(from, to, Rule.SESSION_ORDER, Contradiction.NONE, Contradiction.NONE);
        }
        if (graph.allows(edge, READ)) {
            return Step.of(from, to, Rule.READ_FROM, keyRead(from, to), Contradiction.NONE);
        }
        if (graph.allows(edge, VERSION)) {
            return Step.of(from, to, Rule.VERSION_ORDER, keyOfVersions(from, to), Contradiction.NONE);
        }
        nearestReader.find(level, from, to);
        for (int txn : nearestReader.path()) {
            further.add(txn);
        }
        return Step.of(from, to, Rule.OVERWRITTEN, nearestReader.key(), nearestReader.reader());
    }

    private int keyRead(int writer, int reader) {
        int key = ClientHistory.NO_KEY;
        for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
            if (history.writerOf[read] == writer && key == ClientHistory.NO_KEY) {
                key = history.keyOfRead[read];
            }
        }
        return key;
    }

    private int keyOfVersions(int earlier, int later) {
        int keyWithoutPosition = Contradiction.NONE;
        for (int write = history.firstWriteOf[later]; write < history.firstWriteOf[later + 1]; write++) {
            int key = history.keyOfWrite[write];
            int end = history.firstVersionOf[key + 1];
            boolean hasPosition = false;
            for (int version = history.firstVersionOf[key]; version < end; version++) {
                hasPosition |= history.txnOfVersion[version] == later;
                boolean follows = version + 1 < end && history.txnOfVersion[version + 1] == later;
                if (follows && history.txnOfVersion[version] == earlier) {
                    return key;
                }
            }
            if (!hasPosition && end > history.firstVersionOf[key] && history.txnOfVersion[end - 1] == earlier) {
                keyWithoutPosition = key;
            }
        }
        return keyWithoutPosition;
    }

    private Contradiction contradiction(Set<Integer> txns, List<Step> steps) {
        return new Contradiction(level, Anomaly.COMMIT_ORDER_CYCLE, level.longName(), List.copyOf(txns), steps);
    }
}
