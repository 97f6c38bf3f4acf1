package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/**
 * Finds why one transaction was forced before another: a reader of the later one that had seen the earlier one, which
 * writes the key too. Holds the scratch of the search.
 */
final class ForcedEdgeExplainer {

    /*
     * Algorithm. Read committed and read atomic relate directly, so they search only the earlier transaction's own
     * readers and, read atomic only, the rest of its session. Causal consistency searches along sessions and reads.
     */

    private static final int NO_TXN = ShortestPath.NO_TXN;

    private final ClientHistory history;
    private final WriteSets writeSets;
    private final Digraph graph;
    private final int readKind;
    private final ShortestPath ways;
    private long steps;

    private int reader;
    private int key;
    private int[] path;

    /** @param readKind kind of the edges from a writer to its reader */
    ForcedEdgeExplainer(ClientHistory history, WriteSets writeSets, Digraph graph, int readKind) {
        this.history = history;
        this.writeSets = writeSets;
        this.graph = graph;
        this.readKind = readKind;
        this.ways = new ShortestPath(history, graph, null);
    }

    int reader() {
        return reader;
    }

    /** Returns the key that the reader read from the later one. */
    int key() {
        return key;
    }

    /** Returns the transactions after the earlier one up to the reader. */
    int[] path() {
        return path;
    }

    long steps() {
        return steps + ways.steps();
    }

    /** Searches for the reason of an edge that the level forces. */
    @SetsFields
    void find(IsolationLevel level, int earlier, int later) {
        int found =
                switch (level) {
                    case READ_COMMITTED -> findAmongReaders(earlier, later);
                    case READ_ATOMIC -> findAmongDirect(earlier, later);
                    default -> ways.find(earlier, readKind, history.txnCount, txn -> reads(txn, earlier, later));
                };
        if (found == NO_TXN) {
            throw new AssertionError("bug: level=" + level + " earlier=" + earlier + " later=" + later);
        }
        reader = found;
        path = level == IsolationLevel.CAUSAL ? pathAfterFirst() : new int[] {found};
    }

    /** Returns the transactions of a shortest path without its first, with its end last. */
    int[] path(int from, int to) {
        ways.find(from, readKind, history.txnCount, txn -> txn == to);
        return pathAfterFirst();
    }

    private int findAmongReaders(int earlier, int later) {
        for (int edge = graph.firstEdgeOf[earlier]; edge < graph.firstEdgeOf[earlier + 1]; edge++) {
            if (graph.allows(edge, readKind) && readsAfterSeeing(graph.headOf[edge], earlier, later)) {
                return graph.headOf[edge];
            }
        }
        return NO_TXN;
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
            if (graph.allows(edge, readKind) && reads(graph.headOf[edge], earlier, later)) {
                return graph.headOf[edge];
            }
        }
        int endOfSession = history.firstTxnOf[history.sessionOf[earlier] + 1];
        for (int txn = earlier + 1; txn < endOfSession; txn++) {
            if (reads(txn, earlier, later)) {
                return txn;
            }
        }
        return NO_TXN;
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

    private int[] pathAfterFirst() {
        return Arrays.copyOfRange(ways.txns(), 1, ways.txns().length);
    }
}
