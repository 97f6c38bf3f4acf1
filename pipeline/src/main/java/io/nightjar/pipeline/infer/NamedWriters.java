package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** View of a log in which no two transactions wrote one value to a register, as far as its reads name their writers. */
public final class NamedWriters {

    /*
     * Definitions. A repeated value is one that several transactions wrote to a register. It is named if none of these
     * is of unknown outcome, and each read of it by a transaction that may count is of an own write, or names a
     * committed writer that left the value.
     *
     * Algorithm. In writes of a named value by any writer except the first, and in the reads that name that writer, the
     * value is replaced by an alias: a value that occurs nowhere else, which the view maps to the original.
     *
     * Cost. None if reads name no writers or no value is repeated; else two passes through all operations.
     */

    private static final int NONE = -1;

    private final OperationLog log;
    private final Long2IntOpenHashMap txnOfId = new Long2IntOpenHashMap();
    private final Object2LongOpenHashMap<AliasedWrite> aliasOf = new Object2LongOpenHashMap<>();
    private final Object2LongOpenHashMap<RepeatedValue> firstWriterOf =
            new Object2LongOpenHashMap<>(); // or NONE: not named
    private final Long2LongOpenHashMap valueOfAlias = new Long2LongOpenHashMap();

    private record RepeatedValue(int key, long value) {}

    private record AliasedWrite(int key, long value, int txn) {}

    private final @Nullable Int2IntOpenHashMap
            suggestedOf; // by read: its writer; null if reads name writers themselves

    private NamedWriters(OperationLog log, @Nullable Int2IntOpenHashMap suggestedOf) {
        this.log = log;
        this.suggestedOf = suggestedOf;
        txnOfId.defaultReturnValue(NONE);
    }

    /** Returns the view; the log itself where no repeated value is named. */
    public static OperationLog of(ReadResolution reads) {
        OperationLog log = reads.log;
        if (log.writerTxn == null || reads.repeatedWriteCount() == 0) {
            return log;
        }
        return new NamedWriters(log, null).viewOf(reads);
    }

    /** Returns the view in which timestamps suggest the writers (SuggestedWriters); the log itself if it has none. */
    public static OperationLog suggested(ReadResolution reads) {
        OperationLog log = reads.log;
        if (log.startTs == null || log.commitTs == null || reads.repeatedWriteCount() == 0) {
            return log;
        }
        return new NamedWriters(log, SuggestedWriters.of(reads)).viewOf(reads);
    }

    private OperationLog viewOf(ReadResolution reads) {
        collect(reads);
        dropUnnamed();
        return hasAliases() ? view() : log;
    }

    private void collect(ReadResolution reads) {
        reads.forEachRepeatedWrite((first, second, op) -> {
            RepeatedValue value = new RepeatedValue(log.key[op], log.value[op]);
            boolean isOfRegister = reads.use().of(value.key()) == KeyUse.REGISTER;
            boolean isKnown = log.status[first] != TxnStatus.UNKNOWN && log.status[second] != TxnStatus.UNKNOWN;
            if (!isOfRegister || !isKnown) {
                firstWriterOf.put(value, NONE);
            } else if (first != second) {
                firstWriterOf.putIfAbsent(value, first);
            }
        });
        for (int txn = 0; txn < log.txnCount; txn++) {
            txnOfId.put(log.txnId[txn], txn);
        }
    }

    private void dropUnnamed() {
        OwnOperations own = new OwnOperations(log);
        for (int txn = 0; txn < log.txnCount; txn++) {
            own.begin(txn);
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                own.take(op);
                if (log.kind[op] != OpKind.READ || log.status[txn] == TxnStatus.ABORTED) {
                    continue;
                }
                RepeatedValue value = new RepeatedValue(log.key[op], log.value[op]);
                if (firstWriterOf.containsKey(value) && writerOf(txn, op, own) == NONE) {
                    firstWriterOf.put(value, NONE);
                }
            }
        }
        firstWriterOf.values().removeIf(first -> first == NONE);
    }

    /** Returns the transaction whose write a read returned, which may be its own; {@link #NONE} if that is not known. */
    private int writerOf(int txn, int read, OwnOperations own) {
        int written = own.lastWriteBefore(read);
        if (written != OwnOperations.NONE) {
            return log.value[written] == log.value[read] ? txn : NONE;
        }
        int writer;
        if (suggestedOf != null) {
            writer = suggestedOf.get(read);
        } else {
            writer = log.writerTxn[read] == HistorySlice.NONE ? NONE : txnOfId.get(log.writerTxn[read]);
        }
        if (writer == NONE || writer == txn || log.status[writer] != TxnStatus.COMMITTED) {
            return NONE;
        }
        int left = log.firstOpOf[writer + 1] - 1;
        while (left >= log.firstOpOf[writer] && (log.key[left] != log.key[read] || log.kind[left] != OpKind.WRITE)) {
            left--;
        }
        return left >= log.firstOpOf[writer] && log.value[left] == log.value[read] ? writer : NONE;
    }

    private boolean hasAliases() {
        return !firstWriterOf.isEmpty() && firstAlias() != HistorySlice.NONE;
    }

    /**
     * Returns the first of a range of values that occur nowhere in the log; {@link HistorySlice#NONE} if the free
     * values are too few.
     */
    private long firstAlias() {
        long largest = 0;
        for (int op = 0; op < log.opCount; op++) {
            largest = log.kind[op] == OpKind.READ_LIST ? largest : Math.max(largest, log.value[op]);
        }
        for (int key = 0; key < log.keyCount; key++) {
            long[] trunk = log.lists.trunk(key);
            for (int position = 0; trunk != null && position < log.lists.trunkLength(key); position++) {
                largest = Math.max(largest, trunk[position]);
            }
        }
        for (int element = 0; element < log.lists.nonPrefix.elementCount(); element++) {
            largest = Math.max(largest, log.lists.nonPrefix.elements()[element]);
        }
        return largest >= Long.MAX_VALUE - log.opCount ? HistorySlice.NONE : largest + 1;
    }

    private OperationLog view() {
        long[] value = Arrays.copyOf(log.value, log.opCount);
        long next = firstAlias();
        OwnOperations own = new OwnOperations(log);
        IntColumn reads = new IntColumn();
        IntColumn writers = new IntColumn();
        for (int txn = 0; txn < log.txnCount; txn++) {
            own.begin(txn);
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                own.take(op);
                boolean isWrite = log.kind[op] == OpKind.WRITE;
                if (!isWrite && log.kind[op] != OpKind.READ) {
                    continue;
                }
                RepeatedValue repeated = new RepeatedValue(log.key[op], log.value[op]);
                if (!firstWriterOf.containsKey(repeated)) {
                    continue;
                }
                if (!isWrite) {
                    reads.add(op);
                    writers.add(writerOf(txn, op, own));
                } else if (firstWriterOf.getLong(repeated) != txn) {
                    AliasedWrite write = new AliasedWrite(log.key[op], log.value[op], txn);
                    if (!aliasOf.containsKey(write)) {
                        aliasOf.put(write, next);
                        valueOfAlias.put(next++, log.value[op]);
                    }
                    value[op] = aliasOf.getLong(write);
                }
            }
        }
        for (int i = 0; i < reads.size(); i++) {
            int op = reads.get(i);
            value[op] = aliasOf.getOrDefault(
                    (Object) new AliasedWrite(log.key[op], log.value[op], writers.get(i)), log.value[op]);
        }
        return new OperationLog(log, value, log.lists, null, valueOfAlias, log.supposed());
    }
}
