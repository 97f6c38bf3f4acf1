package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.ParallelTasks;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Everything that keys ever held, as dense ordinals, and who wrote it. */
public final class Versions {

    /*
     * Layout.
     *
     *   version  0 .. keyCount            the initial state of each key
     *            keyCount .. count        a value of a key that was written or read, in the order of first appearance
     *
     * A list's versions are named by their last elements.
     *
     * Algorithm. A written value is found through the index of writers, which gives the first operation that wrote it,
     * and versionOfOp of that operation; a value that was only read, through a map of its key. A value that was written
     * by an aborted transaction and by another transaction counts as the other's.
     */

    /** The writer of a version that no transaction wrote: the initial state, or a value from nowhere. */
    public static final int NO_TXN = -1;

    /** The writer of a version that more than one transaction wrote. */
    public static final int SEVERAL = WriterIndex.SEVERAL;

    /** No version. */
    public static final int NONE = -1;

    private static final byte REPLACED = 1;
    private static final byte WRITTEN_BY_SEVERAL = 2;
    private static final byte WRITTEN_TWICE = 4;

    private final OperationLog log;
    private final WriterIndex writers;
    private int count;
    private int[] keyOf;
    private long[] valueOf;
    private int[] writerOf;
    private byte[] flagsOf;
    private final int[] versionOfOp;
    private final Int2ObjectOpenHashMap<Long2IntOpenHashMap> unwrittenOf = new Int2ObjectOpenHashMap<>(0); // by key

    private Versions(OperationLog log, WriterIndex writers) {
        this.log = log;
        this.writers = writers;
        int capacity = log.keyCount + writers.writeCount() - writers.duplicateCount();
        keyOf = new int[Math.max(16, capacity)];
        valueOf = new long[keyOf.length];
        writerOf = new int[keyOf.length];
        flagsOf = new byte[keyOf.length];
        versionOfOp = new int[log.opCount];
        for (int key = 0; key < log.keyCount; key++) {
            keyOf[key] = key;
            writerOf[key] = NO_TXN;
        }
        count = log.keyCount;
    }

    /** Returns the versions that were written, and the values of registers that were read by committed transactions. */
    static Versions of(ReadResolution reads) {
        Versions versions = new Versions(reads.log, reads.writers);
        versions.addWrites();
        versions.addReads(reads.use(), reads.helpers);
        return versions;
    }

    /** Adds the written versions, in the order in which the table found the operations. */
    private void addWrites() {
        int duplicate = 0;
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int op = log.firstOpOf[txn + 1] - 1; op >= log.firstOpOf[txn]; op--) {
                if (!OpKind.isWriteOfValue(log.kind[op])) {
                    continue;
                }
                if (duplicate < writers.duplicateCount() && writers.duplicateOp(duplicate) == op) {
                    versionOfOp[op] = versionOfOp[writers.duplicatedOp(duplicate++)];
                } else {
                    versionOfOp[op] = add(log.key[op], log.value[op], txn);
                    flagsOf[versionOfOp[op]] = writers.isFinal(op) ? 0 : REPLACED;
                }
            }
        }
        for (duplicate = 0; duplicate < writers.duplicateCount(); duplicate++) {
            int first = writers.duplicatedOp(duplicate);
            int version = versionOfOp[first];
            flagsOf[version] |= WRITTEN_TWICE;
            if (writers.livingDuplicate(first) == duplicate) {
                writerOf[version] = writers.duplicateTxn(duplicate);
                flagsOf[version] =
                        writers.isFinal(writers.duplicateOp(duplicate)) ? WRITTEN_TWICE : WRITTEN_TWICE | REPLACED;
            }
        }
        for (int i = 0; i < repeatedWriteCount(); i++) {
            int first = writers.duplicatedOp(writers.repeat(i));
            flagsOf[versionOfOp[first]] |= writers.isWrittenBySeveral(first) ? WRITTEN_BY_SEVERAL : 0;
        }
    }

    /**
     * Adds versions of values that were only read. Written values are resolved in pieces; the others, in the order of
     * the rows, may be new.
     */
    private void addReads(KeyUse use, ParallelTasks helpers) {
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), log.txnCount, log.firstOpOf);
        IntColumn[] unwritten = new IntColumn[bounds.length - 1];
        helpers.run(helpers.count(), unwritten.length, () -> {
            WriterIndex.Approach approach = writers.new Approach();
            return piece -> unwritten[piece] = findWritten(bounds[piece], bounds[piece + 1], approach);
        });
        for (IntColumn txnsAndOps : unwritten) {
            for (int i = 0; i < txnsAndOps.size(); i += 2) {
                int op = txnsAndOps.get(i + 1);
                int key = log.key[op];
                boolean isCommitted = log.status[txnsAndOps.get(i)] == TxnStatus.COMMITTED;
                boolean isNews = isCommitted && use.of(key) == KeyUse.REGISTER;
                versionOfOp[op] = isNews ? intern(key, log.value[op]) : find(key, log.value[op]);
            }
        }
    }

    /** Returns the reads of values that no transaction wrote: pairs of the transaction and the operation. */
    private IntColumn findWritten(int firstTxn, int endTxn, WriterIndex.Approach approach) {
        IntColumn unwritten = new IntColumn();
        for (int txn = firstTxn; txn < endTxn; txn++) {
            approach.toReads(log.firstOpOf[txn], log.firstOpOf[txn + 1]);
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                if (log.kind[op] == OpKind.READ_NOTHING) {
                    versionOfOp[op] = initial(log.key[op]);
                } else if (log.kind[op] == OpKind.READ) {
                    versionOfOp[op] = find(log.key[op], log.value[op]);
                    if (versionOfOp[op] == NONE) {
                        unwritten.add(txn);
                        unwritten.add(op);
                    }
                } else if (!OpKind.isWriteOfValue(log.kind[op])) {
                    versionOfOp[op] = NONE;
                }
            }
        }
        return unwritten;
    }

    /** Returns the version of a value that was read, creating one without a writer if the value is new. */
    int intern(int key, long value) {
        int version = find(key, value);
        if (version == NONE) {
            version = add(key, value, NO_TXN);
            unwrittenOf
                    .computeIfAbsent(key, unheard -> {
                        Long2IntOpenHashMap versionOf = new Long2IntOpenHashMap(4);
                        versionOf.defaultReturnValue(NONE);
                        return versionOf;
                    })
                    .put(value, version);
        }
        return version;
    }

    private int add(int key, long value, int writer) {
        if (count == keyOf.length) {
            int capacity = Math.addExact(count, Math.max(16, count >> 1));
            keyOf = Arrays.copyOf(keyOf, capacity);
            valueOf = Arrays.copyOf(valueOf, capacity);
            writerOf = Arrays.copyOf(writerOf, capacity);
            flagsOf = Arrays.copyOf(flagsOf, capacity);
        }
        keyOf[count] = key;
        valueOf[count] = value;
        writerOf[count] = writer;
        return count++;
    }

    /** Removes the versions of ambiguous reads of the initial value. */
    void forgetInitials(boolean[] isDoubtful) {
        for (int op = 0; op < log.opCount; op++) {
            if (log.kind[op] == OpKind.READ_NOTHING && log.isDoubtful(op, isDoubtful)) {
                versionOfOp[op] = NONE;
            }
        }
    }

    /**
     * Returns the version that an operation wrote, or read from a register; {@link #NONE} for lists, increments and
     * values that no transaction wrote.
     */
    public int ofOp(int op) {
        return versionOfOp[op];
    }

    /**
     * Returns whether versions that transactions wrote are numbered in the order of these; not where a value was
     * aborted first.
     */
    boolean areInOrderOfWriters() {
        return !writers.hasLivingDuplicates();
    }

    /** Returns the version of a value; {@link #NONE} if no transaction wrote or read it. */
    public int find(int key, long value) {
        int slot = writers.find(key, value);
        if (slot != WriterIndex.NONE) {
            return versionOfOp[writers.opOf(slot)];
        }
        Long2IntOpenHashMap versionOf = unwrittenOf.isEmpty() ? null : unwrittenOf.get(key);
        return versionOf == null ? NONE : versionOf.get(value);
    }

    public int count() {
        return count;
    }

    /** Returns the initial state of a key. */
    public static int initial(int key) {
        return key;
    }

    public boolean isInitial(int version) {
        return version < log.keyCount;
    }

    public int key(int version) {
        return keyOf[version];
    }

    /** Returns the value, or a list's last element; undefined for an initial state. */
    public long value(int version) {
        return valueOf[version];
    }

    /** Returns the value as the history spells it; null for the initial state. */
    public @Nullable String text(int version) {
        return isInitial(version) ? null : log.valueText(valueOf[version]);
    }

    /** Returns a transaction of any status, {@link #NO_TXN}, or {@link #SEVERAL}. */
    public int writer(int version) {
        return (flagsOf[version] & WRITTEN_BY_SEVERAL) != 0 ? SEVERAL : writerOf[version];
    }

    /** Returns the transaction that wrote it, the first of several, or {@link #NO_TXN}. */
    public int firstWriter(int version) {
        return writerOf[version];
    }

    /** Returns where a reader has it from: a {@link ReadOrigin}; nowhere too for {@link #NONE}. */
    public byte originOf(int version, int reader) {
        return version == NONE
                ? ReadOrigin.NOWHERE
                : ReadOrigin.of(log, writer(version), isIntermediate(version), reader);
    }

    /** Returns whether its writer wrote the key again afterwards. */
    public boolean isIntermediate(int version) {
        return (flagsOf[version] & REPLACED) != 0;
    }

    /** Returns whether more than one operation wrote it, of transactions of any outcome. */
    public boolean isWrittenTwice(int version) {
        return (flagsOf[version] & WRITTEN_TWICE) != 0;
    }

    /** Returns the number of repeated writes of a value. */
    public int repeatedWriteCount() {
        return writers.repeatCount();
    }
}
