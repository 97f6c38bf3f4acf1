package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.split.LaneOp;
import java.util.Arrays;

/** Everything ever written to some keys of a lane, found by value; for explaining reads, not for checking them. */
final class KeyWriters {

    /*
     * An entry is one write. Entries that took effect stand first for each key, in commit order, so that the entry
     * behind one is what replaced it; intermediate, aborted and unknown writes follow.
     *
     *   firstOf[key] .. effectiveEndOf[key] .. firstOf[key + 1]
     *   txnOf[entry], opOf[entry]
     *
     * slots chain the entries of each (key, value) by hash.
     */

    static final int NONE = -1;

    private final Lane lane;
    private final int[] firstOf;
    private final int[] effectiveEndOf;
    private final int[] txnOf;
    private final int[] opOf;
    private final int[] slots;
    private final int[] nextInSlot;

    /** Gathers the writes of the keys marked in {@code wanted}, in the commit order that {@code order} gives. */
    KeyWriters(Lane lane, EventOrder order, boolean[] wanted) {
        this.lane = lane;
        int keyCount = lane.keyCount();
        this.firstOf = new int[keyCount + 1];
        for (int op = 0; op < lane.opCount(); op++) {
            if (isWrite(lane.kind().get(op)) && wanted[lane.key().get(op)]) {
                firstOf[lane.key().get(op) + 1]++;
            }
        }
        for (int key = 0; key < keyCount; key++) {
            firstOf[key + 1] = Math.addExact(firstOf[key + 1], firstOf[key]);
        }
        int count = firstOf[keyCount];
        this.txnOf = new int[count];
        this.opOf = new int[count];
        int[] next = Arrays.copyOf(firstOf, keyCount);
        for (int i = 0; i < order.count(); i++) {
            int event = order.events()[i];
            if (EventOrder.eventClass(event) != EventOrder.START) {
                gather(EventOrder.txn(event), wanted, next, true);
            }
        }
        this.effectiveEndOf = next.clone();
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            gather(txn, wanted, next, false);
        }
        this.slots = new int[Math.max(16, Integer.highestOneBit(Math.max(1, count)) * 2)];
        this.nextInSlot = new int[count];
        Arrays.fill(slots, NONE);
        index(wanted);
    }

    private void gather(int txn, boolean[] wanted, int[] next, boolean effective) {
        IntColumn firstOp = lane.firstOp();
        boolean counts = lane.countsAsCommitted(txn);
        for (int op = firstOp.get(txn); op < firstOp.get(txn + 1); op++) {
            byte kind = lane.kind().get(op);
            int key = lane.key().get(op);
            if (isWrite(kind) && wanted[key] && (LaneOp.isEffective(kind) && counts) == effective) {
                int entry = next[key]++;
                txnOf[entry] = txn;
                opOf[entry] = op;
            }
        }
    }

    private static boolean isWrite(byte kind) {
        return LaneOp.isEffective(kind) || kind == LaneOp.INTERMEDIATE_WRITE;
    }

    private void index(boolean[] wanted) {
        for (int key = 0; key < lane.keyCount(); key++) {
            if (!wanted[key]) {
                continue;
            }
            for (int entry = firstOf[key + 1] - 1; entry >= firstOf[key]; entry--) {
                int slot = slot(key, lane.value().get(opOf[entry]));
                nextInSlot[entry] = slots[slot];
                slots[slot] = entry;
            }
        }
    }

    private int slot(int key, long value) {
        return (int) Mix.hash(key, value) & (slots.length - 1);
    }

    /** The first entry that wrote a value to a key, or NONE; {@link #next} leads to the others. */
    int first(int key, long value) {
        return matching(slots[slot(key, value)], key, value);
    }

    int next(int entry, int key, long value) {
        return matching(nextInSlot[entry], key, value);
    }

    private int matching(int from, int key, long value) {
        int entry = from;
        while (entry != NONE
                && (lane.value().get(opOf[entry]) != value || lane.key().get(opOf[entry]) != key)) {
            entry = nextInSlot[entry];
        }
        return entry;
    }

    int txn(int entry) {
        return txnOf[entry];
    }

    long value(int entry) {
        return lane.value().get(opOf[entry]);
    }

    boolean isEffective(int key, int entry) {
        return entry < effectiveEndOf[key];
    }

    boolean isCommitted(int entry) {
        return lane.status(txnOf[entry]) == TxnStatus.COMMITTED || lane.isPromoted(txnOf[entry]);
    }

    boolean isAborted(int entry) {
        return lane.status(txnOf[entry]) == TxnStatus.ABORTED;
    }

    /** The first write that took effect; equal to {@link #effectiveEnd} if there is none. */
    int firstEffective(int key) {
        return firstOf[key];
    }

    int effectiveEnd(int key) {
        return effectiveEndOf[key];
    }

    long commitTs(int entry) {
        return lane.commitTs().get(txnOf[entry]);
    }
}
