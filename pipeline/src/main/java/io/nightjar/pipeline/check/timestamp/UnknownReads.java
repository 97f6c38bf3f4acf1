package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.primitive.PackedLongs;
import io.nightjar.pipeline.split.LaneOp;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongIterator;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.BitSet;

/**
 * Finds the unknown transactions that count as committed: a committed transaction read from them, directly or through
 * other unknown ones.
 *
 * <p>Fed lane by lane, because only a lane knows who wrote the values of its keys; closed over the whole history.
 */
public final class UnknownReads {

    private static final int NONE = Lane.NONE;

    private final LongSet promoted = new LongOpenHashSet();
    private final LongArrayList unknownReader = new LongArrayList();
    private final LongArrayList unknownWriter = new LongArrayList();
    private final LongSet withoutTimestamps = new LongOpenHashSet();
    private final String initialValue;

    /** @param initialValue the text of the value that means the initial state as null does, or null */
    public UnknownReads(String initialValue) {
        this.initialValue = initialValue;
    }

    /** Looks for reads of values that only unknown transactions wrote. */
    public void observe(Lane lane) {
        if (lane.hasUnknown()) {
            new LaneReads(lane).collect();
        }
    }

    /** Takes over what another observed, of other lanes of the same history. */
    public void merge(UnknownReads other) {
        promoted.addAll(other.promoted);
        unknownReader.addAll(other.unknownReader);
        unknownWriter.addAll(other.unknownWriter);
        withoutTimestamps.addAll(other.withoutTimestamps);
    }

    /** Appends what was observed, so that lanes may be observed apart. */
    public void encode(ByteSink to) {
        put(promoted.toLongArray(), to);
        put(unknownReader.toLongArray(), to);
        put(unknownWriter.toLongArray(), to);
        put(withoutTimestamps.toLongArray(), to);
    }

    /** What {@link #encode} wrote, to be merged. */
    public static UnknownReads decode(ByteFeed from) {
        UnknownReads reads = new UnknownReads(null);
        reads.promoted.addAll(new LongArrayList(get(from)));
        reads.unknownReader.addAll(new LongArrayList(get(from)));
        reads.unknownWriter.addAll(new LongArrayList(get(from)));
        reads.withoutTimestamps.addAll(new LongArrayList(get(from)));
        return reads;
    }

    private static void put(long[] ids, ByteSink to) {
        to.putVarint(ids.length);
        PackedLongs.put(ids, ids.length, to);
    }

    private static long[] get(ByteFeed from) {
        long[] ids = new long[from.getCount()];
        PackedLongs.get(from, ids, ids.length);
        return ids;
    }

    /** The ids of those that count as committed; final once every lane was observed. */
    public LongSet resolve() {
        boolean grew = true;
        while (grew) {
            grew = false;
            for (int i = 0; i < unknownReader.size(); i++) {
                if (promoted.contains(unknownReader.getLong(i))) {
                    grew |= promoted.add(unknownWriter.getLong(i));
                }
            }
        }
        return promoted;
    }

    /** How many of those that count as committed lack a timestamp, so that nobody can say where they belong. */
    public long unplaceable() {
        long count = 0;
        for (LongIterator ids = promoted.iterator(); ids.hasNext(); ) {
            count += withoutTimestamps.contains(ids.nextLong()) ? 1 : 0;
        }
        return count;
    }

    /** One lane's unknown writes by (key, value), and the reads that hit them. */
    private final class LaneReads {

        /*
         * slots[hash(key, value) + i] is the first entry of a (key, value), plus one; nextOf chains further unknown
         * writers of the same. isKnown[entry], kept at the first, says that a committed transaction wrote it too.
         */

        private final Lane lane;
        private final long initial;
        private final boolean[] wroteInitial; // by key; null if no value means the initial state
        private int[] slots = new int[64];
        private final IntArrayList opOf = new IntArrayList();
        private final IntArrayList txnOf = new IntArrayList();
        private final IntArrayList nextOf = new IntArrayList();
        private final BitSet isKnown = new BitSet();

        LaneReads(Lane lane) {
            this.lane = lane;
            boolean known = lane.knowsInitialValue(initialValue);
            this.initial = known ? lane.initialValue(initialValue) : 0;
            this.wroteInitial = known ? lane.findWritersOf(initial) : null;
        }

        void collect() {
            forEachOp(TxnStatus.UNKNOWN, true);
            forEachOp(TxnStatus.COMMITTED, true);
            forEachOp(TxnStatus.COMMITTED, false);
            forEachOp(TxnStatus.UNKNOWN, false);
        }

        private void forEachOp(byte status, boolean writes) {
            for (int txn = 0; txn < lane.txnCount(); txn++) {
                if (lane.status(txn) != status) {
                    continue;
                }
                for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                    byte kind = lane.kind().get(op);
                    if (writes && LaneOp.isEffective(kind)) {
                        noteWrite(txn, op, status);
                    } else if (!writes && LaneOp.isExternalRead(kind) && kind != LaneOp.READ_NOTHING) {
                        noteRead(txn, op, status);
                    }
                }
            }
        }

        private void noteWrite(int txn, int op, byte status) {
            int slot = slot(lane.key().get(op), lane.value().get(op));
            int first = slots[slot] - 1;
            if (status == TxnStatus.COMMITTED) {
                if (first != NONE) {
                    isKnown.set(first);
                }
                return;
            }
            if (!lane.isPlaced(txn)) {
                withoutTimestamps.add(lane.txnId().get(txn));
            }
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

        private void noteRead(int txn, int op, byte status) {
            byte kind = lane.kind().get(op);
            int key = lane.key().get(op);
            long code = lane.value().get(op);
            if (kind == LaneOp.READ) {
                boolean isInitial = wroteInitial != null && code == initial && !wroteInitial[key];
                if (!isInitial) {
                    noteReadOf(txn, slots[slot(key, code)] - 1, status);
                }
                return;
            }
            for (int at = 0; at < lane.lists().length(code); at++) {
                noteReadOf(txn, slots[slot(key, lane.lists().element(key, code, at))] - 1, status);
            }
        }

        private void noteReadOf(int txn, int first, byte status) {
            if (first == NONE || isKnown.get(first)) {
                return;
            }
            for (int entry = first; entry != NONE; entry = nextOf.getInt(entry)) {
                long writer = lane.txnId().get(txnOf.getInt(entry));
                if (status == TxnStatus.COMMITTED) {
                    promoted.add(writer);
                } else if (txnOf.getInt(entry) != txn) {
                    unknownReader.add(lane.txnId().get(txn));
                    unknownWriter.add(writer);
                }
            }
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
}
