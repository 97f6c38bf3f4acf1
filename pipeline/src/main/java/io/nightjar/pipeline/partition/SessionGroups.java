package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.infer.LogPartitioning;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The groups that a history falls apart into: sessions that touch a key together are in one, and so is a transaction
 * that touches a key with one of them. The largest first.
 */
public final class SessionGroups {

    /*
     * Only real time relates two groups: session order does not, since a session is in one group, and neither do reads
     * and versions, since a key is in one group. So every other level holds for a history exactly if it holds for each
     * of them.
     *
     * Sessions and keys are nodes of a forest, keys first; a transaction of any status joins its session with its keys:
     *
     *   parentOf[node]    leads to the root of the tree, which is the group
     */

    private static final int UNSEEN = -1;

    private final OperationLog log;
    private final int[] sessionOf; // by row, numbered after the keys
    private final int[] parentOf;
    private int count;
    private @Nullable LogPartitioning cut; // null if all of it is one group

    private SessionGroups(OperationLog log, int[] sessionOf, int sessionCount) {
        this.log = log;
        this.sessionOf = sessionOf;
        parentOf = new int[log.keyCount + sessionCount];
        count = parentOf.length;
    }

    public static SessionGroups of(OperationLog log) {
        LongOrdinals sessions = new LongOrdinals();
        int[] sessionOf = new int[log.txnCount];
        for (int row = 0; row < log.txnCount; row++) {
            sessionOf[row] = log.keyCount + sessions.ordinal(log.sessionId[row]);
        }
        SessionGroups groups = new SessionGroups(log, sessionOf, sessions.size());
        groups.join();
        if (groups.count > 1) {
            groups.cut();
        }
        return groups;
    }

    public int count() {
        return Math.max(1, count);
    }

    public int txnCount(int group) {
        return cut == null ? log.txnCount : cut.txnCount(group);
    }

    /**
     * Returns the operations of a group as a log of its rows alone; nothing is copied if the log has one group. Any
     * thread may call it.
     */
    public OperationLog log(int group) {
        return cut == null ? log : cut.partition(group);
    }

    // ---------------------------------------------------------------- joining

    private void join() {
        for (int node = 0; node < parentOf.length; node++) {
            parentOf[node] = node;
        }
        int[] key = log.key;
        for (int row = 0; row < log.txnCount && count > 1; row++) {
            int root = root(sessionOf[row]);
            for (int op = log.firstOpOf[row]; op < log.firstOpOf[row + 1]; op++) {
                if (parentOf[key[op]] != root) {
                    int other = root(key[op]);
                    if (other != root) {
                        parentOf[other] = root;
                        count--;
                    }
                }
            }
        }
    }

    private int root(int node) {
        int at = node;
        while (parentOf[at] != at) {
            parentOf[at] = parentOf[parentOf[at]];
            at = parentOf[at];
        }
        return at;
    }

    // ---------------------------------------------------------------- cutting

    private void cut() {
        int[] groupOfRoot = new int[parentOf.length];
        long[] sizes = numberRows(groupOfRoot);
        int[] numberOf = numbersBySize(sizes);
        int[] groupOfRow = sessionOf;
        for (int row = 0; row < log.txnCount; row++) {
            groupOfRow[row] = numberOf[groupOfRow[row]];
        }
        cut = new LogPartitioning(log, count, groupOfRow, groupOfKeys(groupOfRoot, numberOf));
    }

    /** Puts groups, numbered by their first rows, into the array of sessions; returns their sizes, negative. */
    private long[] numberRows(int[] groupOfRoot) {
        Arrays.fill(groupOfRoot, UNSEEN);
        int[] groupOfRow = sessionOf;
        long[] sizes = new long[count];
        int found = 0;
        for (int row = 0; row < log.txnCount; row++) {
            int root = root(sessionOf[row]);
            if (groupOfRoot[root] == UNSEEN) {
                groupOfRoot[root] = found++;
            }
            groupOfRow[row] = groupOfRoot[root];
            sizes[groupOfRow[row]]--;
        }
        return sizes;
    }

    private int[] groupOfKeys(int[] groupOfRoot, int[] numberOf) {
        int[] groupOfKey = new int[log.keyCount];
        for (int key = 0; key < log.keyCount; key++) {
            groupOfKey[key] = numberOf[groupOfRoot[root(key)]];
        }
        return groupOfKey;
    }

    /** @param sizes negative; groups of one size keep their order, which is that of their first rows */
    private static int[] numbersBySize(long[] sizes) {
        int[] bySize = new int[sizes.length];
        for (int group = 0; group < bySize.length; group++) {
            bySize[group] = group;
        }
        RadixSort.sort(sizes, bySize, bySize.length);
        int[] numberOf = new int[bySize.length];
        for (int number = 0; number < numberOf.length; number++) {
            numberOf[bySize[number]] = number;
        }
        return numberOf;
    }
}
