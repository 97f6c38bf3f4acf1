package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.primitive.ParallelTasks;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Table from a value of a key to the operation that wrote it: every write and append of a history, of transactions of
 * any outcome.
 */
final class WriterIndex {

    /*
     * Layout. A hash table with open addressing and linear probing, at most half full. A slot belongs to a (key, value)
     * and contains the first operation that wrote it, with its transaction; key and value are read from the log.
     *
     *   opOfSlot[slot]    operation + 1, 0 in a free slot
     *   txnOfSlot[slot]
     *   isFinal           bit per operation: no later operation of its transaction writes its key
     *   isFollower        bit per operation: an earlier operation of its transaction writes its key
     *
     * Further writes of the same pair are stored in duplicates, as (first op, later op), and mark the slot ambiguous
     * unless both are of one transaction. For a value with both aborted and other writers, livingOf has the first write
     * that was not aborted; later writes by transactions that did not abort are repeats.
     *
     * Algorithm. Transactions are inserted in order, the operations of each from the last to the first. Threads may
     * insert pieces of transactions concurrently: the first write that reaches a free slot occupies it, and a write
     * that finds its pair in the slot is recorded as late. In the end the late writes, which are few, replace the
     * entries that they precede.
     *
     * Invariant. The slot of a pair may differ between runs; all other results are equal.
     */

    static final int NONE = -1;

    /** The writer of a value that more than one transaction wrote which did not abort. */
    static final int SEVERAL = -2;

    /** Maximum number of operations of a transaction that are prefetched together. */
    private static final int MAX_TOGETHER = 64;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

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
    private final IntOpenHashSet severallyWritten = new IntOpenHashSet(0); // first ops of values of several writers
    private final IntColumn repeats = new IntColumn(); // duplicates
    private final int writeCount;

    /** @param helpers who may help to fill it */
    WriterIndex(OperationLog log, ParallelTasks helpers) {
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
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), log.txnCount, log.firstOpOf);
        if (bounds.length == 2) {
            new Filling().fill(0, log.txnCount, true);
        } else {
            fillInPieces(helpers, bounds);
        }
    }

    private void fillInPieces(ParallelTasks helpers, int[] bounds) {
        Late[] lateOf = new Late[bounds.length - 1];
        helpers.run(helpers.count(), lateOf.length, () -> {
            Filling filling = new Filling();
            return piece -> lateOf[piece] = filling.fill(bounds[piece], bounds[piece + 1], false);
        });
        Late late = new Late();
        for (Late ofPiece : lateOf) {
            for (int i = 0; i < ofPiece.slots.size(); i++) {
                settle(ofPiece.slots.get(i), ofPiece.txns.get(i), ofPiece.ops.get(i), late);
            }
        }
        int count = late.slots.size();
        long[] positions = new long[count];
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            positions[i] = (long) late.txns.get(i) << Integer.SIZE | Integer.MAX_VALUE - late.ops.get(i);
            order[i] = i;
        }
        RadixSort.sort(positions, order, count);
        for (int i : order) {
            addDuplicate(late.slots.get(i), late.txns.get(i), late.ops.get(i));
        }
    }

    /** Inserts a late write into a slot that a write of a later piece may have occupied. */
    private void settle(int slot, int txn, int op, Late late) {
        if (txn >= txnOfSlot[slot]) {
            late.add(slot, txn, op);
            return;
        }
        late.add(slot, txnOfSlot[slot], opOfSlot[slot] - 1);
        opOfSlot[slot] = op + 1;
        txnOfSlot[slot] = txn;
    }

    /** Writes whose pairs had their slots, in the order in which they were come upon. */
    private static final class Late {

        final IntColumn slots = new IntColumn();
        final IntColumn txns = new IntColumn();
        final IntColumn ops = new IntColumn();

        void add(int slot, int txn, int op) {
            slots.add(slot);
            txns.add(txn);
            ops.add(op);
        }
    }

    /** Scratch data of one thread that inserts writes. */
    private final class Filling {

        private final int[] nextWriteOf = new int[log.keyCount]; // by key: the write that was come upon last
        private final Approach approach = new Approach();
        private int firstWord; // of bits that threads may share
        private int lastWord;

        Filling() {
            Arrays.fill(nextWriteOf, NONE);
        }

        /**
         * Puts the writes of some transactions in.
         *
         * @param isAlone whether no other thread does
         * @return those whose pairs were there, unless it is alone
         */
        Late fill(int firstTxn, int endTxn, boolean isAlone) {
            Late late = new Late();
            firstWord = isAlone ? NONE : log.firstOpOf[firstTxn] >>> 6;
            lastWord = isAlone ? NONE : log.firstOpOf[endTxn] >>> 6;
            byte[] kind = log.kind;
            for (int txn = firstTxn; txn < endTxn; txn++) {
                int first = log.firstOpOf[txn];
                int end = log.firstOpOf[txn + 1];
                approach.toSlots(first, end, true);
                for (int op = end - 1; op >= first; op--) {
                    boolean isUnread = OpKind.isUnreadWrite(kind[op]);
                    if (!OpKind.isWriteOfValue(kind[op]) && !isUnread) {
                        continue;
                    }
                    int key = log.key[op];
                    int next = nextWriteOf[key];
                    if (next < first || next >= end) {
                        set(isFinal, op);
                    } else {
                        set(isFollower, next);
                    }
                    nextWriteOf[key] = op;
                    if (isUnread) {
                        continue;
                    }
                    int slot = isAlone ? slotOf(key, log.value[op]) : slotToTake(key, log.value[op], op);
                    if (opOfSlot[slot] == 0 || !isAlone && opOfSlot[slot] == op + 1) {
                        opOfSlot[slot] = op + 1;
                        txnOfSlot[slot] = txn;
                    } else if (isAlone) {
                        addDuplicate(slot, txn, op);
                    } else {
                        late.add(slot, txn, op);
                    }
                }
            }
            return late;
        }

        private void set(long[] bits, int op) {
            int word = op >>> 6;
            if (word == firstWord || word == lastWord) {
                WORD.getAndBitwiseOr(bits, word, 1L << op);
            } else {
                bits[word] |= 1L << op;
            }
        }

        /** Returns the slot of a pair, which it occupies if the slot was free. */
        private int slotToTake(int key, long value, int op) {
            int mask = opOfSlot.length - 1;
            int slot = firstSlotOf(key, value);
            while (true) {
                int there = opOfSlot[slot];
                if (there == 0) {
                    there = (int) SLOT.compareAndExchange(opOfSlot, slot, 0, op + 1);
                }
                if (there == 0 || log.value[there - 1] == value && log.key[there - 1] == key) {
                    return slot;
                }
                slot = (slot + 1) & mask;
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

    /** Adds a write of a value by a transaction that did not abort, which becomes the next duplicate. */
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
     * Prefetcher: accesses all slots that a transaction will read in one batch, since separate accesses would each wait
     * for memory. For one thread.
     */
    final class Approach {

        private final int[] slotAt = new int[MAX_TOGETHER];
        private final int[] opAt = new int[MAX_TOGETHER];
        private long touched; // means nothing; without it nothing would be touched

        /** Prefetches the slots of a transaction's reads, each of which would wait several times. */
        void toReads(int firstOp, int endOp) {
            int count = toSlots(firstOp, endOp, false);
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
        private int toSlots(int firstOp, int endOp, boolean areWrites) {
            int count = 0;
            for (int op = firstOp; op < endOp && count < MAX_TOGETHER; op++) {
                if (areWrites ? OpKind.isWriteOfValue(log.kind[op]) : log.kind[op] == OpKind.READ) {
                    int slot = firstSlotOf(log.key[op], log.value[op]);
                    slotAt[count] = slot;
                    opAt[count++] = opOfSlot[slot];
                }
            }
            return count;
        }
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

    /** Returns the slot of a written (key, value), or {@link #NONE} if no transaction wrote it. */
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

    /**
     * Returns who wrote the value: the only one that did not abort, {@link #SEVERAL}, or who aborted if all of them
     * did.
     */
    int writerOf(int slot) {
        int first = opOfSlot[slot] - 1;
        if ((isRepeated[first >>> 6] & 1L << first) == 0) {
            return txnOfSlot[slot];
        }
        int living = livingOf.get(first);
        return isWrittenBySeveral(first) ? SEVERAL : living == NONE ? txnOfSlot[slot] : duplicateTxns.get(living);
    }

    /** Returns where a reader has a value from: a {@link ReadOrigin}. */
    byte originOf(int slot, int reader) {
        return slot == NONE
                ? ReadOrigin.NOWHERE
                : ReadOrigin.of(log, writerOf(slot), !isFinal(opOfSlot[slot] - 1), reader);
    }

    /** Returns whether several transactions that did not abort wrote the value first written by an operation. */
    boolean isWrittenBySeveral(int first) {
        return severallyWritten.contains(first);
    }

    boolean hasLivingDuplicates() {
        return !livingOf.isEmpty();
    }

    /** Returns the first duplicate that was not aborted, of a value whose first write was; else {@link #NONE}. */
    int livingDuplicate(int first) {
        return livingOf.get(first);
    }

    /** Returns whether several transactions wrote the value, so that the writer of a read is unknown. */
    boolean isAmbiguous(int slot) {
        int op = opOfSlot[slot] - 1;
        return (isAmbiguous[op >>> 6] & 1L << op) != 0;
    }

    /** Returns whether a value was written more than once, by one transaction or by several. */
    boolean isRepeated(int slot) {
        int op = opOfSlot[slot] - 1;
        return (isRepeated[op >>> 6] & 1L << op) != 0;
    }

    /** Returns whether an operation is its transaction's last write of its key. */
    boolean isFinal(int op) {
        return (isFinal[op >>> 6] & 1L << op) != 0;
    }

    /** Returns whether an operation is its transaction's only write of its key. */
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

    /** Returns the operation that a duplicate repeats. */
    int duplicatedOp(int duplicate) {
        return duplicateOf.get(duplicate);
    }

    /**
     * Returns the number of repeats: writes of a value that another write had already left as final, none of them
     * aborted.
     */
    int repeatCount() {
        return repeats.size();
    }

    int repeat(int index) {
        return repeats.get(index);
    }

    /**
     * Returns the transaction, among the writers of a value, that the source names as the writer read from, or {@link
     * #NONE}.
     */
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
