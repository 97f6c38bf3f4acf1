package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.io.Closeable;
import java.io.IOException;

/**
 * Commits in the order of the database's log, each compared with the writes acknowledged to its client; stored on disk.
 */
final class LoggedCommits implements Closeable {

    /*
     * Definitions. The hash of a transaction is the sum over its writes of key, amount, value and the row's write
     * count, mixed to 64 bits.
     *
     * Algorithm. Clients and log compute the hash independently; equal hashes indicate equal writes. So every version
     * of a recording is compared with the log.
     *
     * Cost. Sixteen bytes per transaction.
     */

    private final TxnColumn order = new TxnColumn(); // by position in the log
    private final TxnColumn acknowledged;
    private final TxnColumn logged;
    private long count;
    private long foreign;

    LoggedCommits() throws IOException {
        this.acknowledged = new TxnColumn();
        this.logged = new TxnColumn();
    }

    /** Returns the hash of one write, to be added to the hash of its transaction. */
    static long write(int key, long amount, long value, long rowVersion) {
        long mixed = mix(key + 1) ^ Long.rotateLeft(mix(amount + 3), 17);
        return mix(mixed ^ Long.rotateLeft(mix(value + 5), 31) ^ Long.rotateLeft(mix(rowVersion + 7), 47));
    }

    private static long mix(long number) {
        long mixed = (number ^ number >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /** Records the writes acknowledged to the client. */
    void recordAcknowledged(RecordedTxn txn) throws IOException {
        long sum = 0;
        boolean hasWrites = false;
        for (int op = 0; op < txn.opCount; op++) {
            if (txn.op(op).kind == OpKind.WRITE || txn.op(op).kind == OpKind.APPEND) {
                hasWrites = true;
                sum += write(txn.op(op).key, txn.op(op).amount, txn.op(op).version, txn.op(op).rowVersion);
            }
        }
        if (hasWrites) {
            acknowledged.put(txn.id, given(sum));
        }
    }

    /** Adds the next commit of the log. */
    void add(long txnId, long writes) throws IOException {
        if (logged.get(txnId) != HistorySlice.NONE) {
            addForeign(); // another program changed a row of ours without its value
            return;
        }
        logged.put(txnId, given(writes));
        order.put(count++, txnId);
    }

    private static long given(long sum) {
        return sum == HistorySlice.NONE ? 0 : sum;
    }

    /** Records that a foreign transaction has changed rows of the recording. */
    void addForeign() {
        foreign++;
    }

    /** Returns the number of foreign transactions that have changed rows of the recording. */
    long foreign() {
        return foreign;
    }

    long count() {
        return count;
    }

    long txnAt(long position) throws IOException {
        return order.get(position);
    }

    /** Returns whether the log contains the commit of a transaction. */
    boolean isLogged(long txnId) throws IOException {
        return logged.get(txnId) != HistorySlice.NONE;
    }

    /** Returns whether a transaction sent writes, regardless of its outcome. */
    boolean hasWrites(long txnId) throws IOException {
        return acknowledged.get(txnId) != HistorySlice.NONE;
    }

    /** Returns whether the log contains the writes acknowledged to the client. */
    boolean matchesAcknowledged(long txnId) throws IOException {
        return logged.get(txnId) == acknowledged.get(txnId);
    }

    @Override
    public void close() throws IOException {
        order.close();
        acknowledged.close();
        logged.close();
    }
}
