package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.Mix;
import java.util.Arrays;

/** Everything that keys ever held, as dense ordinals, and who wrote it. */
public final class Versions {

    /*
     *   version  0 .. keyCount            the initial state of each key
     *            keyCount .. count        a value of a key that was written or read, in the order of first appearance
     *
     * A list's versions are named by their last elements. Versions are found by key and value through open addressing:
     *
     *   slots[hash(key, value) + i] = version, EMPTY where there is none
     *
     * A value that was written by an aborted transaction and by another one counts as the other's.
     */

    /** The writer of a version that nobody wrote: the initial state, or a value from nowhere. */
    public static final int NOBODY = -1;

    /** The writer of a version that more than one transaction wrote. */
    public static final int SEVERAL = -2;

    /** There is no such version. */
    public static final int NONE = -1;

    private static final int EMPTY = -1;
    private static final byte REPLACED = 1;
    private static final byte WRITTEN_BY_SEVERAL = 2;
    private static final byte WRITTEN_TWICE = 4;

    private final OperationLog log;
    private int count;
    private int[] keyOf;
    private long[] valueOf;
    private int[] writerOf;
    private byte[] flagsOf;
    private int[] slots;
    private final int[] versionOfOp;

    /** Pairs: a version, and a transaction that wrote it again. */
    private final IntColumn repeatedWrites = new IntColumn();

    private Versions(OperationLog log, int expected) {
        this.log = log;
        int capacity = log.keyCount + expected;
        keyOf = new int[Math.max(16, capacity)];
        valueOf = new long[keyOf.length];
        writerOf = new int[keyOf.length];
        flagsOf = new byte[keyOf.length];
        versionOfOp = new int[log.opCount];
        slots = new int[Math.max(16, Integer.highestOneBit(Math.max(1, expected)) * 4)];
        Arrays.fill(slots, EMPTY);
        for (int key = 0; key < log.keyCount; key++) {
            keyOf[key] = key;
            writerOf[key] = NOBODY;
        }
        count = log.keyCount;
    }

    /** The versions that were written, and the values of registers that were read by committed transactions. */
    public static Versions of(OperationLog log, KeyUse use) {
        int writes = 0;
        for (int op = 0; op < log.opCount; op++) {
            writes += OpKind.isWriteOfValue(log.kind[op]) ? 1 : 0;
        }
        Versions versions = new Versions(log, writes);
        int[] writtenBy = new int[log.keyCount]; // the last transaction that was seen to write a key, plus one
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn + 1] - 1; op >= log.firstOpOf[txn]; op--) {
                if (OpKind.isWriteOfValue(log.kind[op])) {
                    int key = log.key[op];
                    versions.versionOfOp[op] = versions.addWrite(txn, key, log.value[op], writtenBy[key] == txn + 1);
                    writtenBy[key] = txn + 1;
                }
            }
        }
        versions.addReads(use);
        return versions;
    }

    private void addReads(KeyUse use) {
        for (int txn = 0; txn < log.txnCount; txn++) {
            boolean isCommitted = log.status[txn] == TxnStatus.COMMITTED;
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                int key = log.key[op];
                if (log.kind[op] == OpKind.READ_NOTHING) {
                    versionOfOp[op] = initial(key);
                } else if (log.kind[op] == OpKind.READ) {
                    boolean isNews = isCommitted && use.of(key) == KeyUse.REGISTER;
                    versionOfOp[op] = isNews ? intern(key, log.value[op]) : find(key, log.value[op]);
                } else if (!OpKind.isWriteOfValue(log.kind[op])) {
                    versionOfOp[op] = NONE;
                }
            }
        }
    }

    private int addWrite(int txn, int key, long value, boolean replaced) {
        int before = count;
        int version = intern(key, value);
        if (version != before) {
            flagsOf[version] |= WRITTEN_TWICE;
        }
        if (version == before || log.status[txn] != TxnStatus.ABORTED && isAborted(writerOf[version])) {
            writerOf[version] = txn;
            flagsOf[version] = (byte) (flagsOf[version] & WRITTEN_TWICE | (replaced ? REPLACED : 0));
        } else if (log.status[txn] != TxnStatus.ABORTED) {
            repeatedWrites.add(version);
            repeatedWrites.add(txn);
            if (writerOf[version] != txn) {
                flagsOf[version] |= WRITTEN_BY_SEVERAL;
            }
        }
        return version;
    }

    private boolean isAborted(int writer) {
        return writer >= 0 && log.status[writer] == TxnStatus.ABORTED;
    }

    /** The version of a value that was read; a new one, written by nobody, where it was never heard of. */
    int intern(int key, long value) {
        int slot = slotOf(key, value);
        if (slots[slot] != EMPTY) {
            return slots[slot];
        }
        if (count == keyOf.length) {
            int capacity = Math.addExact(count, Math.max(16, count >> 1));
            keyOf = Arrays.copyOf(keyOf, capacity);
            valueOf = Arrays.copyOf(valueOf, capacity);
            writerOf = Arrays.copyOf(writerOf, capacity);
            flagsOf = Arrays.copyOf(flagsOf, capacity);
        }
        keyOf[count] = key;
        valueOf[count] = value;
        writerOf[count] = NOBODY;
        slots[slot] = count++;
        if (2L * (count - log.keyCount) > slots.length) {
            rehash();
        }
        return count - 1;
    }

    /** Reads of the initial value of some keys say nothing any more. */
    public void forgetInitials(boolean[] isDoubtful) {
        for (int op = 0; op < log.opCount; op++) {
            if (log.kind[op] == OpKind.READ_NOTHING && log.isDoubtful(op, isDoubtful)) {
                versionOfOp[op] = NONE;
            }
        }
    }

    /** What an operation wrote, or read from a register; {@link #NONE} for lists, increments and what nobody wrote. */
    public int ofOp(int op) {
        return versionOfOp[op];
    }

    /** {@link #NONE} if nobody wrote or read it. */
    public int find(int key, long value) {
        return slots[slotOf(key, value)];
    }

    private int slotOf(int key, long value) {
        int mask = slots.length - 1;
        int slot = (int) Mix.hash(key, value) & mask;
        while (slots[slot] != EMPTY && (valueOf[slots[slot]] != value || keyOf[slots[slot]] != key)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void rehash() {
        slots = new int[Math.multiplyExact(slots.length, 2)];
        Arrays.fill(slots, EMPTY);
        for (int version = log.keyCount; version < count; version++) {
            slots[slotOf(keyOf[version], valueOf[version])] = version;
        }
    }

    public int count() {
        return count;
    }

    /** The initial state of a key. */
    public static int initial(int key) {
        return key;
    }

    public boolean isInitial(int version) {
        return version < log.keyCount;
    }

    public int key(int version) {
        return keyOf[version];
    }

    /** The value, or a list's last element; says nothing for an initial state. */
    public long value(int version) {
        return valueOf[version];
    }

    /** The value as the history spells it; null for the initial state. */
    public String text(int version) {
        return isInitial(version) ? null : log.valueText(valueOf[version]);
    }

    /** A transaction of any status, {@link #NOBODY}, or {@link #SEVERAL}. */
    public int writer(int version) {
        return (flagsOf[version] & WRITTEN_BY_SEVERAL) != 0 ? SEVERAL : writerOf[version];
    }

    /** The transaction that wrote it, the first one if there are several, or {@link #NOBODY}. */
    public int firstWriter(int version) {
        return writerOf[version];
    }

    /** Whether its writer wrote the key again afterwards. */
    public boolean isIntermediate(int version) {
        return (flagsOf[version] & REPLACED) != 0;
    }

    /** Whether more than one operation wrote it, whatever became of them. */
    public boolean isWrittenTwice(int version) {
        return (flagsOf[version] & WRITTEN_TWICE) != 0;
    }

    /** How often a value was written once more than it should have been. */
    public int repeatedWriteCount() {
        return repeatedWrites.size() / 2;
    }

    public int repeatedVersion(int index) {
        return repeatedWrites.get(2 * index);
    }

    public int repeatingTxn(int index) {
        return repeatedWrites.get(2 * index + 1);
    }
}
