package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Hands transactions on in an order in which none comes before those it has read from. */
final class CausalOrderBuffer {

    /*
     * A session may see a commit before the session that made it has its answer, and end sooner. A recording that is killed in
     * between must not hold the reader without the writer: its read would come from nowhere. So a transaction waits as long as
     * it has read, directly or through others that wait, from one that is still open. What waits is hardly ever more than
     * there are sessions; but while a session gets no answer to a commit that happened, it is most of what the others do. So
     * all that wait are looked at only when one ends that any of them has read from.
     */

    /** Takes transactions in that order. */
    @FunctionalInterface
    interface Target {
        void accept(RecordedTxn txn) throws IOException;
    }

    private final Target target;
    private final LongSet open = new LongOpenHashSet();
    private final List<RecordedTxn> waiting = new ArrayList<>();
    private final LongSet waitingIds = new LongOpenHashSet();
    private final LongSet awaited = new LongOpenHashSet(); // whom those that wait have read from

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

    /** How many wait for others. */
    int waitingCount() {
        return waiting.size();
    }

    /** Lets all go on that read from no open transaction any more, not even through others. */
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
            if (txn.kind[op] == OpKind.READ) {
                tell(txn, txn.version[op], of);
            }
            for (int i = 0; txn.kind[op] == OpKind.READ_LIST && i < txn.elements[op].length; i++) {
                tell(txn, txn.elements[op][i], of);
            }
        }
    }

    private static void tell(RecordedTxn txn, long value, LongConsumer of) {
        long writer = value / ClientSession.VALUES_OF_A_TXN;
        if (writer != txn.id) {
            of.accept(writer);
        }
    }
}
