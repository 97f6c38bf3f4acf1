package io.nightjar.pipeline.check.frontier;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import org.jspecify.annotations.Nullable;

/** Precedences between steps in addition to session order, which is implied. */
final class Precedence {

    private final TxnSteps steps;
    private final IntColumn fromOf = new IntColumn();
    private final IntColumn toOf = new IntColumn();

    /** The steps after step {@code s}: {@code successorOf[firstSuccessorOf[s] .. firstSuccessorOf[s + 1]]}. */
    int[] firstSuccessorOf;

    int[] successorOf;

    /** Steps in an order that respects all precedences; as many as precede a cycle. */
    int[] order;

    int orderedCount;

    /** @param extra among steps, null if nothing more is known */
    Precedence(TxnSteps steps, @Nullable Digraph extra) {
        this.steps = steps;
        addReads();
        addVersions();
        if (extra != null) {
            addAll(extra);
        }
    }

    void add(int from, int to) {
        fromOf.add(from);
        toOf.add(to);
    }

    private void addReads() {
        ClientHistory history = steps.history;
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.writerOf[read] != ClientHistory.INITIAL) {
                    add(steps.commitOf(history.writerOf[read]), steps.snapshotOf(txn));
                }
            }
        }
    }

    /** Neighbours in the known order of a key, and its last one before the writers that are not listed. */
    private void addVersions() {
        ClientHistory history = steps.history;
        if (!history.knowsVersionOrders()) {
            return;
        }
        int[] lastOfKey = new int[history.keyCount];
        int[] listedFor = new int[history.writeCount];
        for (int key = 0; key < history.keyCount; key++) {
            lastOfKey[key] = TxnSteps.NONE;
            for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
                int writer = history.txnOfVersion[version];
                listedFor[writeOf(writer, key)]++;
                if (lastOfKey[key] != TxnSteps.NONE && lastOfKey[key] != writer) {
                    addVersionOrder(lastOfKey[key], writer);
                }
                lastOfKey[key] = writer;
            }
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int last = lastOfKey[history.keyOfWrite[write]];
                if (listedFor[write] == 0 && last != TxnSteps.NONE) {
                    addVersionOrder(last, txn);
                }
            }
        }
    }

    private int writeOf(int txn, int key) {
        ClientHistory history = steps.history;
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            if (history.keyOfWrite[write] == key) {
                return write;
            }
        }
        throw new AssertionError("bug: a version without a write: txn=" + txn + " key=" + key);
    }

    private void addVersionOrder(int older, int newer) {
        add(steps.commitOf(older), steps.forbidsOverlap ? steps.snapshotOf(newer) : steps.commitOf(newer));
    }

    private void addAll(Digraph extra) {
        for (int from = 0; from < extra.vertexCount; from++) {
            for (int edge = extra.firstEdgeOf[from]; edge < extra.firstEdgeOf[from + 1]; edge++) {
                add(from, extra.headOf[edge]);
            }
        }
    }

    /** Returns, by step, how many entries of {@link #successorOf} name it. */
    int[] countPredecessors() {
        int[] counts = new int[steps.stepCount];
        for (int successor : successorOf) {
            counts[successor]++;
        }
        return counts;
    }

    /** Sorts the steps so that all precedences are respected; returns false if that is impossible. */
    @SetsFields
    boolean sort() {
        index();
        int stepCount = steps.stepCount;
        int[] waitsFor = countPredecessors();
        boolean[] isLast = new boolean[stepCount];
        order = new int[stepCount];
        orderedCount = 0;
        for (int session = 0; session < steps.history.sessionCount; session++) {
            int first = steps.firstStepOf(session);
            int end = steps.firstStepOf(session + 1);
            for (int step = first + 1; step < end; step++) {
                waitsFor[step]++;
            }
            if (first < end) {
                isLast[end - 1] = true;
            }
        }
        for (int step = 0; step < stepCount; step++) {
            if (waitsFor[step] == 0) {
                order[orderedCount++] = step;
            }
        }
        for (int done = 0; done < orderedCount; done++) {
            int step = order[done];
            if (!isLast[step] && --waitsFor[step + 1] == 0) {
                order[orderedCount++] = step + 1;
            }
            for (int i = firstSuccessorOf[step]; i < firstSuccessorOf[step + 1]; i++) {
                if (--waitsFor[successorOf[i]] == 0) {
                    order[orderedCount++] = successorOf[i];
                }
            }
        }
        return orderedCount == stepCount;
    }

    @SetsFields
    private void index() {
        firstSuccessorOf = CountingSort.firstOf(fromOf, steps.stepCount);
        successorOf = CountingSort.values(fromOf, toOf, firstSuccessorOf);
    }
}
