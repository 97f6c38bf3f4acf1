package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import org.jspecify.annotations.Nullable;

/**
 * Topological order of the transactions of a history: each after its session predecessor, the writers it read from, and
 * any given further predecessors.
 */
public final class CausalOrder {

    /*
     * Algorithm. Depth-first search over predecessors with an explicit stack. No graph is required: the predecessors
     * are the previous transaction of the session, then the writers of the reads, then those given by the caller. A
     * transaction is appended to the order when all its predecessors are.
     *
     * Cost. Linear in transactions, reads and given predecessors.
     */

    private static final int UNSEEN = 0;
    private static final int OPEN = -1;
    private static final int DONE = -2;

    private CausalOrder() {}

    /** Returns all transactions in an order that respects sessions and reads, or null if none exists. */
    public static int @Nullable [] of(ClientHistory history) {
        return of(history, null, null);
    }

    /**
     * Returns all transactions in an order that respects sessions, reads and the given further predecessors.
     *
     * @param before predecessors of transaction {@code txn}, from {@code before[firstBeforeOf[txn]]} to the first of
     *     the next transaction
     * @return null if no such order exists
     */
    public static int @Nullable [] of(ClientHistory history, int @Nullable [] firstBeforeOf, int @Nullable [] before) {
        int txnCount = history.txnCount;
        int[] sessionOf = history.sessionOf;
        int[] firstReadOf = history.firstReadOf;
        int[] writerOf = history.writerOf;
        int[] order = new int[txnCount];
        int ordered = 0;
        byte[] stateOf = new byte[txnCount];
        int[] nextReadOf = new int[txnCount];
        int[] nextBeforeOf = before == null ? null : new int[txnCount];
        int[] path = new int[txnCount];
        for (int last = 0; last < txnCount; last++) {
            if (stateOf[last] != UNSEEN) {
                continue;
            }
            int depth = 0;
            path[0] = last;
            while (depth >= 0) {
                int txn = path[depth];
                int found = ClientHistory.INITIAL;
                if (stateOf[txn] == UNSEEN) {
                    stateOf[txn] = OPEN;
                    nextReadOf[txn] = firstReadOf[txn];
                    if (firstBeforeOf != null && nextBeforeOf != null) {
                        nextBeforeOf[txn] = firstBeforeOf[txn];
                    }
                    if (txn > 0 && sessionOf[txn - 1] == sessionOf[txn]) {
                        if (stateOf[txn - 1] == OPEN) {
                            return null;
                        }
                        if (stateOf[txn - 1] == UNSEEN) {
                            path[++depth] = txn - 1;
                            continue;
                        }
                    }
                }
                int read = nextReadOf[txn];
                int endOfReads = firstReadOf[txn + 1];
                while (read < endOfReads && found == ClientHistory.INITIAL) {
                    int writer = writerOf[read++];
                    if (writer != ClientHistory.INITIAL && stateOf[writer] != DONE) {
                        found = writer;
                    }
                }
                nextReadOf[txn] = read;
                if (found == ClientHistory.INITIAL && before != null && firstBeforeOf != null && nextBeforeOf != null) {
                    int next = nextBeforeOf[txn];
                    int end = firstBeforeOf[txn + 1];
                    while (next < end && found == ClientHistory.INITIAL) {
                        int earlier = before[next++];
                        if (stateOf[earlier] != DONE) {
                            found = earlier;
                        }
                    }
                    nextBeforeOf[txn] = next;
                }
                if (found == ClientHistory.INITIAL) {
                    stateOf[txn] = DONE;
                    order[ordered++] = txn;
                    depth--;
                } else if (stateOf[found] == OPEN) {
                    return null;
                } else {
                    path[++depth] = found;
                }
            }
        }
        return order;
    }

    /**
     * Returns the same transactions by the length of their longest path of predecessors, smallest first: nearly the
     * order in which they happened, whereas a search may place a transaction with few successors very late.
     */
    public static int[] byDepth(ClientHistory history, int[] causalOrder) {
        int[] depthOf = new int[causalOrder.length];
        int deepest = 0;
        for (int txn : causalOrder) {
            boolean isFirst = txn == 0 || history.sessionOf[txn - 1] != history.sessionOf[txn];
            int depth = isFirst ? 0 : depthOf[txn - 1] + 1;
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.writerOf[read] != ClientHistory.INITIAL) {
                    depth = Math.max(depth, depthOf[history.writerOf[read]] + 1);
                }
            }
            depthOf[txn] = depth;
            deepest = Math.max(deepest, depth);
        }
        int[] next = new int[deepest + 2];
        for (int depth : depthOf) {
            next[depth + 1]++;
        }
        CountingSort.addUp(next);
        int[] order = new int[causalOrder.length];
        for (int txn : causalOrder) {
            order[next[depthOf[txn]]++] = txn;
        }
        return order;
    }
}
