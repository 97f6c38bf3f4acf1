package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.split.LaneOp;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.BitSet;

/** The last writes and appends of a lane's unknown transactions, found by key and value. */
final class UnknownWrites {

    /*
     * slots[hash(key, value) + i] is the first entry of a (key, value), plus one; nextOf chains further unknown
     * writes of the same. isKnown[entry], kept at the first, says that a committed transaction wrote it too.
     */

    private static final int NONE = Lane.NONE;

    private final Lane lane;
    private int[] slots = new int[64];
    private final IntArrayList opOf = new IntArrayList();
    private final IntArrayList txnOf = new IntArrayList();
    private final IntArrayList nextOf = new IntArrayList();
    private final BitSet isKnown = new BitSet();
    private final BitSet isWritten = new BitSet(); // by key

    UnknownWrites(Lane lane) {
        this.lane = lane;
        forEachWrite(TxnStatus.UNKNOWN);
        forEachWrite(TxnStatus.COMMITTED);
    }

    private void forEachWrite(byte status) {
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (lane.status(txn) != status || !lane.writes(txn)) {
                continue;
            }
            for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                if (!LaneOp.isEffective(lane.kind().get(op))) {
                    continue;
                }
                if (status == TxnStatus.UNKNOWN) {
                    add(txn, op);
                } else if (isWritten.get(lane.key().get(op))) {
                    int first = find(lane.key().get(op), lane.value().get(op));
                    if (first != NONE) {
                        isKnown.set(first);
                    }
                }
            }
        }
    }

    private void add(int txn, int op) {
        int slot = slot(lane.key().get(op), lane.value().get(op));
        int first = slots[slot] - 1;
        isWritten.set(lane.key().get(op));
        opOf.add(op);
        txnOf.add(txn);
        nextOf.add(first == NONE ? NONE : nextOf.getInt(first));
        if (first != NONE) {
            nextOf.set(first, opOf.size() - 1);
        } else {
            slots[slot] = opOf.size();
            if (2 * opOf.size() > slots.length) {
                grow();
            }
        }
    }

    /** Whether an unknown transaction wrote the key. */
    boolean isWritten(int key) {
        return isWritten.get(key);
    }

    /** The first unknown write of a value; {@link Lane#NONE} if there is none. */
    int find(int key, long value) {
        return isWritten.get(key) ? slots[slot(key, value)] - 1 : NONE;
    }

    /** A further write of the same value; {@link Lane#NONE} behind the last. */
    int next(int entry) {
        return nextOf.getInt(entry);
    }

    int txn(int entry) {
        return txnOf.getInt(entry);
    }

    /** Whether a committed transaction wrote the value of a first entry too. */
    boolean isKnown(int first) {
        return isKnown.get(first);
    }

    /** Whether anybody else wrote the value of a first entry. */
    boolean isRepeated(int first) {
        for (int entry = next(first); entry != NONE; entry = next(entry)) {
            if (txn(entry) != txn(first)) {
                return true;
            }
        }
        return isKnown(first);
    }

    /** Ids of unknown writers that lack a timestamp. */
    LongSet unplacedWriters() {
        LongSet ids = new LongOpenHashSet();
        for (int entry = 0; entry < txnOf.size(); entry++) {
            if (!lane.isPlaced(txn(entry))) {
                ids.add(lane.txnId().get(txn(entry)));
            }
        }
        return ids;
    }

    /**
     * Ids of unknown transactions that wrote what others wrote too, or what means the initial state.
     *
     * @param wroteInitial by key, whether that value was written by a committed transaction; null if there is no such value
     */
    LongSet ambiguousWriters(long initial, boolean[] wroteInitial) {
        LongSet ids = new LongOpenHashSet();
        for (int slot : slots) {
            if (slot == 0) {
                continue;
            }
            int op = opOf.getInt(slot - 1);
            boolean isInitial = wroteInitial != null
                    && lane.value().get(op) == initial
                    && lane.kind().get(op) == LaneOp.WRITE;
            if (isInitial || isRepeated(slot - 1)) {
                for (int entry = slot - 1; entry != NONE; entry = next(entry)) {
                    ids.add(lane.txnId().get(txn(entry)));
                }
            }
        }
        return ids;
    }

    /** By key, whether an unknown append of it repeats an element of another transaction. */
    BitSet keysWithRepeats() {
        BitSet keys = new BitSet();
        for (int slot : slots) {
            if (slot != 0 && isRepeated(slot - 1)) {
                keys.set(lane.key().get(opOf.getInt(slot - 1)));
            }
        }
        return keys;
    }

    private int slot(int key, long value) {
        int mask = slots.length - 1;
        int slot = (int) Mix.hash(key, value) & mask;
        while (slots[slot] != 0) {
            int op = opOf.getInt(slots[slot] - 1);
            if (lane.key().get(op) == key && lane.value().get(op) == value) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] firsts = slots;
        slots = new int[firsts.length * 2];
        for (int first : firsts) {
            if (first != 0) {
                int op = opOf.getInt(first - 1);
                slots[slot(lane.key().get(op), lane.value().get(op))] = first;
            }
        }
    }
}
