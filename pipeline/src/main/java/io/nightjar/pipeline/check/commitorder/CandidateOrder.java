package io.nightjar.pipeline.check.commitorder;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.Observations;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Linear-time test whether a given order of commits, from any origin, explains every read. */
final class CandidateOrder {

    /*
     * Definitions. Commits are numbered 0 .. txnCount in the given order; a snapshot is the number of commits that it
     * includes.
     *
     * Algorithm. Each snapshot is as early as possible: a later one would include more versions that were not read. It
     * cannot be earlier than the session's previous commit, the commits that were read from and, if overlaps are
     * forbidden, the previous commits that wrote a key which the transaction writes. Then the order is replayed: the
     * latest writer of each key is stored in an array, and each read is compared with it.
     */

    private static final int MISSING = -1;

    private final ClientHistory history;
    private final int[] txnAt;
    private final int[] commitOf;
    private final int[] latestWriterOf;
    private final long[] sumOf; // by key: of the increments so far

    private CandidateOrder(ClientHistory history, int[] txnAt) {
        this.history = history;
        this.txnAt = txnAt;
        this.commitOf = new int[history.txnCount];
        this.latestWriterOf = new int[history.keyCount];
        this.sumOf = new long[history.observations == null ? 0 : history.keyCount];
        for (int commit = 0; commit < history.txnCount; commit++) {
            commitOf[txnAt[commit]] = commit;
        }
    }

    /**
     * Tries the transactions in the order of some numbers.
     *
     * @return the witness, or null if the order is none
     */
    static @Nullable CommitOrder tryHint(ClientHistory history, IsolationLevel level, long[] numberOf) {
        int count = history.txnCount;
        long[] numbers = Arrays.copyOf(numberOf, count);
        int[] txns = new int[count];
        for (int txn = 0; txn < count; txn++) {
            txns[txn] = txn;
        }
        RadixSort.sort(numbers, txns, count);
        return tryOrder(history, level, txns);
    }

    /**
     * Tries one order of commits.
     *
     * @param txnAt every transaction once, in the order
     * @return the witness, or null if the order is none
     */
    static @Nullable CommitOrder tryOrder(ClientHistory history, IsolationLevel level, int[] txnAt) {
        CandidateOrder guess = new CandidateOrder(history, txnAt);
        if (!guess.keepsSessionOrder() || !guess.keepsVersionOrders()) {
            return null;
        }
        return switch (level) {
            case SERIALIZABLE -> guess.serial();
            case SNAPSHOT_ISOLATION, PREFIX ->
                history.observations == null
                        ? guess.withSnapshots(level == IsolationLevel.SNAPSHOT_ISOLATION)
                        : guess.serial(); // snapshots are not known from the writers read
            default -> throw new IllegalArgumentException("level has no commit order: level=" + level);
        };
    }

    private boolean keepsSessionOrder() {
        for (int session = 0; session < history.sessionCount; session++) {
            for (int txn = history.firstTxnOf[session] + 1; txn < history.firstTxnOf[session + 1]; txn++) {
                if (commitOf[txn - 1] > commitOf[txn]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether listed versions ascend, and no transaction that is missing in the list comes before its end. */
    private boolean keepsVersionOrders() {
        if (!history.knowsVersionOrders()) {
            return true;
        }
        int[] endOfListed = new int[history.keyCount];
        int[] toMeet = new int[history.keyCount];
        for (int key = 0; key < history.keyCount; key++) {
            endOfListed[key] = MISSING;
            for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
                int commit = commitOf[history.txnOfVersion[version]];
                if (commit <= endOfListed[key]) {
                    return false;
                }
                endOfListed[key] = commit;
                toMeet[key]++;
            }
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int key = history.keyOfWrite[write];
                if (commitOf[txn] <= endOfListed[key] && --toMeet[key] < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private @Nullable CommitOrder serial() {
        Arrays.fill(latestWriterOf, ClientHistory.INITIAL);
        Arrays.fill(sumOf, 0);
        for (int commit = 0; commit < history.txnCount; commit++) {
            int txn = txnAt[commit];
            if (!readsAreCurrent(txn, commit)) {
                return null;
            }
            install(txn);
        }
        return CommitOrder.serial(commitOf);
    }

    private @Nullable CommitOrder withSnapshots(boolean forbidsOverlaps) {
        int[] snapshotOf = new int[history.txnCount];
        Arrays.fill(latestWriterOf, ClientHistory.INITIAL);
        for (int commit = 0; commit < history.txnCount; commit++) {
            int txn = txnAt[commit];
            int snapshot = earliestSnapshot(txn, forbidsOverlaps);
            if (snapshot > commit) {
                return null;
            }
            snapshotOf[txn] = snapshot;
            install(txn);
        }
        int[] bySnapshot = new int[history.txnCount];
        int[] firstAt = new int[history.txnCount + 2];
        groupBySnapshot(snapshotOf, firstAt, bySnapshot);
        return replay(firstAt, bySnapshot);
    }

    private int earliestSnapshot(int txn, boolean forbidsOverlaps) {
        int snapshot = history.positionOf(txn) == 0 ? 0 : commitOf[txn - 1] + 1;
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
            int writer = history.writerOf[read];
            if (writer != ClientHistory.INITIAL) {
                snapshot = Math.max(snapshot, commitOf[writer] + 1);
            }
        }
        if (forbidsOverlaps) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int writer = latestWriterOf[history.keyOfWrite[write]];
                if (writer != ClientHistory.INITIAL) {
                    snapshot = Math.max(snapshot, commitOf[writer] + 1);
                }
            }
        }
        return snapshot;
    }

    private void groupBySnapshot(int[] snapshotOf, int[] firstAt, int[] bySnapshot) {
        for (int txn = 0; txn < history.txnCount; txn++) {
            firstAt[snapshotOf[txn] + 1]++;
        }
        CountingSort.addUp(firstAt);
        int[] next = firstAt.clone();
        for (int txn = 0; txn < history.txnCount; txn++) {
            bySnapshot[next[snapshotOf[txn]]++] = txn;
        }
    }

    private @Nullable CommitOrder replay(int[] firstAt, int[] bySnapshot) {
        int[] snapshotPositionOf = new int[history.txnCount];
        int[] commitPositionOf = new int[history.txnCount];
        int position = 0;
        Arrays.fill(latestWriterOf, ClientHistory.INITIAL);
        for (int commit = 0; commit < history.txnCount; commit++) {
            for (int i = firstAt[commit]; i < firstAt[commit + 1]; i++) {
                if (!readsAreCurrent(bySnapshot[i], commit)) {
                    return null;
                }
                snapshotPositionOf[bySnapshot[i]] = position++;
            }
            commitPositionOf[txnAt[commit]] = position++;
            install(txnAt[commit]);
        }
        return new CommitOrder(snapshotPositionOf, commitPositionOf);
    }

    private boolean readsAreCurrent(int txn, int snapshot) {
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
            int key = history.keyOfRead[read];
            int writer = history.writerOf[read];
            boolean isCurrent = key == ClientHistory.NO_KEY
                    ? writer == ClientHistory.INITIAL || commitOf[writer] < snapshot
                    : latestWriterOf[key] == writer;
            if (!isCurrent) {
                return false;
            }
        }
        return history.observations == null || observationsAreCurrent(txn, history.observations);
    }

    private boolean observationsAreCurrent(int txn, Observations observations) {
        for (int observation = observations.firstOf[txn]; observation < observations.firstOf[txn + 1]; observation++) {
            int key = observations.keyRead(observation);
            if (!observations.accepts(observation, latestWriterOf[key], sumOf[key])) {
                return false;
            }
        }
        return observations.answers.areRight(txn, key -> latestWriterOf[key]);
    }

    private void install(int txn) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            latestWriterOf[history.keyOfWrite[write]] = txn;
            if (history.observations != null) {
                int key = history.keyOfWrite[write];
                sumOf[key] += history.observations.deltaOf(txn, key);
            }
        }
    }
}
