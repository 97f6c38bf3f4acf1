package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Hands transactions on in an order in which none comes before those it has read from. */
final class ClosedUnderReads {

    /*
     * A session may see a commit before the session that made it has its answer, and end sooner. A recording that is killed in
     * between must not hold the reader without the writer: its read would come from nowhere. So a transaction waits as long as
     * it has read, directly or through others that wait, from one that is still open. What waits is hardly ever more than
     * there are sessions.
     */

    /** Takes transactions in that order. */
    @FunctionalInterface
    interface Target {
        void accept(RecordedTxn txn) throws IOException;
    }

    private final Target target;
    private final LongSet open = new LongOpenHashSet();
    private final List<RecordedTxn> waiting = new ArrayList<>();

    ClosedUnderReads(Target target) {
        this.target = target;
    }

    void begin(long txnId) {
        open.add(txnId);
    }

    void end(RecordedTxn txn) throws IOException {
        open.remove(txn.id);
        if (waiting.isEmpty() && !readsFrom(txn, open)) {
            target.accept(txn);
            return;
        }
        waiting.add(txn.copy());
        release();
    }

    /** How many wait for others. */
    int waitingCount() {
        return waiting.size();
    }

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
        for (Iterator<RecordedTxn> all = waiting.iterator(); all.hasNext(); ) {
            RecordedTxn txn = all.next();
            if (!blocked.contains(txn.id)) {
                all.remove();
                target.accept(txn);
            }
        }
    }

    private static boolean readsFrom(RecordedTxn txn, LongSet writers) {
        if (writers.isEmpty()) {
            return false;
        }
        for (int op = 0; op < txn.opCount; op++) {
            if (txn.kind[op] == OpKind.READ && isAmong(writers, txn, txn.version[op])) {
                return true;
            }
            for (int i = 0; txn.kind[op] == OpKind.READ_LIST && i < txn.elements[op].length; i++) {
                if (isAmong(writers, txn, txn.elements[op][i])) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAmong(LongSet writers, RecordedTxn txn, long value) {
        long writer = value / ClientSession.VALUES_OF_A_TXN;
        return writer != txn.id && writers.contains(writer);
    }
}
