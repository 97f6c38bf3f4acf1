package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.io.Closeable;
import java.io.IOException;

/** The commits that the database's log shows, in its order, and whether each wrote what its client was told; on disk. */
final class LoggedCommits implements Closeable {

    /*
     * What a transaction wrote is a sum over its writes: key, amount, value and the row's count of writes, mixed to 64 bits.
     * Clients and log make it each for themselves, and two that are equal stand for the same writes. So every version of a
     * recording is compared with the log, in sixteen bytes a transaction.
     */

    private final TxnColumn order = new TxnColumn(); // by the place in the log
    private final TxnColumn told;
    private final TxnColumn logged;
    private long count;
    private long foreign;

    LoggedCommits() throws IOException {
        this.told = new TxnColumn();
        this.logged = new TxnColumn();
    }

    /** Returns a hash of one write, to be added to those of its transaction. */
    static long write(int key, long amount, long value, long rowVersion) {
        long mixed = mix(key + 1) ^ Long.rotateLeft(mix(amount + 3), 17);
        return mix(mixed ^ Long.rotateLeft(mix(value + 5), 31) ^ Long.rotateLeft(mix(rowVersion + 7), 47));
    }

    private static long mix(long number) {
        long mixed = (number ^ number >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /** Notes what a client knows that it wrote. */
    void tell(RecordedTxn txn) throws IOException {
        long sum = 0;
        boolean hasWrites = false;
        for (int op = 0; op < txn.opCount; op++) {
            if (txn.kind[op] == OpKind.WRITE || txn.kind[op] == OpKind.APPEND) {
                hasWrites = true;
                sum += write(txn.key[op], txn.amount[op], txn.version[op], txn.rowVersion[op]);
            }
        }
        if (hasWrites) {
            told.put(txn.id, given(sum));
        }
    }

    /** Adds the next commit that the log shows. */
    void add(long txnId, long writes) throws IOException {
        if (logged.get(txnId) != HistorySlice.NONE) {
            addForeign(); // somebody changed a row of ours and left its value
            return;
        }
        logged.put(txnId, given(writes));
        order.put(count++, txnId);
    }

    private static long given(long sum) {
        return sum == HistorySlice.NONE ? 0 : sum;
    }

    /** Notes that a foreign transaction has changed rows of the recording. */
    void addForeign() {
        foreign++;
    }

    /** How many foreign transactions have changed rows of the recording. */
    long foreign() {
        return foreign;
    }

    long count() {
        return count;
    }

    long txnAt(long place) throws IOException {
        return order.get(place);
    }

    /** Whether a transaction has committed. */
    boolean isLogged(long txnId) throws IOException {
        return logged.get(txnId) != HistorySlice.NONE;
    }

    /** Whether a transaction sent writes, whatever became of it. */
    boolean hasWrites(long txnId) throws IOException {
        return told.get(txnId) != HistorySlice.NONE;
    }

    /** Whether the log shows those writes that its client was told of. */
    boolean isAsTold(long txnId) throws IOException {
        return logged.get(txnId) == told.get(txnId);
    }

    @Override
    public void close() throws IOException {
        order.close();
        told.close();
        logged.close();
    }
}
