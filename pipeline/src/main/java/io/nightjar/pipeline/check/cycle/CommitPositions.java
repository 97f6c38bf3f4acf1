package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.infer.DependencyGraph;
import io.nightjar.pipeline.infer.OperationLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Positions of transactions in an order that commit timestamps and missed versions suggest. */
final class CommitPositions {

    /*
     * Definitions. A transaction misses a version that committed before it if it read an older one of the key. Its
     * position is its commit; just before the first version missed, if any; just after the start of a read-only
     * transaction all of whose reads are from its snapshot. At time t:
     *
     *   4 t + 1   transactions that missed a version committed at t, in commit order
     *   4 t + 2   transactions that committed at t: writers by id, then the others along their sessions
     *   4 t + 3   read-only transactions that started at t, along their sessions
     *
     * A transaction without a commit timestamp that others read is assumed to commit just before the first of them
     * starts.
     */

    private static final int SLOT_BITS = 2;
    private static final int BEFORE = 1;
    private static final int AT = 2;
    private static final int AFTER = 3;

    private final OperationLog log;
    private final long[] timeOf; // by transaction
    private final byte[] slotOf;
    private final long[] commitOf;
    private final boolean[] isReadOnly;

    private CommitPositions(OperationLog log) {
        this.log = log;
        timeOf = new long[log.txnCount];
        slotOf = new byte[log.txnCount];
        commitOf = new long[log.txnCount];
        isReadOnly = new boolean[log.txnCount];
        for (int txn = 0; txn < log.txnCount; txn++) {
            isReadOnly[txn] = !hasWrite(log, txn);
        }
    }

    /** @param known positions in the history that the log is a part of; null if it is whole */
    static CommitPositions of(
            OperationLog log, DependencyGraph graph, DependencyChecker.@Nullable KnownPositions known) {
        CommitPositions positions = new CommitPositions(log);
        positions.findCommits(graph);
        if (known == null) {
            positions.findPositions(graph);
        } else {
            positions.take(known);
        }
        return positions;
    }

    private void findCommits(DependencyGraph graph) {
        for (int txn = 0; txn < log.txnCount; txn++) {
            long recorded = log.commitTs == null ? HistorySlice.NONE : log.commitTs[txn];
            commitOf[txn] = HistorySlice.commitTs(startOf(txn), recorded, isReadOnly[txn]);
        }
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (commitOf[txn] != HistorySlice.NONE) {
                continue;
            }
            long first = Long.MAX_VALUE;
            for (int edge = graph.edges().firstEdgeOf[txn]; edge < graph.edges().firstEdgeOf[txn + 1]; edge++) {
                int reader = graph.edges().headOf[edge];
                if (graph.edges().kindsOf[edge] == DependencyGraph.WR && startOf(reader) != HistorySlice.NONE) {
                    first = Math.min(first, startOf(reader));
                }
            }
            commitOf[txn] = first == Long.MAX_VALUE ? startOf(txn) : first;
        }
    }

    private long startOf(int txn) {
        return log.startTs == null ? HistorySlice.NONE : log.startTs[txn];
    }

    private void findPositions(DependencyGraph graph) {
        boolean[] isOfSnapshot = isReadOnly.clone();
        long[] missed = new long[log.txnCount];
        Arrays.fill(missed, Long.MAX_VALUE);
        for (int source = 0; source < log.txnCount; source++) {
            for (int edge = graph.edges().firstEdgeOf[source]; edge < graph.edges().firstEdgeOf[source + 1]; edge++) {
                int target = graph.edges().headOf[edge];
                byte kind = graph.edges().kindsOf[edge];
                if (target < log.txnCount && kind == DependencyGraph.WR) {
                    isOfSnapshot[target] &= commitOf[source] <= startOf(target);
                } else if (target < log.txnCount && kind == DependencyGraph.RW) {
                    isOfSnapshot[source] &= commitOf[target] > startOf(source);
                    if (commitOf[target] < commitOf[source]) {
                        missed[source] = Math.min(missed[source], commitOf[target]);
                    }
                }
            }
        }
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (isOfSnapshot[txn]) {
                timeOf[txn] = startOf(txn);
                slotOf[txn] = AFTER;
            } else {
                timeOf[txn] = Math.min(missed[txn], commitOf[txn]);
                slotOf[txn] = missed[txn] < commitOf[txn] ? (byte) BEFORE : AT;
            }
        }
    }

    private void take(DependencyChecker.KnownPositions known) {
        for (int txn = 0; txn < log.txnCount; txn++) {
            long position = known.of(log.txnId[txn], isReadOnly[txn], startOf(txn), commitOf[txn]);
            timeOf[txn] = position >> SLOT_BITS;
            slotOf[txn] = (byte) (position & ((1 << SLOT_BITS) - 1));
        }
    }

    private static boolean hasWrite(OperationLog log, int txn) {
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(log.kind[op])) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a transaction precedes another one. */
    boolean isBefore(int txn, int other) {
        if (timeOf[txn] != timeOf[other]) {
            return timeOf[txn] < timeOf[other];
        }
        if (slotOf[txn] != slotOf[other]) {
            return slotOf[txn] < slotOf[other];
        }
        if (slotOf[txn] == AFTER) {
            return isBeforeInSessions(txn, other);
        }
        if (commitOf[txn] != commitOf[other]) {
            return commitOf[txn] < commitOf[other];
        }
        if (isReadOnly[txn] != isReadOnly[other]) {
            return isReadOnly[other];
        }
        return isReadOnly[txn] ? isBeforeInSessions(txn, other) : log.txnId[txn] < log.txnId[other];
    }

    private boolean isBeforeInSessions(int txn, int other) {
        return log.sessionId[txn] != log.sessionId[other]
                ? log.sessionId[txn] < log.sessionId[other]
                : log.sessionSeq[txn] < log.sessionSeq[other];
    }
}
