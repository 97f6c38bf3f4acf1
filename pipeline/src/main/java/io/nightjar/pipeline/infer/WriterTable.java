package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;

/** Which operation wrote a value to a key: every write and append of a history, whatever became of its transaction. */
final class WriterTable {

    /*
     * Open addressing, linear probing, at most half full. A slot belongs to a (key, value) and holds the first operation
     * that wrote it, with its transaction; key and value are looked up in the log.
     *
     *   opOfSlot[slot] = op + 1       0 where the slot is free
     *   txnOfSlot[slot]
     *
     * Further writes of the same pair are kept in duplicates, as (first op, later op), and mark the slot ambiguous unless
     * both are of one transaction. Of a value that aborted transactions wrote and others too, livingOf has the first write
     * that was not aborted; writes after that one, by those that did not abort, are repeats. isFinal is a bit for each
     * operation: no later one of its transaction writes its key, and isFollower one that says that an earlier one does.
     */

    static final int NONE = -1;

    /** The writer of a value that more than one transaction wrote which did not abort. */
    static final int SEVERAL = -2;

    /** As many operations of a transaction are approached together. */
    private static final int MOST_TOGETHER = 64;

    private final OperationLog log;
    private final int[] opOfSlot;
    private final int[] txnOfSlot;
    private final long[] isFinal;
    private final long[] isFollower;
    private final long[] isAmbiguous; // by the first operation of a slot
    private final long[] isRepeated; // the same, by whomever
    private final IntColumn duplicateOf = new IntColumn();
    private final IntColumn duplicates = new IntColumn();
    private final IntColumn duplicateTxns = new IntColumn();
    private final Int2IntOpenHashMap livingOf = new Int2IntOpenHashMap(0); // by first op: a duplicate
    private final IntOpenHashSet severallyWritten = new IntOpenHashSet(0); // first ops of what several wrote and kept
    private final IntColumn repeats = new IntColumn(); // duplicates
    private final int[] slotAt = new int[MOST_TOGETHER];
    private final int[] opAt = new int[MOST_TOGETHER];
    private final int writeCount;
    private long touched; // read by nobody: without it nothing would be touched

    WriterTable(OperationLog log) {
        this.log = log;
        int writes = 0;
        for (int op = 0; op < log.opCount; op++) {
            writes += OpKind.isWriteOfValue(log.kind[op]) ? 1 : 0;
        }
        writeCount = writes;
        int capacity = Integer.highestOneBit(Math.max(8, writeCount)) << 2;
        if (capacity <= 0) {
            throw new IllegalStateException("too many writes for one table: writes=" + writeCount);
        }
        opOfSlot = new int[capacity];
        txnOfSlot = new int[capacity];
        isFinal = new long[(log.opCount >>> 6) + 1];
        isFollower = new long[(log.opCount >>> 6) + 1];
        isAmbiguous = new long[(log.opCount >>> 6) + 1];
        isRepeated = new long[(log.opCount >>> 6) + 1];
        livingOf.defaultReturnValue(NONE);
        fill();
    }

    private void fill() {
        byte[] kind = log.kind;
        int[] key = log.key;
        long[] value = log.value;
        int[] nextWriteOf = new int[log.keyCount]; // by key: the write that was come upon last
        Arrays.fill(nextWriteOf, NONE);
        for (int txn = 0; txn < log.txnCount; txn++) {
            approachSlots(log.firstOpOf[txn], log.firstOpOf[txn + 1], true);
            for (int op = log.firstOpOf[txn + 1] - 1; op >= log.firstOpOf[txn]; op--) {
                if (!OpKind.isWriteOfValue(kind[op])) {
                    continue;
                }
                int next = nextWriteOf[key[op]];
                if (next < log.firstOpOf[txn]) {
                    isFinal[op >>> 6] |= 1L << op;
                } else {
                    isFollower[next >>> 6] |= 1L << next;
                }
                nextWriteOf[key[op]] = op;
                int slot = slotOf(key[op], value[op]);
                if (opOfSlot[slot] == 0) {
                    opOfSlot[slot] = op + 1;
                    txnOfSlot[slot] = txn;
                } else {
                    addDuplicate(slot, txn, op);
                }
            }
        }
    }

    private void addDuplicate(int slot, int txn, int op) {
        int first = opOfSlot[slot] - 1;
        if (log.status[txn] != TxnStatus.ABORTED) {
            addLiving(first, txnOfSlot[slot], txn);
        }
        duplicateOf.add(first);
        duplicates.add(op);
        duplicateTxns.add(txn);
        isRepeated[first >>> 6] |= 1L << first;
        if (txnOfSlot[slot] != txn) {
            isAmbiguous[first >>> 6] |= 1L << first;
        }
    }

    /** A write of a value by a transaction that did not abort, which becomes the next duplicate. */
    private void addLiving(int first, int firstTxn, int txn) {
        boolean isFirstAborted = log.status[firstTxn] == TxnStatus.ABORTED;
        int living = livingOf.get(first);
        if (isFirstAborted && living == NONE) {
            livingOf.put(first, duplicates.size());
            return;
        }
        repeats.add(duplicates.size());
        if (txn != (isFirstAborted ? duplicateTxns.get(living) : firstTxn)) {
            severallyWritten.add(first);
        }
    }

    private int firstSlotOf(int ofKey, long written) {
        return (int) (Mix.hash(ofKey, written) >>> 20) & opOfSlot.length - 1;
    }

    /**
     * Touches what looking up the reads of a transaction will need, for all of them side by side: one after another each would wait
     * for memory several times.
     */
    void approach(int firstOp, int endOp) {
        int count = approachSlots(firstOp, endOp, false);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            int op = opAt[i] - 1;
            if (op >= 0) {
                sum += log.value[op] + log.key[op] + isAmbiguous[op >>> 6] + isFinal[op >>> 6];
                sum += txnOfSlot[slotAt[i]];
            }
        }
        touched += sum;
    }

    /** Looks into the first slots of writes or of reads; returns how many. */
    private int approachSlots(int firstOp, int endOp, boolean areWrites) {
        int count = 0;
        for (int op = firstOp; op < endOp && count < MOST_TOGETHER; op++) {
            if (areWrites ? OpKind.isWriteOfValue(log.kind[op]) : log.kind[op] == OpKind.READ) {
                int slot = firstSlotOf(log.key[op], log.value[op]);
                slotAt[count] = slot;
                opAt[count++] = opOfSlot[slot];
            }
        }
        return count;
    }

    private int slotOf(int ofKey, long written) {
        int mask = opOfSlot.length - 1;
        int slot = firstSlotOf(ofKey, written);
        while (opOfSlot[slot] != 0) {
            int op = opOfSlot[slot] - 1;
            if (log.value[op] == written && log.key[op] == ofKey) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** The slot of a written (key, value), or {@link #NONE} if no transaction wrote it. */
    int find(int key, long value) {
        int slot = slotOf(key, value);
        return opOfSlot[slot] == 0 ? NONE : slot;
    }

    int txnOf(int slot) {
        return txnOfSlot[slot];
    }

    int opOf(int slot) {
        return opOfSlot[slot] - 1;
    }

    /** Who wrote the value: the only one that did not abort, {@link #SEVERAL}, or who aborted if all of them did. */
    int writerOf(int slot) {
        int first = opOfSlot[slot] - 1;
        if ((isRepeated[first >>> 6] & 1L << first) == 0) {
            return txnOfSlot[slot];
        }
        int living = livingOf.get(first);
        return isWrittenBySeveral(first) ? SEVERAL : living == NONE ? txnOfSlot[slot] : duplicateTxns.get(living);
    }

    /** Where a reader has a value from: a {@link ReadOrigin}. */
    byte originOf(int slot, int reader) {
        return slot == NONE
                ? ReadOrigin.NOWHERE
                : ReadOrigin.of(log, writerOf(slot), !isFinal(opOfSlot[slot] - 1), reader);
    }

    /** Whether several transactions that did not abort wrote what an operation was the first to write. */
    boolean isWrittenBySeveral(int first) {
        return severallyWritten.contains(first);
    }

    /** The first duplicate that was not aborted, of a value whose first write was; else {@link #NONE}. */
    int livingDuplicate(int first) {
        return livingOf.get(first);
    }

    /** Whether several transactions wrote the value, so that it is unknown from whom it was read. */
    boolean isAmbiguous(int slot) {
        int op = opOfSlot[slot] - 1;
        return (isAmbiguous[op >>> 6] & 1L << op) != 0;
    }

    /** Whether a value was written more than once, by one transaction or by several. */
    boolean isRepeated(int slot) {
        int op = opOfSlot[slot] - 1;
        return (isRepeated[op >>> 6] & 1L << op) != 0;
    }

    /** Whether an operation is its transaction's last write of its key. */
    boolean isFinal(int op) {
        return (isFinal[op >>> 6] & 1L << op) != 0;
    }

    /** Whether an operation is its transaction's only write of its key. */
    boolean isSole(int op) {
        return isFinal(op) && (isFollower[op >>> 6] & 1L << op) == 0;
    }

    /** Writes of values, duplicates included. */
    int writeCount() {
        return writeCount;
    }

    /** Writes of a value that was written to the key before, in the order in which they were come upon. */
    int duplicateCount() {
        return duplicates.size();
    }

    int duplicateOp(int duplicate) {
        return duplicates.get(duplicate);
    }

    int duplicateTxn(int duplicate) {
        return duplicateTxns.get(duplicate);
    }

    /** The operation that a duplicate repeats. */
    int duplicatedOp(int duplicate) {
        return duplicateOf.get(duplicate);
    }

    /** Duplicates of what another write had already left for good, none of them aborted. */
    int repeatCount() {
        return repeats.size();
    }

    int repeat(int index) {
        return repeats.get(index);
    }

    /** The transaction among those that wrote a value that the source says was read from, or {@link #NONE}. */
    int txnNamed(int slot, long writerTxnId) {
        if (log.txnId[txnOfSlot[slot]] == writerTxnId) {
            return txnOfSlot[slot];
        }
        int first = opOf(slot);
        for (int duplicate = 0; duplicate < duplicates.size(); duplicate++) {
            if (duplicateOf.get(duplicate) == first && log.txnId[duplicateTxns.get(duplicate)] == writerTxnId) {
                return duplicateTxns.get(duplicate);
            }
        }
        return NONE;
    }
}
