package io.nightjar.pipeline.check.commitorder;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Known order of a history's transactions at one level: nodes in chains, forced edges, clock rows. */
final class OrderGraph {

    /*
     * Layout. At serializability a slot has one node. At levels with snapshots it has two, the snapshot before the
     * commit:
     *
     *   SER      node = slot
     *   SI, PC   snapshot = 2 * slot, commit = 2 * slot + 1
     *
     * A chain contains all its nodes in this order: snapshot, commit, next snapshot, next commit. Positions count nodes
     * in a chain. So a count in a clock row states how many transactions of the chain have committed (count >> shift),
     * and how many have taken their snapshot (count + shift >> shift).
     */

    final ChainedHistory history;
    final IsolationLevel level;

    /** 1 if nodes are halves, else 0. */
    final int shift;

    /** Whether two writers of a key must not overlap. */
    final boolean forbidsOverlap;

    final int nodeCount;
    final ForcedEdges edges = new ForcedEdges();

    /** Null if each read has one writer. */
    final @Nullable CandidateVersions candidates;

    /** Number of edges at the beginning of each pass of saturation: a proof from few edges is short. */
    final IntArrayList edgesBeforePass = new IntArrayList();

    /** Observations from which nothing more can be derived. */
    final BitSet settledObservations = new BitSet();

    /** Null until they can be computed. */
    ChainClocks clocks;

    /** Bytes of an edge with its reason, its positions in lists and the reserve of the arrays. */
    private static final long BYTES_PER_EDGE = 64;

    private static final long BYTES_PER_TRAIL_ENTRY = 8;

    /** Entries of the undo log are numbered by ints. */
    private static final long MAX_EDGE_BYTES = 8L << 30;

    OrderGraph(ChainedHistory history, IsolationLevel level) {
        this.history = history;
        this.level = level;
        this.shift = level == IsolationLevel.SERIALIZABLE ? 0 : 1;
        this.forbidsOverlap = level == IsolationLevel.SNAPSHOT_ISOLATION;
        this.nodeCount = Math.multiplyExact(history.txnCount, 1 << shift);
        this.candidates = history.candidates;
    }

    @SetsFields
    void allocateClocks() {
        clocks = new ChainClocks(nodeCount, history.chainCount);
    }

    /** Returns the bytes of the clock rows. */
    long rowBytes() {
        return ChainClocks.byteSize(nodeCount, history.chainCount);
    }

    /** Returns whether the edges and the log of a search exceed the memory that the rows leave. */
    boolean exceedsMemory(Budget budget, int trailSize) {
        long bytes = edges.size * BYTES_PER_EDGE + trailSize * BYTES_PER_TRAIL_ENTRY;
        return bytes > Math.min(MAX_EDGE_BYTES, budget.memoryBytes() - rowBytes());
    }

    int snapshotOf(int slot) {
        return slot << shift;
    }

    int commitOf(int slot) {
        return (slot << shift) + shift;
    }

    int slotOf(int node) {
        return node >> shift;
    }

    boolean isSnapshot(int node) {
        return shift == 0 || (node & 1) == 0;
    }

    boolean isCommit(int node) {
        return shift == 0 || (node & 1) == 1;
    }

    int chainOf(int node) {
        return history.chainOf[node >> shift];
    }

    int positionOf(int node) {
        return node - (history.firstOf[history.chainOf[node >> shift]] << shift);
    }

    boolean isFirstOfChain(int node) {
        return positionOf(node) == 0;
    }

    boolean isLastOfChain(int node) {
        return node + 1 == history.firstOf[chainOf(node) + 1] << shift;
    }

    /** Returns whether the rows order {@code from} before {@code to}. */
    boolean comesBefore(int from, int to) {
        return clocks.get(to, chainOf(from)) > positionOf(from);
    }
}
