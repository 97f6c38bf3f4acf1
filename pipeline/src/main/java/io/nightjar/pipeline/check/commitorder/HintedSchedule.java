package io.nightjar.pipeline.check.commitorder;

import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.infer.Answers;
import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import java.util.Arrays;

/** A topological order of a graph's nodes that follows a hint, and the reads that it does not explain. */
final class HintedSchedule {

    /*
     * Algorithm. The next node has the smallest number of the hint among the nodes whose predecessors are placed; a
     * snapshot precedes its commit, and has a separate number if the source has one. The replay of the order compares
     * each read and observation with the last writer of its key. Where overlaps are forbidden, it also compares each writer with the last writer.
     */

    private static final int NONE = -1;

    /** Receives the mismatches of an order. Returns whether to continue. */
    interface MismatchConsumer {

        /** Receives an observation, or a read with a known writer, and the version that is current instead. */
        boolean read(int reader, int observation, int version, int current);

        /** Receives a computed answer, and by how much the current versions add up to more. */
        boolean answer(int reader, int answer, long excess);

        /** Receives two writers of a key of which the second took its snapshot before the first committed. */
        boolean overlap(int first, int second, int key);
    }

    private final OrderGraph graph;
    private final ChainedHistory history;
    private final long[] numberOf; // of commits, by slot
    private final long[] snapshotNumberOf; // by slot
    private final int[] nodeAt;
    private boolean isStopped;
    final int[] positionOf; // by node

    /** @param hint numbers by transaction of the source, smaller first */
    HintedSchedule(OrderGraph graph, long[] hint) {
        this.graph = graph;
        this.history = graph.history;
        this.numberOf = new long[history.txnCount];
        for (int slot = 0; slot < numberOf.length; slot++) {
            numberOf[slot] = hint[history.txnOf[slot]];
        }
        long[][] hints = history.source.hints;
        this.snapshotNumberOf = graph.shift == 0 || hints.length < 2 ? numberOf : new long[history.txnCount];
        for (int slot = 0; snapshotNumberOf != numberOf && slot < numberOf.length; slot++) {
            snapshotNumberOf[slot] = hints[hints.length - 1][history.txnOf[slot]];
        }
        this.nodeAt = new int[graph.nodeCount];
        this.positionOf = new int[graph.nodeCount];
    }

    /** Sorts the nodes, whose rows must be acyclic. */
    void sort(EdgePropagation edges) {
        int[] inDegree = new int[graph.nodeCount];
        for (int node = 0; node < graph.nodeCount; node++) {
            edges.forEachSuccessor(node, next -> inDegree[next]++);
        }
        IntHeapPriorityQueue ready = new IntHeapPriorityQueue(this::compareByHint);
        for (int node = 0; node < graph.nodeCount; node++) {
            if (inDegree[node] == 0) {
                ready.enqueue(node);
            }
        }
        int count = 0;
        while (!ready.isEmpty()) {
            int node = ready.dequeueInt();
            positionOf[node] = count;
            nodeAt[count++] = node;
            edges.forEachSuccessor(node, next -> {
                if (--inDegree[next] == 0) {
                    ready.enqueue(next);
                }
            });
        }
        if (count < graph.nodeCount) {
            throw new AssertionError(
                    "bug: rows without a cycle cannot be sorted: nodes=" + graph.nodeCount + " sorted=" + count);
        }
    }

    private int compareByHint(int a, int b) {
        int difference = Long.compare(numberOf(a), numberOf(b));
        return difference != 0 ? difference : Integer.compare(a, b);
    }

    private long numberOf(int node) {
        return (graph.isCommit(node) ? numberOf : snapshotNumberOf)[graph.slotOf(node)];
    }

    /** Returns the order as a witness. */
    CommitOrder order() {
        int[] snapshotOf = new int[history.txnCount];
        int[] commitOf = new int[history.txnCount];
        for (int slot = 0; slot < history.txnCount; slot++) {
            snapshotOf[history.txnOf[slot]] = positionOf[graph.snapshotOf(slot)];
            commitOf[history.txnOf[slot]] = positionOf[graph.commitOf(slot)];
        }
        return graph.shift == 0 ? CommitOrder.serial(commitOf) : new CommitOrder(snapshotOf, commitOf);
    }

    /** Replays the order; returns whether it explains everything. */
    boolean replay(MismatchConsumer consumer) {
        int[] currentOf = new int[history.source.keyCount];
        long[] sumOf = new long[graph.candidates == null ? 0 : currentOf.length];
        Arrays.fill(currentOf, ChainedHistory.INITIAL);
        boolean isExplained = true;
        for (int node : nodeAt) {
            int slot = graph.slotOf(node);
            if (graph.isSnapshot(node)) {
                boolean areCurrent = readsAreCurrent(slot, currentOf, sumOf, consumer);
                isExplained &= areCurrent;
            }
            if (graph.isCommit(node)) {
                for (int write = history.firstWriteOf[slot]; write < history.firstWriteOf[slot + 1]; write++) {
                    int version = history.versionOfWrite[write];
                    int key = history.keyOfVersion[version];
                    int last = currentOf[key];
                    if (graph.forbidsOverlap
                            && last != ChainedHistory.INITIAL
                            && positionOf[graph.commitOf(history.writerOfVersion[last])]
                                    > positionOf[graph.snapshotOf(slot)]) {
                        isExplained = false;
                        if (!consumer.overlap(history.writerOfVersion[last], slot, key)) {
                            return false;
                        }
                    }
                    currentOf[key] = version;
                    if (graph.candidates != null) {
                        sumOf[key] += graph.candidates.observations.deltaOf(history.txnOf[slot], key);
                    }
                }
            }
            if (!isExplained && isStopped) {
                return false;
            }
        }
        return isExplained;
    }

    private boolean readsAreCurrent(int slot, int[] currentOf, long[] sumOf, MismatchConsumer consumer) {
        boolean areCurrent = true;
        for (int read = history.firstReadOf[slot]; read < history.firstReadOf[slot + 1]; read++) {
            int version = history.versionOfRead[read];
            int current = currentOf[history.keyOfVersion[version]];
            if (current != version) {
                areCurrent = false;
                if (!consumer.read(slot, NONE, version, current)) {
                    isStopped = true;
                    return false;
                }
            }
        }
        CandidateVersions candidates = graph.candidates;
        if (candidates == null) {
            return areCurrent;
        }
        int txn = history.txnOf[slot];
        for (int observation = candidates.observations.firstOf[txn];
                observation < candidates.observations.firstOf[txn + 1];
                observation++) {
            int key = candidates.observations.keyRead(observation);
            int current = currentOf[key];
            if (!candidates.observations.accepts(observation, writerOf(current), sumOf[key])) {
                areCurrent = false;
                if (!consumer.read(slot, observation, NONE, current)) {
                    isStopped = true;
                    return false;
                }
            }
        }
        Answers answers = candidates.observations.answers;
        for (int answer = answers.firstOf[txn]; answer < answers.firstOf[txn + 1]; answer++) {
            long excess = answers.excess(answer, key -> writerOf(currentOf[key]));
            if (excess != 0) {
                areCurrent = false;
                if (!consumer.answer(slot, answer, excess)) {
                    isStopped = true;
                    return false;
                }
            }
        }
        return areCurrent;
    }

    private int writerOf(int version) {
        return version == ChainedHistory.INITIAL ? version : history.txnOf[history.writerOfVersion[version]];
    }
}
