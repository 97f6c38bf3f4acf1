package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.split.LaneOp;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongIterator;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;

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

    /** Looks for reads of values that only unknown transactions wrote. */
    public void observe(Lane lane) {
        if (lane.hasUnknown()) {
            new LaneReads(lane).collect();
        }
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

        private final Lane lane;
        private int[] slots = new int[64]; // an unknown transaction's effective write, plus one
        private int used;
        private int[] writerOf = new int[64]; // by slot; NONE once a committed transaction wrote the same

        LaneReads(Lane lane) {
            this.lane = lane;
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
            if (status == TxnStatus.COMMITTED) {
                if (slots[slot] != 0) {
                    writerOf[slot] = NONE;
                }
                return;
            }
            slots[slot] = op + 1;
            writerOf[slot] = txn;
            if (!lane.isPlaced(txn)) {
                withoutTimestamps.add(lane.txnId().get(txn));
            }
            if (2 * ++used > slots.length) {
                grow();
            }
        }

        private void noteRead(int txn, int op, byte status) {
            byte kind = lane.kind().get(op);
            int key = lane.key().get(op);
            long code = lane.value().get(op);
            if (kind == LaneOp.READ) {
                noteReadOf(txn, slot(key, code), status);
                return;
            }
            for (int at = 0; at < lane.lists().length(code); at++) {
                noteReadOf(txn, slot(key, lane.lists().element(key, code, at)), status);
            }
        }

        private void noteReadOf(int txn, int slot, byte status) {
            if (slots[slot] == 0 || writerOf[slot] == NONE || writerOf[slot] == txn) {
                return;
            }
            long writer = lane.txnId().get(writerOf[slot]);
            if (status == TxnStatus.COMMITTED) {
                promoted.add(writer);
            } else {
                unknownReader.add(lane.txnId().get(txn));
                unknownWriter.add(writer);
            }
        }

        private int slot(int key, long value) {
            int mask = slots.length - 1;
            int slot = (int) Mix.hash(key, value) & mask;
            while (slots[slot] != 0
                    && (lane.key().get(slots[slot] - 1) != key || lane.value().get(slots[slot] - 1) != value)) {
                slot = (slot + 1) & mask;
            }
            return slot;
        }

        private void grow() {
            int[] ops = slots;
            int[] writers = writerOf;
            slots = new int[ops.length * 2];
            writerOf = new int[ops.length * 2];
            for (int i = 0; i < ops.length; i++) {
                if (ops[i] != 0) {
                    int slot = slot(lane.key().get(ops[i] - 1), lane.value().get(ops[i] - 1));
                    slots[slot] = ops[i];
                    writerOf[slot] = writers[i];
                }
            }
        }
    }
}
