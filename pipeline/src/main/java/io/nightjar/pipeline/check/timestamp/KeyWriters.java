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
     * A group is all entries of one (key, value), ascending; groups are found by hash:
     *
     *   firstOfGroup[group] .. firstOfGroup[group + 1]   into members
     */

    static final int NONE = -1;

    private final Lane lane;
    private final int[] firstOf;
    private final int[] effectiveEndOf;
    private final int[] txnOf;
    private final int[] opOf;

    private final int[] slots; // group by hash, linear probing
    private final int[] headOf; // by group: one of its entries
    private final int[] firstOfGroup;
    private final int[] members;
    private int groupCount;

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
        this.slots = new int[Math.max(16, Integer.highestOneBit(Math.max(1, count)) * 4)];
        Arrays.fill(slots, NONE);
        this.headOf = new int[count];
        int[] groupOf = new int[count];
        for (int entry = 0; entry < count; entry++) {
            groupOf[entry] = groupOfEntry(entry);
        }
        this.firstOfGroup = new int[groupCount + 1];
        this.members = new int[count];
        layOutGroups(groupOf);
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

    // ---------------------------------------------------------------- groups

    private int groupOfEntry(int entry) {
        int slot = slotOf(lane.key().get(opOf[entry]), value(entry));
        if (slots[slot] == NONE) {
            headOf[groupCount] = entry;
            slots[slot] = groupCount++;
        }
        return slots[slot];
    }

    private int slotOf(int key, long value) {
        int mask = slots.length - 1;
        int slot = (int) Mix.hash(key, value) & mask;
        while (slots[slot] != NONE) {
            int op = opOf[headOf[slots[slot]]];
            if (lane.key().get(op) == key && lane.value().get(op) == value) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void layOutGroups(int[] groupOf) {
        for (int group : groupOf) {
            firstOfGroup[group + 1]++;
        }
        for (int group = 0; group < groupCount; group++) {
            firstOfGroup[group + 1] += firstOfGroup[group];
        }
        int[] next = Arrays.copyOf(firstOfGroup, groupCount);
        for (int entry = 0; entry < groupOf.length; entry++) {
            members[next[groupOf[entry]]++] = entry;
        }
    }

    /** The entries that wrote a value to a key, or NONE if there are none. */
    int group(int key, long value) {
        return slots[slotOf(key, value)];
    }

    int size(int group) {
        return firstOfGroup[group + 1] - firstOfGroup[group];
    }

    /** A group's entry by its place in the group; ascending, so effective ones come first, in commit order. */
    int member(int group, int place) {
        return members[firstOfGroup[group] + place];
    }

    /** The place of a group's first entry that is not before {@code entry}; its size if all are. */
    int placeOf(int group, int entry) {
        int place = Arrays.binarySearch(members, firstOfGroup[group], firstOfGroup[group + 1], entry);
        return (place >= 0 ? place : ~place) - firstOfGroup[group];
    }

    // ---------------------------------------------------------------- entries

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
        return lane.countsAsCommitted(txnOf[entry]);
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

    /** The effective entry of a transaction that wrote a register. */
    int effectiveEntry(int key, int txn) {
        long commit = lane.commitTs().get(txn);
        int low = firstOf[key];
        int high = effectiveEndOf[key];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (commitTs(middle) < commit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        while (txnOf[low] != txn) {
            low++;
        }
        return low;
    }
}
