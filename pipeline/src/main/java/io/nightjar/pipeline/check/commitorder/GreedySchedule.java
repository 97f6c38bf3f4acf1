package io.nightjar.pipeline.check.commitorder;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.longs.LongHeapPriorityQueue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Scheduler that appends transactions so that none overwrites a version with pending readers; it never backtracks. */
final class GreedySchedule {

    /*
     * Layout.
     *
     *   version                                     the write that made it, or writeCount + key for the initial state
     *   pendingOf[version]                          number of transactions with a pending read of it
     *   firstWaitingOf[version], nextWaiting[txn]   transactions that wait to overwrite it
     *
     * Algorithm. A transaction may be placed if its predecessors in the session, the writers it read from and the
     * writers of known earlier versions are placed, and no other transaction has a pending read of a version that it
     * overwrites. Of the candidates, the smallest number is placed; a transaction that would overwrite too early waits
     * at the version until its readers are placed. The scheduler may get stuck although another choice would have
     * succeeded; it then has no result.
     *
     * Invariant. Every version read is current when its reader is placed, so an order that includes all transactions is
     * serial.
     *
     * Cost. O((reads + writes) log transactions). No memory beyond the size of the history, where clock rows would not
     * fit.
     */

    private static final int NONE = ClientHistory.NO_WRITE;
    private static final int STEPS_BETWEEN_LOOKS = 1 << 12;

    private final ClientHistory history;
    private final Budget budget;
    private final int[] versionOfRead; // NONE for a read that does not keep its version from being overwritten
    private final int[] versionReplacedBy;
    private final int[] firstFollowerOf;
    private final int[] followers;

    private int[] pendingOf;
    private int[] nextWriteOf; // by transaction: its first write to inspect, so that none is inspected twice and
    // again
    private int[] openBefore;
    private int[] firstWaitingOf;
    private int[] nextWaiting;
    private int[] currentOf; // version by key

    GreedySchedule(ClientHistory history, Budget budget) {
        this.history = history;
        this.budget = budget;
        this.versionOfRead = versionsRead();
        this.versionReplacedBy = versionsReplaced();
        this.firstFollowerOf = new int[history.txnCount + 1];
        this.followers = followers();
    }

    /**
     * Returns all transactions in a serial order.
     *
     * @param numberOf among candidates the smallest number comes first
     * @return null if it got stuck or out of budget
     */
    int @Nullable [] schedule(long[] numberOf) {
        begin();
        LongHeapPriorityQueue ready = new LongHeapPriorityQueue();
        int[] rankOf = ranks(numberOf);
        int[] txnOfRank = inverse(rankOf);
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (openBefore[txn] == 0) {
                ready.enqueue(rankOf[txn]);
            }
        }
        int[] order = new int[history.txnCount];
        int count = 0;
        for (int steps = 0; !ready.isEmpty(); steps++) {
            if (steps % STEPS_BETWEEN_LOOKS == 0 && budget.isSpent()) {
                return null;
            }
            int txn = txnOfRank[(int) ready.dequeueLong()];
            int blocking = versionStillRead(txn);
            if (blocking != NONE) {
                nextWaiting[txn] = firstWaitingOf[blocking];
                firstWaitingOf[blocking] = txn;
                continue;
            }
            order[count++] = txn;
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int version = versionOfRead[read];
                if (version != NONE && --pendingOf[version] <= 1) {
                    for (int waiting = firstWaitingOf[version]; waiting != NONE; waiting = nextWaiting[waiting]) {
                        ready.enqueue(rankOf[waiting]);
                    }
                    firstWaitingOf[version] = NONE;
                }
            }
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                currentOf[history.keyOfWrite[write]] = write;
            }
            for (int i = firstFollowerOf[txn]; i < firstFollowerOf[txn + 1]; i++) {
                if (--openBefore[followers[i]] == 0) {
                    ready.enqueue(rankOf[followers[i]]);
                }
            }
        }
        return count == history.txnCount ? order : null;
    }

    @SetsFields
    private void begin() {
        int versionCount = history.writeCount + history.keyCount;
        pendingOf = new int[versionCount];
        firstWaitingOf = new int[versionCount];
        Arrays.fill(firstWaitingOf, NONE);
        nextWaiting = new int[history.txnCount];
        nextWriteOf = new int[history.txnCount];
        currentOf = new int[history.keyCount];
        for (int key = 0; key < history.keyCount; key++) {
            currentOf[key] = history.writeCount + key;
        }
        for (int read = 0; read < history.readCount; read++) {
            if (versionOfRead[read] != NONE) {
                pendingOf[versionOfRead[read]]++;
            }
        }
        openBefore = new int[history.txnCount];
        for (int follower : followers) {
            openBefore[follower]++;
        }
    }

    /** Returns a version that the transaction would overwrite although another transaction has still to read it. */
    private int versionStillRead(int txn) {
        int first = history.firstWriteOf[txn];
        int count = history.firstWriteOf[txn + 1] - first;
        for (int tried = 0; tried < count; tried++) {
            int write = first + nextWriteOf[txn];
            int version = currentOf[history.keyOfWrite[write]];
            if (pendingOf[version] > (versionReplacedBy[write] == version ? 1 : 0)) {
                return version;
            }
            nextWriteOf[txn] = nextWriteOf[txn] + 1 == count ? 0 : nextWriteOf[txn] + 1;
        }
        return NONE;
    }

    // ---------------------------------------------------------------- constant structures

    /** Returns the version that each read returned, once for each transaction. */
    private int[] versionsRead() {
        int[] versions = history.writesRead();
        int[] readBy = new int[history.writeCount + history.keyCount]; // by version: the last reader, plus one
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                boolean isInitial = history.writerOf[read] == ClientHistory.INITIAL;
                if (isInitial && history.keyOfRead[read] != ClientHistory.NO_KEY) {
                    versions[read] = history.writeCount + history.keyOfRead[read];
                }
                if (versions[read] != NONE && readBy[versions[read]] == txn + 1) {
                    versions[read] = NONE;
                } else if (versions[read] != NONE) {
                    readBy[versions[read]] = txn + 1;
                }
            }
        }
        return versions;
    }

    /** Returns, by write, the version of its key that its own transaction read, or NONE. */
    private int[] versionsReplaced() {
        int[] replaced = new int[history.writeCount];
        int[] versionOfKey = new int[history.keyCount];
        int[] readBy = new int[history.keyCount]; // by key: the last reader, plus one
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (versionOfRead[read] != NONE) {
                    versionOfKey[history.keyOfRead[read]] = versionOfRead[read];
                    readBy[history.keyOfRead[read]] = txn + 1;
                }
            }
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int key = history.keyOfWrite[write];
                replaced[write] = readBy[key] == txn + 1 ? versionOfKey[key] : NONE;
            }
        }
        return replaced;
    }

    /** Returns the transactions that can come only after each one: the next of its session, its readers, writers of known later versions. */
    private int[] followers() {
        int[] into = {};
        for (int pass = 0; pass < 2; pass++) {
            int[] next = pass == 0 ? null : Arrays.copyOf(firstFollowerOf, history.txnCount);
            for (int txn = 0; txn < history.txnCount; txn++) {
                if (history.positionOf(txn) > 0) {
                    follow(txn - 1, txn, next, into);
                }
                for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                    if (history.writerOf[read] != ClientHistory.INITIAL) {
                        follow(history.writerOf[read], txn, next, into);
                    }
                }
            }
            followVersions(next, into);
            if (pass == 0) {
                CountingSort.addUp(firstFollowerOf);
                into = new int[firstFollowerOf[history.txnCount]];
            }
        }
        return into;
    }

    /**
     * Orders each writer of a listed version after the previous one, and writers that are not listed after the last.
     */
    private void followVersions(int @Nullable [] next, int[] into) {
        if (!history.knowsVersionOrders()) {
            return;
        }
        int[] firstWriteOfKey = new int[history.keyCount + 1];
        for (int write = 0; write < history.writeCount; write++) {
            firstWriteOfKey[history.keyOfWrite[write] + 1]++;
        }
        CountingSort.addUp(firstWriteOfKey);
        int[] writers = new int[history.writeCount];
        int[] nextOfKey = Arrays.copyOf(firstWriteOfKey, history.keyCount);
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                writers[nextOfKey[history.keyOfWrite[write]]++] = txn;
            }
        }
        int[] listedAt = new int[history.txnCount]; // by transaction: the last key, plus one, in whose list it is
        for (int key = 0; key < history.keyCount; key++) {
            int first = history.firstVersionOf[key];
            int end = history.firstVersionOf[key + 1];
            for (int version = first; version < end; version++) {
                listedAt[history.txnOfVersion[version]] = key + 1;
                if (version > first) {
                    follow(history.txnOfVersion[version - 1], history.txnOfVersion[version], next, into);
                }
            }
            for (int i = firstWriteOfKey[key]; i < firstWriteOfKey[key + 1] && end > first; i++) {
                if (listedAt[writers[i]] != key + 1) {
                    follow(history.txnOfVersion[end - 1], writers[i], next, into);
                }
            }
        }
    }

    /** Counts first, one index further on; fills in later. */
    private void follow(int txn, int follower, int @Nullable [] next, int[] into) {
        if (next == null) {
            firstFollowerOf[txn + 1]++;
        } else {
            into[next[txn]++] = follower;
        }
    }

    private int[] ranks(long[] numberOf) {
        long[] numbers = Arrays.copyOf(numberOf, history.txnCount);
        int[] txns = new int[history.txnCount];
        for (int txn = 0; txn < txns.length; txn++) {
            txns[txn] = txn;
        }
        RadixSort.sort(numbers, txns, txns.length);
        return inverse(txns);
    }

    private static int[] inverse(int[] permutation) {
        int[] inverse = new int[permutation.length];
        for (int i = 0; i < permutation.length; i++) {
            inverse[permutation[i]] = i;
        }
        return inverse;
    }
}
