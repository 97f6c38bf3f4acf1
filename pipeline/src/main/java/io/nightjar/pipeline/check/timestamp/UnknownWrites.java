package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.PairOrdinals;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The last writes and appends of a lane's unknown transactions, found by key and value. */
final class UnknownWrites {

    /*
     * Layout. firstOf[pair] is the first entry of a (key, value); nextOf chains further unknown writes of the same.
     * isKnown[entry], kept at the first, is set if a committed transaction wrote it too.
     */

    private static final int NONE = Lane.NONE;

    private final Lane lane;
    private final PairOrdinals pairs = new PairOrdinals(32); // of keys and values
    private final IntArrayList firstOf = new IntArrayList();
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
        int entry = opOf.size();
        int pair = pairs.ordinal(lane.key().get(op), lane.value().get(op));
        isWritten.set(lane.key().get(op));
        opOf.add(op);
        txnOf.add(txn);
        if (pair == firstOf.size()) {
            firstOf.add(entry);
            nextOf.add(NONE);
        } else {
            int first = firstOf.getInt(pair);
            nextOf.add(nextOf.getInt(first));
            nextOf.set(first, entry);
        }
    }

    /** Returns whether an unknown transaction wrote the key. */
    boolean isWritten(int key) {
        return isWritten.get(key);
    }

    /** Returns the first unknown write of a value, or {@link Lane#NONE}. */
    int find(int key, long value) {
        int pair = isWritten.get(key) ? pairs.find(key, value) : PairOrdinals.NONE;
        return pair == PairOrdinals.NONE ? NONE : firstOf.getInt(pair);
    }

    /** Returns the next write of the same value; {@link Lane#NONE} after the last. */
    int next(int entry) {
        return nextOf.getInt(entry);
    }

    int txn(int entry) {
        return txnOf.getInt(entry);
    }

    /** Returns whether a committed transaction wrote the value of a first entry too. */
    boolean isKnown(int first) {
        return isKnown.get(first);
    }

    /** Returns whether another transaction wrote the value of a first entry. */
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
     * Returns ids of unknown transactions that wrote a value that others wrote too, or the value of the initial state.
     *
     * @param wroteInitial by key, whether that value was written by a committed transaction; null if no value
     *     represents the initial state
     */
    LongSet ambiguousWriters(long initial, boolean @Nullable [] wroteInitial) {
        LongSet ids = new LongOpenHashSet();
        for (int first : firstOf) {
            int op = opOf.getInt(first);
            boolean isInitial = wroteInitial != null
                    && lane.value().get(op) == initial
                    && lane.kind().get(op) == LaneOp.WRITE;
            if (isInitial || isRepeated(first)) {
                for (int entry = first; entry != NONE; entry = next(entry)) {
                    ids.add(lane.txnId().get(txn(entry)));
                }
            }
        }
        return ids;
    }

    /** Returns, by key, whether an unknown append of it repeats an element of another transaction. */
    BitSet keysWithRepeats() {
        BitSet keys = new BitSet();
        for (int first : firstOf) {
            if (isRepeated(first)) {
                keys.set(lane.key().get(opOf.getInt(first)));
            }
        }
        return keys;
    }
}
