package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.infer.ClientHistory;

/** Direct successors of each transaction, in its session or by a read: {@code followers[firstFollowerOf[txn]]} and so on. */
final class Followers {

    final int[] firstFollowerOf;
    final int[] followers;

    private Followers(int[] firstFollowerOf, int[] followers) {
        this.firstFollowerOf = firstFollowerOf;
        this.followers = followers;
    }

    static Followers of(ClientHistory history) {
        int[] first = new int[history.txnCount + 2];
        for (int read = 0; read < history.readCount; read++) {
            if (history.writerOf[read] != ClientHistory.INITIAL) {
                first[history.writerOf[read] + 2]++;
            }
        }
        for (int txn = 1; txn < history.txnCount; txn++) {
            if (history.sessionOf[txn - 1] == history.sessionOf[txn]) {
                first[txn + 1]++;
            }
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            first[txn + 2] += first[txn + 1];
        }
        int[] followers = new int[first[history.txnCount + 1]];
        for (int txn = 0; txn < history.txnCount; txn++) { // first[txn + 1] is the index of its next follower
            if (txn > 0 && history.sessionOf[txn - 1] == history.sessionOf[txn]) {
                followers[first[txn]++] = txn;
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.writerOf[read] != ClientHistory.INITIAL) {
                    followers[first[history.writerOf[read] + 1]++] = txn;
                }
            }
        }
        return new Followers(first, followers);
    }
}
