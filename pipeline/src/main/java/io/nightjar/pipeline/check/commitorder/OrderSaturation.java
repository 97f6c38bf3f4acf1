package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Derivation of the order forced by the reads, pass by pass: rows from edges, edges from rows, until no edge is new.
 */
final class OrderSaturation {

    /*
     * Definitions. For a key x, "comes before" is the order of the rows:
     *
     *   r read x from w, w' wrote x too and comes before r                  w' -> w
     *   w and t wrote x, w comes before t, r read x from w                  r  -> t
     *   SI: w and t wrote x, the snapshot of w comes before the commit of t: commit of w -> snapshot of t
     *
     * Algorithm. Of the writers of x in one chain only the last that comes before matters: the others precede it. Keys
     * are processed separately, and of each only nodes whose row has changed since the last pass. If ranks exclude most
     * writers, RankDerivation checks the few remaining ones. Else each chain that writes the key has a cursor.
     *
     * Invariant. A cursor only advances, because along a chain's operations on a key rows only grow. Edges implied by
     * the rows are skipped, or dropped from the graph if they become implied later; they remain forced edges, since
     * reasons of other edges may depend on them.
     *
     * Source. docs/papers.md#biswas-enea, axioms
     */

    /** Outcome of saturation. */
    enum Outcome {
        /** Nothing is left to derive, or so little that it is cheaper to follow it edge by edge. */
        SATURATED,
        CYCLE,
        BUDGET_SPENT,
        /** The rows, or the edges derived from observations, exceed the available memory. */
        TOO_LARGE
    }

    static final int NONE = -1;

    /** Maximum number of cycles compared for the fewest required transactions. */
    private static final int MAX_CYCLES = 8;

    /** The same where reads have candidates, since the exclusion of each candidate takes a search. */
    private static final int MAX_CYCLES_OF_CANDIDATES = 2;

    private static final int FEW_CHAINS = 3;

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final ForcedEdges edges;
    private @Nullable ChainClocks clocks;
    private final Budget budget;
    private final int edgesToFollow;

    private final CursorDerivation byCursors;

    /** Null if the chains are so few that cursors are as good. */
    private final @Nullable RankDerivation byRank;

    /** Null if each read has one writer. */
    private final @Nullable CandidateDerivation byCandidates;

    /** The edges that no others imply, as far as is known. */
    private int[] active = new int[0];

    private int activeCount;

    /** Edges with smaller numbers are in the rows. */
    private int firstNewEdge;

    private final int[] closingEdges = new int[MAX_CYCLES];
    private final int maxCycles;
    private int closingCount;
    private int passes;
    private int observationSteps;

    private final int[] order;
    private final int[] inDegree;
    private final int[] firstOut;
    private final int[] firstIn;
    private int[] outEdge = new int[0];
    private int[] inEdge = new int[0];
    private final boolean[] isChanged;
    private final int[] newRow;

    /** @param edgesToFollow end as soon as a pass adds no more edges than this */
    OrderSaturation(OrderGraph graph, Budget budget, int edgesToFollow) {
        this.graph = graph;
        this.history = graph.history;
        this.edges = graph.edges;
        this.budget = budget;
        this.edgesToFollow = edgesToFollow;
        this.order = new int[graph.nodeCount];
        this.inDegree = new int[graph.nodeCount];
        this.firstOut = new int[graph.nodeCount + 1];
        this.firstIn = new int[graph.nodeCount + 1];
        this.isChanged = new boolean[graph.nodeCount];
        int chains = history.chainCount;
        this.byRank = chains > FEW_CHAINS ? new RankDerivation(graph, this) : null;
        this.newRow = new int[chains];
        this.byCursors = new CursorDerivation(graph, this);
        this.byCandidates = graph.candidates == null ? null : new CandidateDerivation(graph, graph.candidates);
        this.maxCycles = byCandidates == null ? MAX_CYCLES : MAX_CYCLES_OF_CANDIDATES;
    }

    Outcome run(long maxRowBytes) {
        addSessionOrder();
        addReadsFrom();
        addVersionOrders();
        while (true) {
            if (budget.isSpent()) {
                return Outcome.BUDGET_SPENT;
            }
            graph.edgesBeforePass.add(edges.size);
            gatherActive();
            layOutSuccessors();
            if (sortTopologically() < graph.nodeCount) {
                return Outcome.CYCLE;
            }
            if (clocks == null) {
                if (graph.rowBytes() > maxRowBytes) {
                    return Outcome.TOO_LARGE;
                }
                graph.allocateClocks();
                clocks = graph.clocks;
            }
            if (!computeRows()) {
                return Outcome.BUDGET_SPENT;
            }
            Outcome derived = deriveAll();
            if (derived != Outcome.SATURATED) {
                return derived;
            }
            passes++;
            if (edges.size - firstNewEdge <= edgesToFollow) {
                return Outcome.SATURATED;
            }
        }
    }

    int passes() {
        return passes;
    }

    /** Returns, after a cycle, edges each of which closed a cycle. If empty, {@link #rest} has to be searched. */
    int[] closingEdges() {
        return Arrays.copyOf(closingEdges, closingCount);
    }

    /** Returns the first edge that is not in the rows yet. */
    int firstNewEdge() {
        return firstNewEdge;
    }

    /** Returns the edges in the rows that no others in them imply. */
    int[] activeEdges() {
        return Arrays.copyOf(active, activeCount);
    }

    /** Returns, after a cycle without closing edges, the nodes on cycles and their successors. */
    boolean[] rest() {
        boolean[] isRest = new boolean[graph.nodeCount];
        for (int node = 0; node < graph.nodeCount; node++) {
            isRest[node] = inDegree[node] > 0;
        }
        return isRest;
    }

    // ---------------------------------------------------------------- initial edges

    /** Adds session order where sessions are spread over chains. */
    private void addSessionOrder() {
        ClientHistory source = history.source;
        for (int txn = 1; txn < history.txnCount; txn++) {
            int from = history.slotOf[txn - 1];
            int to = history.slotOf[txn];
            boolean isOneSession = source.sessionOf[txn - 1] == source.sessionOf[txn];
            if (isOneSession && history.chainOf[from] != history.chainOf[to]) {
                edges.add(
                        graph.commitOf(from),
                        graph.snapshotOf(to),
                        ForcedEdges.SESSION_ORDER,
                        ForcedEdges.NONE,
                        ForcedEdges.NONE);
            }
        }
    }

    private void addReadsFrom() {
        ClientHistory source = history.source;
        edges.expect(Math.max(64, source.readCount / 2));
        for (int slot = 0; slot < history.txnCount; slot++) {
            int txn = history.txnOf[slot];
            for (int read = source.firstReadOf[txn]; read < source.firstReadOf[txn + 1]; read++) {
                int writer = source.writerOf[read];
                if (writer == ClientHistory.INITIAL) {
                    continue;
                }
                int from = history.slotOf[writer];
                boolean isEarlierInChain = history.chainOf[from] == history.chainOf[slot] && from < slot;
                if (!isEarlierInChain) {
                    edges.add(
                            graph.commitOf(from),
                            graph.snapshotOf(slot),
                            ForcedEdges.READ_FROM,
                            source.keyOfRead[read],
                            ForcedEdges.NONE);
                }
            }
        }
    }

    private void addVersionOrders() {
        ClientHistory source = history.source;
        if (!source.knowsVersionOrders()) {
            return;
        }
        boolean[] isListed = new boolean[history.versionCount];
        for (int key = 0; key < source.keyCount; key++) {
            int end = source.firstVersionOf[key + 1];
            int last = NONE;
            for (int version = source.firstVersionOf[key]; version < end; version++) {
                int slot = history.slotOf[source.txnOfVersion[version]];
                isListed[history.versionOf(slot, key)] = true;
                if (last != NONE) {
                    addVersionEdge(last, slot, key);
                }
                last = slot;
            }
            if (last == NONE) {
                continue;
            }
            int lastChain = NONE;
            for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
                int slot = history.writerOfVersion[version];
                if (!isListed[version] && history.chainOf[slot] != lastChain) {
                    lastChain = history.chainOf[slot];
                    addVersionEdge(last, slot, key);
                }
            }
        }
    }

    private void addVersionEdge(int from, int to, int key) {
        edges.add(graph.commitOf(from), graph.commitOf(to), ForcedEdges.VERSION_ORDER, key, ForcedEdges.NONE);
    }

    // ---------------------------------------------------------------- from edges to rows

    private void gatherActive() {
        int added = edges.size - firstNewEdge;
        if (activeCount + added > active.length) {
            active = Arrays.copyOf(active, activeCount + added + (activeCount + added >> 2));
        }
        for (int edge = firstNewEdge; edge < edges.size; edge++) {
            active[activeCount++] = edge;
        }
        if (outEdge.length < activeCount) {
            outEdge = new int[active.length];
            inEdge = new int[active.length];
        }
    }

    private void layOutSuccessors() {
        Arrays.fill(firstOut, 0);
        Arrays.fill(inDegree, 0);
        for (int i = 0; i < activeCount; i++) {
            firstOut[edges.from[active[i]] + 1]++;
            inDegree[edges.to[active[i]]]++;
        }
        firstIn[0] = 0;
        for (int node = 0; node < graph.nodeCount; node++) {
            firstOut[node + 1] += firstOut[node];
            firstIn[node + 1] = firstIn[node] + inDegree[node];
        }
        int[] next = order; // it is filled only afterwards
        System.arraycopy(firstOut, 0, next, 0, graph.nodeCount);
        for (int i = 0; i < activeCount; i++) {
            outEdge[next[edges.from[active[i]]]++] = active[i];
        }
    }

    /** Returns how many nodes could be sorted. */
    private int sortTopologically() {
        int end = 0;
        for (int node = 0; node < graph.nodeCount; node++) {
            if (!graph.isFirstOfChain(node)) {
                inDegree[node]++;
            } else if (inDegree[node] == 0) {
                order[end++] = node;
            }
        }
        for (int done = 0; done < end; done++) {
            int node = order[done];
            if (!graph.isLastOfChain(node) && --inDegree[node + 1] == 0) {
                order[end++] = node + 1;
            }
            for (int out = firstOut[node]; out < firstOut[node + 1]; out++) {
                int successor = edges.to[outEdge[out]];
                if (--inDegree[successor] == 0) {
                    order[end++] = successor;
                }
            }
        }
        return end;
    }

    private boolean computeRows() {
        layOutPredecessors();
        int kept = 0;
        for (int i = 0; i < graph.nodeCount; i++) {
            if ((i & 0xFFF) == 0 && budget.isSpent()) {
                return false;
            }
            int node = order[i];
            boolean isFirst = graph.isFirstOfChain(node);
            isChanged[node] = false;
            if (mayHaveChanged(node, isFirst)) {
                kept = computeRow(node, isFirst, kept);
            } else {
                for (int in = firstIn[node]; in < firstIn[node + 1]; in++) {
                    active[kept++] = inEdge[in];
                }
            }
        }
        activeCount = kept;
        firstNewEdge = edges.size;
        return true;
    }

    /**
     * Lists the predecessors of each node, the latest in the topological order first: a predecessor it implies needs no
     * join.
     */
    private void layOutPredecessors() {
        int[] next = inDegree; // all zero: everything was sorted
        for (int i = graph.nodeCount - 1; i >= 0; i--) {
            int node = order[i];
            for (int out = firstOut[node]; out < firstOut[node + 1]; out++) {
                int to = edges.to[outEdge[out]];
                inEdge[firstIn[to] + next[to]++] = outEdge[out];
            }
        }
    }

    private boolean mayHaveChanged(int node, boolean isFirst) {
        if (passes == 0 || !isFirst && isChanged[node - 1]) {
            return true;
        }
        for (int in = firstIn[node]; in < firstIn[node + 1]; in++) {
            if (inEdge[in] >= firstNewEdge || isChanged[edges.from[inEdge[in]]]) {
                return true;
            }
        }
        return false;
    }

    /** Keeps in {@code active} the edges to this node that are needed; returns how many edges it holds then. */
    private int computeRow(int node, boolean isFirst, int activeBefore) {
        int width = requireNonNull(clocks).width;
        int[] row = newRow;
        if (isFirst) {
            Arrays.fill(row, 0);
        } else {
            System.arraycopy(clocks.blockOf(node - 1), clocks.baseOf(node - 1), row, 0, width);
        }
        row[graph.chainOf(node)] = graph.positionOf(node);
        int kept = activeBefore;
        for (int in = firstIn[node]; in < firstIn[node + 1]; in++) {
            int edge = inEdge[in];
            int from = edges.from[edge];
            int chain = graph.chainOf(from);
            int position = graph.positionOf(from);
            if (row[chain] > position) {
                continue;
            }
            int[] block = clocks.blockOf(from);
            int base = clocks.baseOf(from);
            for (int i = 0; i < width; i++) {
                row[i] = Math.max(row[i], block[base + i]);
            }
            row[chain] = position + 1;
            active[kept++] = edge;
        }
        int[] block = clocks.blockOf(node);
        int base = clocks.baseOf(node);
        if (passes == 0 || !Arrays.equals(row, 0, width, block, base, base + width)) {
            System.arraycopy(row, 0, block, base, width);
            isChanged[node] = true;
        }
        return kept;
    }

    // ---------------------------------------------------------------- from rows to edges

    private Outcome deriveAll() {
        if (byRank != null) {
            byRank.refresh();
        }
        int keys = history.source.keyCount;
        for (int key = 0; key < keys; key++) {
            if ((key & 0xFF) == 0 && budget.isSpent()) {
                return Outcome.BUDGET_SPENT;
            }
            if (passes == 0) {
                deriveFromInitialReads(key);
            }
            if (closingCount < maxCycles) {
                derive(key);
            }
            if (byCandidates != null && closingCount < maxCycles) {
                Outcome derived = deriveFromObservations(key, byCandidates);
                if (derived != Outcome.SATURATED) {
                    return derived;
                }
            }
            if (closingCount == maxCycles) {
                break;
            }
        }
        return closingCount > 0 ? Outcome.CYCLE : Outcome.SATURATED;
    }

    private void deriveFromInitialReads(int key) {
        int lastReader = history.firstInitialReaderOf[key + 1];
        if (history.firstInitialReaderOf[key] == lastReader) {
            return;
        }
        int chain = NONE;
        for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
            int writer = history.writerOfVersion[version];
            if (history.chainOf[writer] == chain) {
                continue;
            }
            chain = history.chainOf[writer];
            for (int i = history.firstInitialReaderOf[key]; i < lastReader; i++) {
                addOverwrites(history.initialReader[i], writer, key, ChainedHistory.INITIAL);
            }
        }
    }

    private void derive(int key) {
        int versions = history.firstVersionOf[key + 1] - history.firstVersionOf[key];
        int touches = history.firstTouchOf[key + 1] - history.firstTouchOf[key];
        boolean isNeverRead = touches == versions;
        if (versions < 2 || isNeverRead && !graph.forbidsOverlap) {
            return;
        }
        if (hasChanged(key) && (byRank == null || !byRank.derive(key))) {
            byCursors.derive(key);
        }
    }

    private Outcome deriveFromObservations(int key, CandidateDerivation derivation) {
        CandidateVersions candidates = graph.candidates;
        int end = requireNonNull(candidates).firstObservationOf[key + 1];
        boolean haveWritersChanged = candidates.firstObservationOf[key] < end && hasWriterChanged(key);
        for (int i = candidates.firstObservationOf[key]; i < end && closingCount < maxCycles; i++) {
            int observation = candidates.observationOf[i];
            boolean hasChanged =
                    haveWritersChanged || isChanged[graph.snapshotOf(candidates.readerSlotOf[observation])];
            if (hasChanged && !graph.settledObservations.get(observation)) {
                if ((++observationSteps & 0xFF) == 0 && budget.isSpent()) {
                    return Outcome.BUDGET_SPENT;
                }
                if (graph.exceedsMemory(budget, 0)) {
                    return Outcome.TOO_LARGE;
                }
                graph.settledObservations.set(observation, derivation.derive(observation, this::add));
            }
        }
        return Outcome.SATURATED;
    }

    private boolean hasWriterChanged(int key) {
        for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
            if (isChanged[graph.commitOf(history.writerOfVersion[version])]) {
                return true;
            }
        }
        return false;
    }

    private boolean hasChanged(int key) {
        for (int touch = history.firstTouchOf[key]; touch < history.firstTouchOf[key + 1]; touch++) {
            if (isChanged(touch)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the row that a read or write depends on has changed since edges were derived from it. */
    boolean isChanged(int touch) {
        int slot = history.slotOfTouch[touch];
        boolean isRead = history.versionOfTouch[touch] >= 0;
        return isChanged[isRead ? graph.snapshotOf(slot) : graph.commitOf(slot)];
    }

    /** Adds the edge from a reader to the transaction that overwrote the version it read, unless it is implied. */
    void addOverwrites(int reader, int writer, int key, int because) {
        int from = graph.snapshotOf(reader);
        int to = graph.commitOf(writer);
        if (reader != writer && !graph.comesBefore(from, to)) {
            add(from, to, ForcedEdges.OVERWRITES, key, because);
        }
    }

    boolean hasEnoughCycles() {
        return closingCount == maxCycles;
    }

    /** Adds an edge that the rows do not imply. */
    void add(int from, int to, byte rule, int key, int because) {
        int edge = edges.add(from, to, rule, key, because);
        if (closingCount < maxCycles && graph.comesBefore(to, from)) {
            closingEdges[closingCount++] = edge;
        }
    }
}
