package io.nightjar.pipeline.check.commitorder;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.Observations;
import io.nightjar.pipeline.primitive.CountingSort;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds edges to a saturated commit-order graph, extends clock rows and derives further edges; every change can be
 * undone.
 */
final class EdgePropagation {

    /*
     * Definitions. A node's clock row counts, per chain, the leading nodes of the chain that precede the node; it grows
     * in a column when that count increases. A node's rank is its number of predecessors.
     *
     * Layout. The successors of a node are
     *
     *   node + 1, if it is in the same chain
     *   outNode[firstOut[node] .. firstOut[node + 1])    edges found by saturation (numbers below firstEdge)
     *   lastOut[node], outBefore[edge - firstEdge], ...  edges added later, newest first (lastIn, inBefore: predecessors)
     *
     * Algorithm. A queue contains nodes whose grown rows must still be joined into the rows of their successors. A
     * queued node lists its grown columns (growthOf[node], growthBefore[growth], ...); a join reads only those, or the
     * whole row if they number more than maxGrowths.
     *
     * An observation is derived again if its snapshot and a writer of its key, or two writers of the key, are newly
     * ordered. Growth by other nodes adds nothing that a witness needs.
     *
     * Invariant. After DONE every row includes the rows of all predecessors, and each edge derivable from the order of
     * readers and writers of a key has been added or is implied by the rows.
     *
     * Cost. A join takes O(grown columns), at most O(width); undo takes O(changed cells + removed edges). The undo log
     * contains each changed cell (node * width + chain, an unsigned int) and its previous count.
     *
     * Source. The rules of OrderSaturation.
     */

    enum Outcome {
        DONE,
        /** A node comes before itself. */
        CYCLE,
        BUDGET_SPENT,
        /** The edges and the undo log exceed the available memory. */
        TOO_LARGE
    }

    static final int NONE = -1;
    private static final int BUDGET_MASK = 0xFF;

    /** Cost of a column in a list of grown columns, relative to its cost in a whole row. */
    private static final int LIST_COST_FACTOR = 8;

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final ForcedEdges edges;
    private final ChainClocks clocks;
    private final Budget budget;

    private final int firstEdge;
    private final int[] firstOut;
    private final int[] outNode;
    private final int[] lastOut;
    private final int[] lastIn;
    private int[] outBefore = new int[64];
    private int[] inBefore = new int[64];
    private boolean[] isLinked = new boolean[64];

    /** Edges from here on are still to be followed. */
    private int nextEdge;

    private final int[] rankOf;
    private final UndoLog trail = new UndoLog();
    private boolean isRecording;

    // Ring of nodes whose row grew and has not been joined into the rows of their successors.
    private final int[] queue;
    private final boolean[] isQueued;
    private int queueHead;
    private int queueSize;

    // Columns of a queued node that its successors have not received.
    private final int[] growthOf;
    private final int[] growthCountOf;
    private final int maxGrowths;
    private int[] grownChain = new int[1 << 10];
    private int[] growthBefore = new int[1 << 10];
    private int growthSize;

    private int cycleNode = NONE;
    private int steps;

    // Columns that the last join changed.
    private final int[] changedChain;
    private final int[] countBefore;

    // Keys of the current transaction, marked by era: the version it read or wrote.
    private final int[] eraOfKey;
    private final int[] versionOfKey;
    private int era;

    // Observations to derive from again once all edges have been followed.
    private final @Nullable CandidateDerivation byCandidates; // null if each read has one writer
    private final BitSet grownObservations = new BitSet();
    // Observations that saturation did not settle, by key: firstOpenOf[key] .. firstOpenOf[key + 1].
    private final int[] firstOpenOf;
    private final int[] openObservation;
    private final int[] openReader; // slots, ascending within a key
    private final IntArrayList observationsToDerive = new IntArrayList();
    private int nextObservation;

    /**
     * @param activeEdges the edges that the rows were computed from, with numbers below {@code firstEdge}
     * @param firstEdge first edge to propagate
     */
    EdgePropagation(OrderGraph graph, int[] activeEdges, int firstEdge, Budget budget) {
        this.graph = graph;
        this.history = graph.history;
        this.edges = graph.edges;
        this.clocks = graph.clocks;
        this.budget = budget;
        this.firstEdge = firstEdge;
        this.nextEdge = firstEdge;
        int nodes = graph.nodeCount;
        this.firstOut = new int[nodes + 1];
        this.outNode = new int[activeEdges.length];
        layOut(activeEdges);
        this.lastOut = new int[nodes];
        this.lastIn = new int[nodes];
        Arrays.fill(lastOut, NONE);
        Arrays.fill(lastIn, NONE);
        this.rankOf = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            rankOf[node] = clocks.rank(node);
        }
        this.queue = new int[nodes];
        this.isQueued = new boolean[nodes];
        this.growthOf = new int[nodes];
        Arrays.fill(growthOf, NONE);
        this.growthCountOf = new int[nodes];
        this.maxGrowths = 1 + clocks.width / LIST_COST_FACTOR;
        this.changedChain = new int[clocks.width];
        this.countBefore = new int[clocks.width];
        this.eraOfKey = new int[history.source.keyCount];
        this.versionOfKey = new int[history.source.keyCount];
        CandidateVersions candidates = graph.candidates;
        this.byCandidates = candidates == null ? null : new CandidateDerivation(graph, candidates);
        int open = candidates == null ? 0 : candidates.observations.count - graph.settledObservations.cardinality();
        this.firstOpenOf = new int[history.source.keyCount + 1];
        this.openObservation = new int[open];
        this.openReader = new int[open];
        if (candidates != null) {
            listOpenObservations(candidates);
        }
    }

    private void listOpenObservations(CandidateVersions candidates) {
        Observations observations = candidates.observations;
        for (int observation = 0; observation < observations.count; observation++) {
            if (!graph.settledObservations.get(observation)) {
                firstOpenOf[observations.keyRead(observation) + 1]++;
            }
        }
        CountingSort.addUp(firstOpenOf);
        int[] next = Arrays.copyOf(firstOpenOf, history.source.keyCount);
        for (int slot = 0; slot < history.txnCount; slot++) {
            int txn = history.txnOf[slot];
            for (int observation = observations.firstOf[txn];
                    observation < observations.firstOf[txn + 1];
                    observation++) {
                if (!graph.settledObservations.get(observation)) {
                    int index = next[observations.keyRead(observation)]++;
                    openObservation[index] = observation;
                    openReader[index] = slot;
                }
            }
        }
    }

    private void layOut(int[] activeEdges) {
        for (int edge : activeEdges) {
            firstOut[edges.from[edge] + 1]++;
        }
        CountingSort.addUp(firstOut);
        int[] next = Arrays.copyOf(firstOut, graph.nodeCount);
        for (int edge : activeEdges) {
            outNode[next[edges.from[edge]]++] = edges.to[edge];
        }
    }

    /** Returns the first edge that saturation did not find. */
    int firstEdge() {
        return firstEdge;
    }

    /** Returns the number of predecessors of a node. */
    int rankOf(int node) {
        return rankOf[node];
    }

    /** Returns a node on the cycle that was found. */
    int cycleNode() {
        return cycleNode;
    }

    /** Returns the last propagated edge into a node, or {@link #NONE}. */
    int lastIn(int node) {
        return lastIn[node];
    }

    int inBefore(int edge) {
        return inBefore[edge - firstEdge];
    }

    /** Begins to record changes, so that they can be undone. */
    void startRecording() {
        isRecording = true;
    }

    int trailSize() {
        return trail.size();
    }

    /** Restores rows and edges to the state with the given number of trail entries and edges. */
    void undo(int trailSize, int edgeCount) {
        int width = clocks.width;
        for (int i = trail.size() - 1; i >= trailSize; i--) {
            int node = Integer.divideUnsigned(trail.cell(i), width);
            int chain = Integer.remainderUnsigned(trail.cell(i), width);
            rankOf[node] -= clocks.get(node, chain) - trail.value(i);
            clocks.set(node, chain, trail.value(i));
        }
        trail.shrinkTo(trailSize);
        for (int edge = Math.min(nextEdge, edges.size) - 1; edge >= edgeCount; edge--) {
            if (isLinked[edge - firstEdge]) {
                lastOut[edges.from[edge]] = outBefore[edge - firstEdge];
                lastIn[edges.to[edge]] = inBefore[edge - firstEdge];
            }
        }
        edges.size = edgeCount;
        nextEdge = edgeCount;
        while (queueSize > 0) {
            clearGrowth(poll());
        }
        grownObservations.clear();
        observationsToDerive.clear();
        nextObservation = 0;
    }

    /** Propagates all added edges, and the edges derived from them. */
    Outcome run() {
        cycleNode = NONE;
        while (cycleNode == NONE) {
            if ((++steps & BUDGET_MASK) == 0 && budget.isSpent()) {
                return Outcome.BUDGET_SPENT;
            }
            if (byCandidates != null && graph.exceedsMemory(budget, trail.size())) {
                return Outcome.TOO_LARGE;
            }
            if (queueSize > 0) {
                int node = poll();
                propagateToSuccessors(node);
                clearGrowth(node);
            } else if (nextEdge < edges.size) {
                growthSize = 0;
                addEdge(nextEdge++);
            } else if (byCandidates == null || !deriveFromObservation(byCandidates)) {
                return Outcome.DONE;
            }
        }
        return Outcome.CYCLE;
    }

    /** Derives edges from the next observation whose rows grew; returns false without any. */
    private boolean deriveFromObservation(CandidateDerivation derivation) {
        if (nextObservation == observationsToDerive.size()) {
            listGrownObservations();
        }
        if (observationsToDerive.isEmpty()) {
            return false;
        }
        derivation.derive(observationsToDerive.getInt(nextObservation++), edges::add);
        return true;
    }

    private void listGrownObservations() {
        observationsToDerive.clear();
        nextObservation = 0;
        int next = grownObservations.nextSetBit(0);
        for (; next >= 0; next = grownObservations.nextSetBit(next + 1)) {
            observationsToDerive.add(next);
        }
        grownObservations.clear();
    }

    private int poll() {
        int node = queue[queueHead];
        queueHead = queueHead + 1 == queue.length ? 0 : queueHead + 1;
        queueSize--;
        isQueued[node] = false;
        return node;
    }

    private void recordGrowth(int node, int changes) {
        growthCountOf[node] += changes;
        if (growthCountOf[node] > maxGrowths) {
            return;
        }
        if (growthSize + changes > grownChain.length) {
            int capacity = Math.addExact(growthSize + changes, growthSize);
            grownChain = Arrays.copyOf(grownChain, capacity);
            growthBefore = Arrays.copyOf(growthBefore, capacity);
        }
        for (int i = 0; i < changes; i++) {
            grownChain[growthSize] = changedChain[i];
            growthBefore[growthSize] = growthOf[node];
            growthOf[node] = growthSize++;
        }
    }

    private void clearGrowth(int node) {
        growthOf[node] = NONE;
        growthCountOf[node] = 0;
    }

    private void enqueue(int node) {
        if (isQueued[node]) {
            return;
        }
        isQueued[node] = true;
        int tail = queueHead + queueSize;
        queue[tail >= queue.length ? tail - queue.length : tail] = node;
        queueSize++;
    }

    private void addEdge(int edge) {
        int index = edge - firstEdge;
        if (index >= isLinked.length) {
            int capacity = Math.addExact(index, index >> 1);
            outBefore = Arrays.copyOf(outBefore, capacity);
            inBefore = Arrays.copyOf(inBefore, capacity);
            isLinked = Arrays.copyOf(isLinked, capacity);
        }
        int from = edges.from[edge];
        int to = edges.to[edge];
        isLinked[index] = !graph.comesBefore(from, to);
        if (isLinked[index]) {
            outBefore[index] = lastOut[from];
            lastOut[from] = edge;
            inBefore[index] = lastIn[to];
            lastIn[to] = edge;
            join(from, to);
        }
    }

    private void propagateToSuccessors(int node) {
        if (!graph.isLastOfChain(node)) {
            propagateTo(node, node + 1);
        }
        for (int out = firstOut[node]; out < firstOut[node + 1] && cycleNode == NONE; out++) {
            propagateTo(node, outNode[out]);
        }
        for (int edge = lastOut[node]; edge != NONE && cycleNode == NONE; edge = outBefore[edge - firstEdge]) {
            propagateTo(node, edges.to[edge]);
        }
    }

    /** Passes each direct successor of a node to a consumer. */
    void forEachSuccessor(int node, IntConsumer consumer) {
        if (!graph.isLastOfChain(node)) {
            consumer.accept(node + 1);
        }
        for (int out = firstOut[node]; out < firstOut[node + 1]; out++) {
            consumer.accept(outNode[out]);
        }
        for (int edge = lastOut[node]; edge != NONE; edge = outBefore[edge - firstEdge]) {
            consumer.accept(edges.to[edge]);
        }
    }

    private void propagateTo(int node, int successor) {
        if (growthCountOf[node] > maxGrowths) {
            join(node, successor);
        } else {
            joinGrowth(node, successor);
        }
    }

    /** Joins two rows: all that comes before {@code from}, and it itself, comes before {@code to}. */
    private void join(int from, int to) {
        int width = clocks.width;
        int[] fromBlock = clocks.blockOf(from);
        int fromBase = clocks.baseOf(from);
        int[] block = clocks.blockOf(to);
        int base = clocks.baseOf(to);
        int changes = 0;
        int growth = 0;
        int fromChain = graph.chainOf(from);
        int fromCount = graph.positionOf(from) + 1;
        if (fromCount > block[base + fromChain]) {
            changedChain[changes] = fromChain;
            countBefore[changes++] = block[base + fromChain];
            growth += fromCount - block[base + fromChain];
            block[base + fromChain] = fromCount;
        }
        for (int chain = 0; chain < width; chain++) {
            int count = fromBlock[fromBase + chain];
            int before = block[base + chain];
            if (count > before) {
                changedChain[changes] = chain;
                countBefore[changes++] = before;
                block[base + chain] = count;
                growth += count - before;
            }
        }
        if (changes > 0) {
            grow(to, changes, growth);
        }
    }

    /** Joins only the growth of {@code from} into a {@code to} that includes the rest. */
    private void joinGrowth(int from, int to) {
        int[] fromBlock = clocks.blockOf(from);
        int fromBase = clocks.baseOf(from);
        int[] block = clocks.blockOf(to);
        int base = clocks.baseOf(to);
        int changes = 0;
        int growth = 0;
        for (int i = growthOf[from]; i != NONE; i = growthBefore[i]) {
            int chain = grownChain[i];
            int count = fromBlock[fromBase + chain];
            int before = block[base + chain];
            if (count > before) {
                changedChain[changes] = chain;
                countBefore[changes++] = before;
                block[base + chain] = count;
                growth += count - before;
            }
        }
        if (changes > 0) {
            grow(to, changes, growth);
        }
    }

    private void grow(int to, int changes, int growth) {
        rankOf[to] += growth;
        if (isRecording) {
            int cell = to * clocks.width;
            for (int i = 0; i < changes; i++) {
                trail.push(cell + changedChain[i], countBefore[i]);
            }
        }
        if (graph.comesBefore(to, to)) {
            cycleNode = to;
            return;
        }
        enqueue(to);
        recordGrowth(to, changes);
        derive(to, changes);
        if (byCandidates != null) {
            markObservations(to, changes);
        }
    }

    /** Marks the observations of keys that a node reads or writes from which its growth may derive edges. */
    private void markObservations(int node, int changes) {
        int slot = graph.slotOf(node);
        if (graph.isSnapshot(node)) {
            Observations observations = requireNonNull(history.source.observations);
            int txn = history.txnOf[slot];
            for (int observation = observations.firstOf[txn];
                    observation < observations.firstOf[txn + 1];
                    observation++) {
                if (!graph.settledObservations.get(observation)
                        && isAnyNew(observations.keyRead(observation), node, changes)) {
                    grownObservations.set(observation);
                }
            }
        }
        if (graph.isCommit(node)) {
            for (int write = history.firstWriteOf[slot]; write < history.firstWriteOf[slot + 1]; write++) {
                markObservations(history.versionOfWrite[write], node, changes);
            }
        }
    }

    /** Returns whether a writer of a key is new in a row that grew. */
    private boolean isAnyNew(int key, int node, int changes) {
        for (int i = 0; i < changes; i++) {
            int from = history.firstOf[changedChain[i]] + (countBefore[i] >> graph.shift);
            int to = history.firstOf[changedChain[i]] + (clocks.get(node, changedChain[i]) >> graph.shift);
            if (lastVersion(key, from, to) != NONE) {
                return true;
            }
        }
        return false;
    }

    /**
     * Marks the observations whose snapshot is new in the row of a writer; if another writer is new in it, also all
     * whose snapshot neither comes before the writer nor follows the next version of its chain.
     */
    private void markObservations(int version, int commit, int changes) {
        int key = history.keyOfVersion[version];
        int end = firstOpenOf[key + 1];
        for (int i = 0; i < changes; i++) {
            int first = history.firstOf[changedChain[i]];
            int from = first + (countBefore[i] + graph.shift >> graph.shift);
            int to = first + (clocks.get(commit, changedChain[i]) + graph.shift >> graph.shift);
            int open = firstNotBelow(from, firstOpenOf[key], end);
            for (; open < end && openReader[open] < to; open++) {
                grownObservations.set(openObservation[open]);
            }
        }
        if (!isAnyNew(key, commit, changes)) {
            return;
        }
        CandidateVersions candidates = requireNonNull(graph.candidates);
        boolean isLast = version + 1 == candidates.firstOfRun[candidates.runOf[version] + 1];
        int next = isLast ? NONE : graph.commitOf(history.writerOfVersion[version + 1]);
        for (int open = firstOpenOf[key]; open < end; open++) {
            int snapshot = graph.snapshotOf(openReader[open]);
            if (!graph.comesBefore(snapshot, commit) && (next == NONE || !graph.comesBefore(next, snapshot))) {
                grownObservations.set(openObservation[open]);
            }
        }
    }

    /** Returns the first open observation of a range whose reader's slot is not below a number. */
    private int firstNotBelow(int slot, int first, int end) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = low + high >>> 1;
            if (openReader[middle] < slot) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    // ---------------------------------------------------------------- from a row that grew to edges

    private void derive(int node, int changes) {
        int slot = graph.slotOf(node);
        int shift = graph.shift;
        if (graph.isSnapshot(node)) {
            int first = history.firstReadOf[slot];
            int end = history.firstReadOf[slot + 1];
            if (first < end) {
                mark(history.versionOfRead, first, end);
                for (int i = 0; i < changes; i++) {
                    int from = history.firstOf[changedChain[i]];
                    int count = clocks.get(node, changedChain[i]);
                    deriveFromReads(slot, from + (countBefore[i] >> shift), from + (count >> shift));
                }
            }
        }
        if (graph.isCommit(node)) {
            int first = history.firstWriteOf[slot];
            int end = history.firstWriteOf[slot + 1];
            if (first < end) {
                mark(history.versionOfWrite, first, end);
                for (int i = 0; i < changes; i++) {
                    int from = history.firstOf[changedChain[i]];
                    int count = clocks.get(node, changedChain[i]);
                    deriveFromWrites(slot, from + (countBefore[i] >> shift), from + (count >> shift));
                    if (graph.forbidsOverlap) {
                        deriveNoOverlap(slot, from + (countBefore[i] + 1 >> 1), from + (count + 1 >> 1));
                    }
                }
            }
        }
    }

    private void mark(int[] versions, int first, int end) {
        if (++era == Integer.MAX_VALUE) {
            Arrays.fill(eraOfKey, 0);
            era = 1;
        }
        for (int i = first; i < end; i++) {
            int key = history.keyOfVersion[versions[i]];
            eraOfKey[key] = era;
            versionOfKey[key] = versions[i];
        }
    }

    /** Derives edges after the slots {@code from .. to} became predecessors of a reader. */
    private void deriveFromReads(int slot, int from, int to) {
        int reads = history.firstReadOf[slot + 1] - history.firstReadOf[slot];
        if (isLong(from, to, reads)) {
            for (int read = history.firstReadOf[slot]; read < history.firstReadOf[slot + 1]; read++) {
                int version = lastVersion(history.keyOfVersion[history.versionOfRead[read]], from, to);
                if (version != NONE) {
                    addOverwritten(version, history.versionOfRead[read], slot);
                }
            }
            return;
        }
        for (int other = to - 1; other >= from; other--) {
            for (int write = history.firstWriteOf[other]; write < history.firstWriteOf[other + 1]; write++) {
                int key = history.keyOfVersion[history.versionOfWrite[write]];
                if (eraOfKey[key] == era) {
                    addOverwritten(history.versionOfWrite[write], versionOfKey[key], slot);
                }
            }
        }
    }

    private void addOverwritten(int seenVersion, int readVersion, int reader) {
        int from = graph.commitOf(history.writerOfVersion[seenVersion]);
        int to = graph.commitOf(history.writerOfVersion[readVersion]);
        if (seenVersion != readVersion && !graph.comesBefore(from, to)) {
            edges.add(from, to, ForcedEdges.OVERWRITTEN, history.keyOfVersion[readVersion], reader);
        }
    }

    /** Derives edges after the slots {@code from .. to} became predecessors of a writer's commit. */
    private void deriveFromWrites(int slot, int from, int to) {
        int writes = history.firstWriteOf[slot + 1] - history.firstWriteOf[slot];
        if (isLong(from, to, writes)) {
            for (int write = history.firstWriteOf[slot]; write < history.firstWriteOf[slot + 1]; write++) {
                int version = lastVersion(history.keyOfVersion[history.versionOfWrite[write]], from, to);
                if (version != NONE) {
                    addOverwrites(version, slot);
                }
            }
            return;
        }
        for (int other = to - 1; other >= from; other--) {
            for (int write = history.firstWriteOf[other]; write < history.firstWriteOf[other + 1]; write++) {
                int version = history.versionOfWrite[write];
                if (eraOfKey[history.keyOfVersion[version]] == era) {
                    addOverwrites(version, slot);
                }
            }
        }
    }

    private void addOverwrites(int version, int writer) {
        int to = graph.commitOf(writer);
        for (int i = history.firstReaderOf[version]; i < history.firstReaderOf[version + 1]; i++) {
            int reader = history.reader[i];
            int from = graph.snapshotOf(reader);
            if (reader != writer && !graph.comesBefore(from, to)) {
                edges.add(
                        from,
                        to,
                        ForcedEdges.OVERWRITES,
                        history.keyOfVersion[version],
                        history.writerOfVersion[version]);
            }
        }
    }

    /** Derives edges after the snapshots of the slots {@code from .. to} became predecessors of a writer's commit. */
    private void deriveNoOverlap(int slot, int from, int to) {
        if (from >= to || history.chainOf[from] == history.chainOf[slot]) {
            return;
        }
        int writes = history.firstWriteOf[slot + 1] - history.firstWriteOf[slot];
        if (isLong(from, to, writes)) {
            for (int write = history.firstWriteOf[slot]; write < history.firstWriteOf[slot + 1]; write++) {
                int version = lastVersion(history.keyOfVersion[history.versionOfWrite[write]], from, to);
                if (version != NONE) {
                    addNoOverlap(version, slot);
                }
            }
            return;
        }
        for (int other = to - 1; other >= from; other--) {
            for (int write = history.firstWriteOf[other]; write < history.firstWriteOf[other + 1]; write++) {
                int version = history.versionOfWrite[write];
                if (eraOfKey[history.keyOfVersion[version]] == era) {
                    addNoOverlap(version, slot);
                    break;
                }
            }
        }
    }

    private void addNoOverlap(int version, int slot) {
        int from = graph.commitOf(history.writerOfVersion[version]);
        int to = graph.snapshotOf(slot);
        if (!graph.comesBefore(from, to)) {
            edges.add(from, to, ForcedEdges.NO_OVERLAP, history.keyOfVersion[version], ForcedEdges.NONE);
        }
    }

    /** Returns whether searching each key is cheaper than scanning the slots. */
    private static boolean isLong(int from, int to, int keys) {
        return to - from > 4 + keys;
    }

    /** Returns the last version of a key that was written in the slots {@code from .. to}, or {@link #NONE}. */
    private int lastVersion(int key, int from, int to) {
        int low = history.firstVersionOf[key];
        int high = history.firstVersionOf[key + 1];
        while (low < high) {
            int middle = low + high >>> 1;
            if (history.writerOfVersion[middle] < to) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int version = low - 1;
        boolean isInside = version >= history.firstVersionOf[key] && history.writerOfVersion[version] >= from;
        return isInside ? version : NONE;
    }
}
