package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.CountingSort;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Conflict analysis: determines the edges and transactions that cause a cycle by following reasons back. Created only
 * when a cycle has been found.
 */
final class ConflictAnalysis {

    /*
     * Algorithm. A path is searched backwards, breadth first, from its end, through nodes that follow its beginning
     * according to the rows; the rows may contain more than when the path was used, never less. Edges are limited to
     * those known at that time, so that no reason depends on itself.
     *
     * The result of a search is in pathNode[0 .. pathLength] with the edge to the next node in pathEdge, CHAIN for the
     * step to the next node of the chain.
     */

    static final int CHAIN = -1;
    private static final int NONE = -1;

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final ForcedEdges edges;

    /** Links of the edges that saturation did not find; null if it found all. */
    private final @Nullable EdgePropagation propagation;

    private final int laidOutEdges;
    private final int[] firstIn;
    private final int[] inEdge;

    private final int[] eraOf;
    private int era;
    private final int[] nextNodeOf;
    private final int[] nextEdgeOf;
    private final int[] queue;

    int pathLength;
    int[] pathNode = new int[16];
    int[] pathEdge = new int[16];

    /** Whether paths may follow a session as far as they like: only where candidates make long ones necessary. */
    private final boolean areChainsSessions;

    private int @Nullable [] nextSlotOf;
    private final BitSet isExplained = new BitSet();
    private int[] toExplain = new int[64];
    private int toExplainCount;

    ConflictAnalysis(OrderGraph graph, @Nullable EdgePropagation propagation) {
        this.graph = graph;
        this.history = graph.history;
        this.edges = graph.edges;
        this.propagation = propagation;
        this.laidOutEdges = propagation == null ? edges.size : propagation.firstEdge();
        int nodes = graph.nodeCount;
        this.firstIn = new int[nodes + 1];
        this.inEdge = new int[laidOutEdges];
        layOut();
        this.eraOf = new int[nodes];
        this.nextNodeOf = new int[nodes];
        this.nextEdgeOf = new int[nodes];
        this.queue = new int[nodes + 1];
        this.areChainsSessions = graph.candidates != null && history.chainCount == history.source.sessionCount;
    }

    private void layOut() {
        for (int edge = 0; edge < laidOutEdges; edge++) {
            firstIn[edges.to[edge] + 1]++;
        }
        CountingSort.addUp(firstIn);
        int[] next = Arrays.copyOf(firstIn, graph.nodeCount);
        for (int edge = 0; edge < laidOutEdges; edge++) {
            inEdge[next[edges.to[edge]]++] = edge;
        }
    }

    // ---------------------------------------------------------------- cycles

    /** Finds the cycle that an edge closed with earlier ones. */
    void findCycleThrough(int closingEdge) {
        findPath(edges.to[closingEdge], edges.from[closingEdge], closingEdge);
        appendToPath(edges.from[closingEdge], closingEdge);
    }

    /** Finds a cycle through a node. */
    void findCycleAt(int node) {
        findPath(node, node, edges.size);
    }

    /** Finds a short cycle through nodes that topological order left over. */
    void findCycleIn(boolean[] isRest) {
        int start = 0;
        while (!isRest[start]) {
            start++;
        }
        // Each of these nodes has a predecessor among them, so walking backwards must reach a node twice.
        era++;
        int node = start;
        while (eraOf[node] != era) {
            eraOf[node] = era;
            node = anyPredecessor(node, isRest);
        }
        search(node, node, edges.size, isRest);
    }

    private int anyPredecessor(int node, boolean[] isRest) {
        if (!graph.isFirstOfChain(node) && isRest[node - 1]) {
            return node - 1;
        }
        for (int in = firstIn[node]; in < firstIn[node + 1]; in++) {
            if (isRest[edges.from[inEdge[in]]]) {
                return edges.from[inEdge[in]];
            }
        }
        throw new AssertionError("bug: a node of a cycle without predecessor: node=" + node);
    }

    private void findPath(int source, int target, int edgeLimit) {
        if (graph.candidates != null) {
            for (int pass = 0; pass < graph.edgesBeforePass.size(); pass += PASSES_PER_TRY) {
                int limit = graph.edgesBeforePass.getInt(pass);
                if (limit >= edgeLimit) {
                    break;
                }
                if (hasPath(source, target, limit, null)) {
                    return;
                }
            }
        }
        search(source, target, edgeLimit, null);
    }

    private void search(int source, int target, int edgeLimit, boolean @Nullable [] isInside) {
        if (!hasPath(source, target, edgeLimit, isInside)) {
            throw new AssertionError("bug: no path: from=" + source + " to=" + target);
        }
    }

    /** @param isInside nodes to search; null for the nodes that follow the source according to the rows */
    private boolean hasPath(int source, int target, int edgeLimit, boolean @Nullable [] isInside) {
        era++;
        int head = 0;
        int tail = 0;
        queue[tail++] = target;
        pathLength = 0;
        if (source != target) {
            eraOf[target] = era;
        }
        while (head < tail) {
            int node = queue[head++];
            if (isLaterInSession(source, node)) {
                linkInChain(source, node);
                break;
            }
            if (!graph.isFirstOfChain(node) && meet(node - 1, node, CHAIN, source, isInside)) {
                if (node - 1 == source) {
                    break;
                }
                queue[tail++] = node - 1;
            }
            boolean isFound = false;
            for (int in = firstIn[node]; in < firstIn[node + 1] && inEdge[in] < edgeLimit; in++) {
                int from = edges.from[inEdge[in]];
                if (meet(from, node, inEdge[in], source, isInside)) {
                    isFound |= from == source;
                    queue[tail++] = from;
                }
            }
            int edge = propagation == null ? NONE : propagation.lastIn(node);
            for (; propagation != null && edge != NONE && !isFound; edge = propagation.inBefore(edge)) {
                if (edge < edgeLimit && meet(edges.from[edge], node, edge, source, isInside)) {
                    isFound = edges.from[edge] == source;
                    queue[tail++] = edges.from[edge];
                }
            }
            if (isFound) {
                break;
            }
        }
        if (eraOf[source] != era) {
            return false;
        }
        int node = source;
        do {
            appendToPath(node, nextEdgeOf[node]);
            node = nextNodeOf[node];
        } while (node != target);
        return true;
    }

    /** Returns whether the steps of a chain lead from one node to another, and each of them is a step of a session. */
    private boolean isLaterInSession(int source, int node) {
        return areChainsSessions && source < node && graph.chainOf(source) == graph.chainOf(node);
    }

    /** Connects a node to a later one of its chain. */
    private void linkInChain(int source, int node) {
        for (int earlier = node - 1; earlier >= source; earlier--) {
            eraOf[earlier] = era;
            nextNodeOf[earlier] = earlier + 1;
            nextEdgeOf[earlier] = CHAIN;
        }
    }

    /** Visits a node unless that was done or it cannot lie on the path. */
    private boolean meet(int node, int next, int edge, int source, boolean @Nullable [] isInside) {
        if (eraOf[node] == era) {
            return false;
        }
        boolean isPossible = node == source || (isInside == null ? graph.comesBefore(source, node) : isInside[node]);
        if (!isPossible) {
            return false;
        }
        eraOf[node] = era;
        nextNodeOf[node] = next;
        nextEdgeOf[node] = edge;
        return true;
    }

    private void appendToPath(int node, int edge) {
        if (pathLength == pathNode.length) {
            pathNode = Arrays.copyOf(pathNode, 2 * pathLength);
            pathEdge = Arrays.copyOf(pathEdge, 2 * pathLength);
        }
        pathNode[pathLength] = node;
        pathEdge[pathLength++] = edge;
    }

    // ---------------------------------------------------------------- reasons of a cycle

    /**
     * Collects the reasons of the path just found.
     *
     * @param edgesFrom reasons are followed back from edges with this number or above
     * @param usedEdges receives the earlier edges, and the decided or flipped ones
     * @param usedSlots receives the transactions
     */
    void explainPath(int edgesFrom, BitSet usedEdges, BitSet usedSlots) {
        takePath(usedSlots);
        explainAll(edgesFrom, usedEdges, usedSlots);
    }

    /** Collects the transactions that some edges depend on. */
    void explainEdges(BitSet givenEdges, BitSet usedSlots) {
        for (int edge = givenEdges.nextSetBit(0); edge >= 0; edge = givenEdges.nextSetBit(edge + 1)) {
            push(edge);
        }
        explainAll(0, new BitSet(), usedSlots);
    }

    private void explainAll(int edgesFrom, BitSet usedEdges, BitSet usedSlots) {
        while (toExplainCount > 0) {
            int edge = toExplain[--toExplainCount];
            if (edge < edgesFrom) {
                usedEdges.set(edge);
            } else {
                usedSlots.set(graph.slotOf(edges.from[edge]));
                usedSlots.set(graph.slotOf(edges.to[edge]));
                explain(edge, usedEdges, usedSlots);
            }
        }
        isExplained.clear();
    }

    private void explain(int edge, BitSet usedEdges, BitSet usedSlots) {
        int from = edges.from[edge];
        int to = edges.to[edge];
        int because = edges.because[edge];
        switch (edges.rule[edge]) {
            case ForcedEdges.OVERWRITTEN -> {
                usedSlots.set(because);
                findPath(from, graph.snapshotOf(because), edge);
                takePath(usedSlots);
            }
            case ForcedEdges.OVERWRITES -> {
                if (because != ChainedHistory.INITIAL) {
                    usedSlots.set(because);
                    findPath(graph.commitOf(because), to, edge);
                    takePath(usedSlots);
                }
            }
            case ForcedEdges.NO_OVERLAP -> {
                findPath(graph.snapshotOf(graph.slotOf(from)), graph.commitOf(graph.slotOf(to)), edge);
                takePath(usedSlots);
            }
            case ForcedEdges.DECISION, ForcedEdges.READ_DECISION, ForcedEdges.FLIPPED -> usedEdges.set(edge);
            case ForcedEdges.ONLY_CANDIDATE,
                    ForcedEdges.BEFORE_CANDIDATE,
                    ForcedEdges.AFTER_CANDIDATE,
                    ForcedEdges.BEFORE_CANDIDATES,
                    ForcedEdges.AFTER_CANDIDATES -> explainObservation(edge, usedSlots);
            case ForcedEdges.SUM -> explainSum(edge, usedSlots);
            default -> {
                // Nothing to follow back: it was given.
            }
        }
    }

    // ---------------------------------------------------------------- observations

    /** Collects the paths that relate the other increments of a counter to the snapshot. */
    private void explainSum(int edge, BitSet usedSlots) {
        CandidateVersions candidates = requireNonNull(graph.candidates);
        int observation = edges.because[edge];
        int reader = candidates.readerSlotOf[observation];
        int snapshot = graph.snapshotOf(reader);
        int set = candidates.observations.setOf[observation];
        usedSlots.set(reader);
        for (int i = candidates.firstVersionOf[set]; i < candidates.firstVersionOf[set + 1]; i++) {
            int writer = history.writerOfVersion[candidates.versionOf[i]];
            int commit = graph.commitOf(writer);
            usedSlots.set(writer);
            if (writer != reader
                    && commit != edges.from[edge]
                    && commit != edges.to[edge]
                    && !takeIfPath(commit, snapshot, edge, usedSlots)) {
                takeIfPath(snapshot, commit, edge, usedSlots);
            }
        }
    }

    /**
     * Collects the reasons why an answer is as wrong in all orders as in one: of each key, the current version comes
     * before the snapshot, and all others after the snapshot or before the current one, or they have its part.
     *
     * @param edgesFrom as of a path
     */
    void explainAnswer(AnswerVersions versions, int edgesFrom, BitSet usedEdges, BitSet usedSlots) {
        int snapshot = graph.snapshotOf(versions.reader);
        usedSlots.set(versions.reader);
        for (int version = versions.next(NONE); version != NONE; version = versions.next(version)) {
            int writer = history.writerOfVersion[version];
            int commit = graph.commitOf(writer);
            int current = versions.currentOf(version);
            usedSlots.set(writer);
            if (version == current) {
                findPath(commit, snapshot, edges.size);
                takePath(usedSlots);
            } else if (!takeIfPath(snapshot, commit, edges.size, usedSlots)) {
                boolean isReplaced = current != ChainedHistory.INITIAL
                        && takeIfPath(commit, graph.commitOf(history.writerOfVersion[current]), edges.size, usedSlots);
                if (!isReplaced && versions.part(version) != versions.part(current)) {
                    throw new AssertionError(
                            "bug: nothing excludes a part: writer=" + writer + " reader=" + versions.reader);
                }
            }
        }
        explainAll(edgesFrom, usedEdges, usedSlots);
    }

    /** Collects the paths that exclude candidates of an observation or relate them to the edge. */
    private void explainObservation(int edge, BitSet usedSlots) {
        CandidateVersions candidates = requireNonNull(graph.candidates);
        int observation = edges.because[edge];
        byte rule = edges.rule[edge];
        int from = edges.from[edge];
        int to = edges.to[edge];
        int reader = candidates.readerSlotOf[observation];
        int snapshot = graph.snapshotOf(reader);
        int set = candidates.observations.setOf[observation];
        int key = candidates.observations.keyOf[set];
        boolean isOneLeft = rule != ForcedEdges.BEFORE_CANDIDATES && rule != ForcedEdges.AFTER_CANDIDATES;
        int left = isOneLeft ? edges.key[edge] : NOT_ONE;
        usedSlots.set(reader);
        for (int i = candidates.firstVersionOf[set]; i < candidates.firstVersionOf[set + 1]; i++) {
            int version = candidates.versionOf[i];
            int writer = history.writerOfVersion[version];
            usedSlots.set(writer);
            if (version == left || writer == reader) {
                continue;
            }
            boolean isExplained = false;
            for (int pass = 0; pass < graph.edgesBeforePass.size() && !isExplained; pass += PASSES_PER_TRY) {
                int limit = graph.edgesBeforePass.getInt(pass);
                isExplained = limit < edge && takeExclusion(edge, version, key, snapshot, limit, usedSlots);
            }
            if (!isExplained && !takeExclusion(edge, version, key, snapshot, edge, usedSlots)) {
                throw new AssertionError(
                        "bug: nothing excludes a candidate: writer=" + writer + " reader=" + reader + " rule=" + rule);
            }
        }
        boolean isInitialOut = candidates.observations.acceptsInitial[set]
                && rule != ForcedEdges.AFTER_CANDIDATES
                && left != ChainedHistory.INITIAL;
        if (isInitialOut && !takeDeath(ChainedHistory.INITIAL, key, snapshot, edge, usedSlots)) {
            throw new AssertionError("bug: nothing excludes the initial state: reader=" + reader + " rule=" + rule);
        }
        if (rule == ForcedEdges.BEFORE_CANDIDATE) {
            findPath(from, snapshot, edge);
            takePath(usedSlots);
        } else if (rule == ForcedEdges.AFTER_CANDIDATE && left != ChainedHistory.INITIAL) {
            findPath(graph.commitOf(history.writerOfVersion[left]), to, edge);
            takePath(usedSlots);
        }
    }

    /** Collects the paths that relate a candidate to an edge, or exclude it. */
    private boolean takeExclusion(int edge, int version, int key, int snapshot, int edgeLimit, BitSet usedSlots) {
        byte rule = edges.rule[edge];
        int commit = graph.commitOf(history.writerOfVersion[version]);
        boolean isRelated =
                switch (rule) {
                    case ForcedEdges.BEFORE_CANDIDATES ->
                        edges.from[edge] == commit || takeIfPath(edges.from[edge], commit, edgeLimit, usedSlots);
                    case ForcedEdges.AFTER_CANDIDATES -> takeIfPath(commit, edges.to[edge], edgeLimit, usedSlots);
                    default -> false;
                };
        return isRelated || takeDeath(version, key, snapshot, edgeLimit, usedSlots);
    }

    /** Reasons are sought among the edges before the first pass of saturation, and before every third one. */
    private static final int PASSES_PER_TRY = 3;

    private static final int NOT_ONE = -2;

    private boolean takeIfPath(int source, int target, int edgeLimit, BitSet usedSlots) {
        boolean isPath = graph.comesBefore(source, target) && hasPath(source, target, edgeLimit, null);
        if (isPath) {
            takePath(usedSlots);
        }
        return isPath;
    }

    /** Collects the paths that exclude a version: it comes after the snapshot, or was overwritten before it. */
    private boolean takeDeath(int version, int key, int snapshot, int edgeLimit, BitSet usedSlots) {
        int commit = version == ChainedHistory.INITIAL ? NONE : graph.commitOf(history.writerOfVersion[version]);
        if (commit != NONE && takeIfPath(snapshot, commit, edgeLimit, usedSlots)) {
            return true;
        }
        if (commit != NONE && takeOverwriteInChain(version, snapshot, edgeLimit, usedSlots)) {
            return true;
        }
        for (int later = history.firstVersionOf[key]; later < history.firstVersionOf[key + 1]; later++) {
            int writer = history.writerOfVersion[later];
            int laterCommit = graph.commitOf(writer);
            boolean isBetween = later != version
                    && (commit == NONE || graph.comesBefore(commit, laterCommit))
                    && graph.comesBefore(laterCommit, snapshot);
            if (isBetween
                    && (commit == NONE || hasPath(commit, laterCommit, edgeLimit, null))
                    && takeIfPath(laterCommit, snapshot, edgeLimit, usedSlots)) {
                usedSlots.set(writer);
                if (commit != NONE) {
                    findPath(commit, laterCommit, edgeLimit);
                    takePath(usedSlots);
                }
                return true;
            }
        }
        return false;
    }

    /** Collects the path from the next version of a chain to a snapshot. */
    private boolean takeOverwriteInChain(int version, int snapshot, int edgeLimit, BitSet usedSlots) {
        CandidateVersions candidates = requireNonNull(graph.candidates);
        int next = version + 1;
        boolean isInChain = areChainsSessions && next < candidates.firstOfRun[candidates.runOf[version] + 1];
        if (!isInChain || !takeIfPath(graph.commitOf(history.writerOfVersion[next]), snapshot, edgeLimit, usedSlots)) {
            return false;
        }
        usedSlots.set(history.writerOfVersion[next]);
        return true;
    }

    /** Adds the edges of the path to the list of edges to explain, and records its changes of session. */
    private void takePath(BitSet usedSlots) {
        int[] sessionOf = history.source.sessionOf;
        for (int i = 0; i < pathLength; i++) {
            int edge = pathEdge[i];
            if (edge != CHAIN) {
                push(edge);
                continue;
            }
            int slot = graph.slotOf(pathNode[i]);
            int next = graph.slotOf(pathNode[i] + 1);
            if (sessionOf[history.txnOf[slot]] != sessionOf[history.txnOf[next]]) {
                takeCausalPath(slot, next, usedSlots);
            }
        }
    }

    /** Finds the path of sessions and reads between two nodes of a chain that spans several sessions. */
    private void takeCausalPath(int from, int to, BitSet usedSlots) {
        ClientHistory source = history.source;
        if (nextSlotOf == null) {
            nextSlotOf = new int[history.txnCount];
        }
        BitSet isMet = new BitSet();
        int[] toVisit = new int[16];
        int visited = 0;
        int met = 0;
        toVisit[met++] = to;
        while (!isMet.get(from)) {
            if (visited == met) {
                throw new AssertionError("bug: a chain without causal path: from=" + from + " to=" + to);
            }
            int slot = toVisit[visited++];
            int txn = history.txnOf[slot];
            int reads = source.firstReadOf[txn + 1] - source.firstReadOf[txn];
            if (met + reads + 1 > toVisit.length) {
                toVisit = Arrays.copyOf(toVisit, 2 * (met + reads + 1));
            }
            if (source.positionOf(txn) > 0 && meetSlot(history.slotOf[txn - 1], slot, from, isMet)) {
                toVisit[met++] = history.slotOf[txn - 1];
            }
            for (int read = source.firstReadOf[txn]; read < source.firstReadOf[txn + 1]; read++) {
                int writer = source.writerOf[read];
                if (writer != ClientHistory.INITIAL && meetSlot(history.slotOf[writer], slot, from, isMet)) {
                    toVisit[met++] = history.slotOf[writer];
                }
            }
        }
        for (int slot = from; slot != to; slot = nextSlotOf[slot]) {
            usedSlots.set(slot);
        }
        usedSlots.set(to);
    }

    private boolean meetSlot(int slot, int next, int source, BitSet isMet) {
        boolean isPossible = slot == source || graph.comesBefore(graph.commitOf(source), graph.snapshotOf(slot));
        if (!isPossible || isMet.get(slot)) {
            return false;
        }
        isMet.set(slot);
        requireNonNull(nextSlotOf)[slot] = next;
        return true;
    }

    private void push(int edge) {
        if (isExplained.get(edge)) {
            return;
        }
        isExplained.set(edge);
        if (toExplainCount == toExplain.length) {
            toExplain = Arrays.copyOf(toExplain, 2 * toExplainCount);
        }
        toExplain[toExplainCount++] = edge;
    }
}
