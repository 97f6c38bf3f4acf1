package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.LongColumn;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.primitive.PairOrdinals;
import java.util.Arrays;

/** Everything ever written to some keys of a lane, found by value; for explaining reads, not for checking them. */
final class KeyWriters {

    /*
     * Definitions. An entry is one write. A group is all entries of one (key, value).
     *
     * Layout. Of each key, entries that took effect are first, in commit order, so that an entry is replaced by the
     * following entry; intermediate, aborted and unknown writes follow. The members of a group are ascending; groups
     * are found by hash.
     *
     *   firstOf[key] .. effectiveEndOf[key] .. firstOf[key + 1]
     *   txnOf[entry], opOf[entry]
     *   keyOf[group], valueOf[group]
     *   firstOfGroup[group] .. firstOfGroup[group + 1]   into members
     *
     * Values of registers have a group only if a wrong read returned them, since no other value is requested. The
     * requested elements of lists are not known beforehand, so every element has a group.
     *
     * Cost. Most writes belong to no group; one bit of their hash (mayHaveGroup) rejects them without a lookup.
     */

    static final int NONE = -1;

    private static final int MIN_WORDS = 64;
    private static final int MAX_WORDS = 1 << 18;

    private final Lane lane;
    private final int[] firstOf;
    private final int[] effectiveEndOf;
    private final int[] txnOf;
    private final int[] opOf;

    private final PairOrdinals groups = new PairOrdinals(32); // of keys and values
    private final long[] mayHaveGroup; // of registers only
    private int[] groupOf; // by entry; empty once groups are laid out
    private int grouped;
    private final int[] firstOfGroup;
    private final int[] members;

    /** Collects the writes of the keys with wrong reads, in the commit order given by {@code order}. */
    KeyWriters(Lane lane, EventOrder order, Mismatches wrongReads) {
        this.lane = lane;
        int keyCount = lane.keyCount();
        boolean[] wanted = new boolean[keyCount];
        for (int i = 0; i < wrongReads.kept(); i++) {
            int op = wrongReads.read(i);
            wanted[lane.key().get(op)] = true;
            wantValue(op);
            if (lane.kind().get(op) >= LaneOp.OWN_EXPECTED) {
                wantValue(op + 1); // the observed value is the operation after the expected one
            }
        }
        this.mayHaveGroup = bitsOfGroups();
        this.firstOf = new int[keyCount + 1];
        countWrites(wanted);
        int count = firstOf[keyCount];
        this.txnOf = new int[count];
        this.opOf = new int[count];
        this.groupOf = new int[count];
        int[] next = Arrays.copyOf(firstOf, keyCount);
        for (int i = 0; i < order.count(); i++) {
            int event = order.events()[i];
            int txn = EventOrder.txn(event);
            if (EventOrder.eventClass(event) != EventOrder.START && lane.countsAsCommitted(txn)) {
                gather(txn, wanted, next, true);
            }
        }
        this.effectiveEndOf = next.clone();
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            gather(txn, wanted, next, false);
        }
        this.firstOfGroup = new int[groups.size() + 1];
        this.members = new int[grouped];
        layOutGroups();
        this.groupOf = new int[0];
    }

    /** Counts the entries per key for {@code firstOf}. */
    private void countWrites(boolean[] wanted) {
        int[][] keys = lane.key().segments();
        byte[][] kinds = lane.kind().segments();
        for (int op = 0; op < lane.opCount(); op++) {
            if (isWrite(kinds[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK])) {
                int key = keys[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
                firstOf[key + 1] += wanted[key] ? 1 : 0;
            }
        }
        CountingSort.addUp(firstOf);
    }

    private void wantValue(int op) {
        if (LaneOp.holdsValue(lane.kind().get(op)) && !lane.isList(lane.key().get(op))) {
            addGroup(lane.key().get(op), lane.value().get(op));
        }
    }

    /** Stores the writes of a transaction that took effect, or the writes that did not. */
    private void gather(int txn, boolean[] wanted, int[] next, boolean effective) {
        int[][] keys = lane.key().segments();
        byte[][] kinds = lane.kind().segments();
        boolean counts = lane.countsAsCommitted(txn);
        int end = lane.firstOp().get(txn + 1);
        for (int op = lane.firstOp().get(txn); op < end; op++) {
            byte kind = kinds[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
            if (isWrite(kind) && (LaneOp.isEffective(kind) && counts) == effective) {
                int key = keys[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
                if (wanted[key]) {
                    int entry = next[key]++;
                    txnOf[entry] = txn;
                    opOf[entry] = op;
                    int group = groupOfWrite(key, lane.value().get(op));
                    groupOf[entry] = group;
                    grouped += group == NONE ? 0 : 1;
                }
            }
        }
    }

    private static boolean isWrite(byte kind) {
        return LaneOp.isEffective(kind) || kind == LaneOp.INTERMEDIATE_WRITE;
    }

    // ---------------------------------------------------------------- groups

    private int groupOfWrite(int key, long value) {
        if (lane.isList(key)) {
            return addGroup(key, value);
        }
        int bit = (int) Mix.hash(key, value) & (Long.SIZE * mayHaveGroup.length - 1);
        return (mayHaveGroup[bit >>> 6] & 1L << bit) == 0 ? NONE : group(key, value);
    }

    /** Returns a bit set with the hash of each group, with at least sixteen bits per group. */
    private long[] bitsOfGroups() {
        int words = MIN_WORDS;
        while (words < MAX_WORDS && 4L * words < groups.size()) {
            words *= 2;
        }
        long[] bits = new long[words];
        for (int group = 0; group < groups.size(); group++) {
            int bit = (int) Mix.hash(groups.first(group), groups.second(group)) & (Long.SIZE * words - 1);
            bits[bit >>> 6] |= 1L << bit;
        }
        return bits;
    }

    /** Returns the group of a (key, value), creating it if absent. */
    private int addGroup(int key, long value) {
        return groups.ordinal(key, value);
    }

    private void layOutGroups() {
        for (int group : groupOf) {
            if (group != NONE) {
                firstOfGroup[group + 1]++;
            }
        }
        CountingSort.addUp(firstOfGroup);
        int[] next = Arrays.copyOf(firstOfGroup, groups.size());
        for (int entry = 0; entry < groupOf.length; entry++) {
            if (groupOf[entry] != NONE) {
                members[next[groupOf[entry]]++] = entry;
            }
        }
    }

    /** Returns the group of the writes of a value to a key; NONE, or a group without entries, if no write matches. */
    int group(int key, long value) {
        return groups.find(key, value);
    }

    int size(int group) {
        return firstOfGroup[group + 1] - firstOfGroup[group];
    }

    /** Returns a group's entry by its position in the group; ascending, so effective ones come first, in commit order. */
    int member(int group, int position) {
        return members[firstOfGroup[group] + position];
    }

    /** Returns the position of a group's first entry that is not before {@code entry}; its size if all are. */
    int positionOf(int group, int entry) {
        int position = Arrays.binarySearch(members, firstOfGroup[group], firstOfGroup[group + 1], entry);
        return (position >= 0 ? position : ~position) - firstOfGroup[group];
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

    /** Returns the first write that took effect; equal to {@link #effectiveEnd} if none did. */
    int firstEffective(int key) {
        return firstOf[key];
    }

    int effectiveEnd(int key) {
        return effectiveEndOf[key];
    }

    long commitTs(int entry) {
        return lane.commitTs().get(txnOf[entry]);
    }

    /** Returns the effective entry of a transaction that wrote a register. */
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
