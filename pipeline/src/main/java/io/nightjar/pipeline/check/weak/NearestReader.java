package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/**
 * Finds why one transaction was forced before another: a reader of the later one that had seen the earlier one, which
 * writes the key too. Holds the scratch of the search.
 */
final class NearestReader {

    /*
     * Breadth-first search from the earlier transaction along sessions and reads. Read committed and read atomic relate
     * directly, so they look no further than the earlier transaction's own readers and, read atomic only, at the rest of
     * its session.
     */

    private static final int NOBODY = -1;

    private final ClientHistory history;
    private final WriteSets writeSets;
    private final Digraph graph;
    private final int kinds;
    private final int[] seenIn;
    private final int[] cameFrom;
    private final int[] queue;
    private int search;
    private long steps;

    private int reader;
    private int key;
    private int[] path;

    /** @param kinds of edges that stand for sessions and reads */
    NearestReader(ClientHistory history, WriteSets writeSets, Digraph graph, int kinds) {
        this.history = history;
        this.writeSets = writeSets;
        this.graph = graph;
        this.kinds = kinds;
        this.seenIn = new int[history.txnCount];
        this.cameFrom = new int[history.txnCount];
        this.queue = new int[history.txnCount];
    }

    int reader() {
        return reader;
    }

    /** The key that the reader read from the later one. */
    int key() {
        return key;
    }

    /** The transactions from behind the earlier one up to the reader. */
    int[] path() {
        return path;
    }

    long steps() {
        return steps;
    }

    /** Searches for the reason of an edge that the level forces. */
    void find(IsolationLevel level, int earlier, int later) {
        int found =
                switch (level) {
                    case READ_COMMITTED -> findAmongReaders(earlier, later);
                    case READ_ATOMIC -> findAmongDirect(earlier, later);
                    default -> search(earlier, NOBODY, later);
                };
        if (found == NOBODY) {
            throw new AssertionError("cannot happen: level=" + level + " earlier=" + earlier + " later=" + later);
        }
        reader = found;
        path = level == IsolationLevel.CAUSAL ? pathTo(earlier, found) : new int[] {found};
    }

    /** The transactions behind one on a shortest way to another, which comes last. */
    int[] path(int from, int to) {
        search(from, to, NOBODY);
        return pathTo(from, to);
    }

    private int findAmongReaders(int earlier, int later) {
        for (int edge = graph.firstEdgeOf[earlier]; edge < graph.firstEdgeOf[earlier + 1]; edge++) {
            if (graph.allows(edge, kinds) && readsAfterSeeing(graph.headOf[edge], earlier, later)) {
                return graph.headOf[edge];
            }
        }
        return NOBODY;
    }

    private boolean readsAfterSeeing(int txn, int earlier, int later) {
        boolean hasSeen = false;
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
            steps++;
            if (hasSeen && isReason(read, earlier, later)) {
                return true;
            }
            hasSeen |= history.writerOf[read] == earlier;
        }
        return false;
    }

    private int findAmongDirect(int earlier, int later) {
        for (int edge = graph.firstEdgeOf[earlier]; edge < graph.firstEdgeOf[earlier + 1]; edge++) {
            if (graph.allows(edge, kinds) && reads(graph.headOf[edge], earlier, later)) {
                return graph.headOf[edge];
            }
        }
        int endOfSession = history.firstTxnOf[history.sessionOf[earlier] + 1];
        for (int txn = earlier + 1; txn < endOfSession; txn++) {
            if (reads(txn, earlier, later)) {
                return txn;
            }
        }
        return NOBODY;
    }

    /** Goes from one transaction until another is reached, or if that is nobody, until a reason is. */
    private int search(int from, int to, int later) {
        search++;
        int queued = 0;
        queue[queued++] = from;
        seenIn[from] = search;
        for (int next = 0; next < queued; next++) {
            int txn = queue[next];
            for (int edge = graph.firstEdgeOf[txn]; edge < graph.firstEdgeOf[txn + 1]; edge++) {
                steps++;
                int head = graph.headOf[edge];
                if (!graph.allows(edge, kinds) || seenIn[head] == search) {
                    continue;
                }
                seenIn[head] = search;
                cameFrom[head] = txn;
                if (to == NOBODY ? reads(head, from, later) : head == to) {
                    return head;
                }
                queue[queued++] = head;
            }
        }
        return NOBODY;
    }

    private boolean reads(int txn, int earlier, int later) {
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
            steps++;
            if (isReason(read, earlier, later)) {
                return true;
            }
        }
        return false;
    }

    private boolean isReason(int read, int earlier, int later) {
        if (history.writerOf[read] != later
                || history.keyOfRead[read] == ClientHistory.NO_KEY
                || !writeSets.writes(earlier, history.keyOfRead[read])) {
            return false;
        }
        key = history.keyOfRead[read];
        return true;
    }

    private int[] pathTo(int from, int to) {
        int length = 0;
        for (int txn = to; txn != from; txn = cameFrom[txn]) {
            length++;
        }
        int[] txns = new int[length];
        for (int txn = to; txn != from; txn = cameFrom[txn]) {
            txns[--length] = txn;
        }
        return withoutSessionSteps(from, txns);
    }

    /** Leaves out transactions between others of their session. */
    private int[] withoutSessionSteps(int from, int[] txns) {
        int count = 0;
        int before = from;
        for (int i = 0; i < txns.length; i++) {
            boolean isBetween = i + 1 < txns.length
                    && history.sessionOf[before] == history.sessionOf[txns[i]]
                    && history.sessionOf[txns[i]] == history.sessionOf[txns[i + 1]];
            if (!isBetween) {
                before = txns[i];
                txns[count++] = txns[i];
            }
        }
        return Arrays.copyOf(txns, count);
    }
}
