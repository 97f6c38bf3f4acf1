package io.nightjar.jobs.record;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Buffer that emits transactions in an order in which each follows the transactions it has read from. */
final class CausalOrderBuffer {

    /*
     * Reason. A session may observe a commit before the committing session has received its answer, and end sooner. If
     * the process is killed at that moment, the recording must not contain the reader without the writer: its read
     * would have no source.
     *
     * Algorithm. A transaction waits while it has read, directly or through other waiting transactions, from an open
     * transaction.
     *
     * Cost. Rarely more transactions wait than sessions exist; but while a session receives no answer to a successful
     * commit, most transactions of the others wait. So the waiting transactions are scanned only when a transaction
     * ends that any of them has read from.
     */

    /** Consumer of transactions in that order. */
    @FunctionalInterface
    interface Target {
        void accept(RecordedTxn txn) throws IOException;
    }

    private final Target target;
    private final LongSet open = new LongOpenHashSet();
    private final List<RecordedTxn> waiting = new ArrayList<>();
    private final LongSet waitingIds = new LongOpenHashSet();
    private final LongSet awaited = new LongOpenHashSet(); // sources of the waiting transactions' reads

    CausalOrderBuffer(Target target) {
        this.target = target;
    }

    void begin(long txnId) {
        open.add(txnId);
    }

    void end(RecordedTxn txn) throws IOException {
        open.remove(txn.id);
        boolean isAwaited = awaited.contains(txn.id);
        if (readsFrom(txn, open) || readsFrom(txn, waitingIds)) {
            await(txn.copy());
        } else {
            target.accept(txn);
        }
        if (isAwaited) {
            release();
        }
    }

    private void await(RecordedTxn txn) {
        waiting.add(txn);
        waitingIds.add(txn.id);
        forEachWriter(txn, awaited::add);
    }

    /** Returns the number of waiting transactions. */
    int waitingCount() {
        return waiting.size();
    }

    /** Emits all transactions that no longer read from an open transaction, directly or through others. */
    private void release() throws IOException {
        LongSet blocked = new LongOpenHashSet(open);
        boolean grows = true;
        while (grows) {
            grows = false;
            for (RecordedTxn txn : waiting) {
                if (!blocked.contains(txn.id) && readsFrom(txn, blocked)) {
                    grows |= blocked.add(txn.id);
                }
            }
        }
        List<RecordedTxn> all = new ArrayList<>(waiting);
        waiting.clear();
        waitingIds.clear();
        awaited.clear();
        for (RecordedTxn txn : all) {
            if (blocked.contains(txn.id)) {
                await(txn);
            } else {
                target.accept(txn);
            }
        }
    }

    private static boolean readsFrom(RecordedTxn txn, LongSet writers) {
        if (writers.isEmpty()) {
            return false;
        }
        boolean[] found = {false};
        forEachWriter(txn, writer -> found[0] |= writers.contains(writer));
        return found[0];
    }

    private static void forEachWriter(RecordedTxn txn, LongConsumer of) {
        for (int op = 0; op < txn.opCount; op++) {
            if (txn.op(op).kind == OpKind.READ) {
                acceptWriter(txn, txn.op(op).version, of);
            }
            if (txn.op(op).kind == OpKind.READ_LIST) {
                for (long element : requireNonNull(txn.op(op).elements)) {
                    acceptWriter(txn, element, of);
                }
            }
        }
    }

    private static void acceptWriter(RecordedTxn txn, long value, LongConsumer of) {
        long writer = value / ClientSession.VALUES_OF_A_TXN;
        if (writer != txn.id) {
            of.accept(writer);
        }
    }
}
