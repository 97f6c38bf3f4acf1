package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.primitive.LongOrdinals;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The columns of one partition of a {@link LogPartitioning}. */
final class LogPartition {

    /*
     * Layout. Lists of numbers are shared with the whole log.
     *
     * Invariant. Keys of the partition are numbered by first appearance in it, and so are values that have names: ties
     * that are broken by these numbers are broken alike, independent of the rest of the log.
     */

    final OperationLog whole;
    final int txnCount;
    final int opCount;
    final int keyCount;
    final long[] txnId;
    final long[] sessionId;
    final long[] sessionSeq;
    final byte[] status;
    final long @Nullable [] startTs;
    final long @Nullable [] commitTs;
    final long @Nullable [] invokeNs;
    final long @Nullable [] completeNs;
    final int[] firstOpOf;
    final byte[] kind;
    final int[] key;
    final long[] value;
    final long @Nullable [] version;
    final long @Nullable [] writerTxn;
    final ListReads lists;

    private final int[] rows;
    private final int firstRow;
    private final int[] wholeKeyOf;
    private final @Nullable LongOrdinals newValueOf; // by value of the whole; null if values have no names
    private final int[] namedOf; // by key: how much of its trunk is named

    LogPartition(LogPartitioning cut, int partition) {
        whole = cut.whole;
        rows = cut.rows;
        firstRow = cut.firstRowOf[partition];
        txnCount = cut.txnCount(partition);
        wholeKeyOf = Arrays.copyOfRange(cut.keys, cut.firstKeyOf[partition], cut.firstKeyOf[partition + 1]);
        keyCount = wholeKeyOf.length;
        firstOpOf = new int[txnCount + 1];
        for (int txn = 0; txn < txnCount; txn++) {
            firstOpOf[txn + 1] = firstOpOf[txn] + whole.firstOpOf[row(txn) + 1] - whole.firstOpOf[row(txn)];
        }
        opCount = firstOpOf[txnCount];
        long[][] ofTxns = ofTxns(
                whole.txnId,
                whole.sessionId,
                whole.sessionSeq,
                whole.startTs,
                whole.commitTs,
                whole.invokeNs,
                whole.completeNs);
        txnId = ofTxns[0];
        sessionId = ofTxns[1];
        sessionSeq = ofTxns[2];
        startTs = orNull(ofTxns[3]);
        commitTs = orNull(ofTxns[4]);
        invokeNs = orNull(ofTxns[5]);
        completeNs = orNull(ofTxns[6]);
        status = new byte[txnCount];
        kind = new byte[opCount];
        key = new int[opCount];
        copyStatusKindAndKey(cut.partitionKeyOf);
        long[][] ofOps = ofOps(whole.value, whole.version, whole.writerTxn);
        value = ofOps[0];
        version = orNull(ofOps[1]);
        writerTxn = orNull(ofOps[2]);
        lists = lists(whole.hasNamedValues());
        namedOf = new int[whole.hasNamedValues() ? lists.trunkOf.length : 0];
        newValueOf = whole.hasNamedValues() ? LongOrdinals.ofCapacity(opCount + 1) : null;
        if (newValueOf != null) {
            nameValues(newValueOf);
        }
    }

    private int row(int txn) {
        return rows[firstRow + txn];
    }

    private int opsOf(int txn) {
        return firstOpOf[txn + 1] - firstOpOf[txn];
    }

    private void copyStatusKindAndKey(int[] partitionKeyOf) {
        for (int txn = 0; txn < txnCount; txn++) {
            status[txn] = whole.status[row(txn)];
            System.arraycopy(whole.kind, whole.firstOpOf[row(txn)], kind, firstOpOf[txn], opsOf(txn));
            System.arraycopy(whole.key, whole.firstOpOf[row(txn)], key, firstOpOf[txn], opsOf(txn));
        }
        for (int op = 0; op < opCount; op++) {
            key[op] = partitionKeyOf[key[op]];
        }
    }

    /**
     * Copies all columns in one loop: the JVM would compile a copy for each call, which costs more than small
     * partitions do.
     */
    private long[][] ofTxns(long[]... columns) {
        long[][] columnsOfPartition = new long[columns.length][];
        for (int column = 0; column < columns.length; column++) {
            if (columns[column] != null) {
                columnsOfPartition[column] = new long[txnCount];
                for (int txn = 0; txn < txnCount; txn++) {
                    columnsOfPartition[column][txn] = columns[column][row(txn)];
                }
            }
        }
        return columnsOfPartition;
    }

    private long[][] ofOps(long[]... columns) {
        long[][] columnsOfPartition = new long[columns.length][];
        for (int column = 0; column < columns.length; column++) {
            if (columns[column] != null) {
                columnsOfPartition[column] = new long[opCount];
                for (int txn = 0; txn < txnCount; txn++) {
                    System.arraycopy(
                            columns[column],
                            whole.firstOpOf[row(txn)],
                            columnsOfPartition[column],
                            firstOpOf[txn],
                            opsOf(txn));
                }
            }
        }
        return columnsOfPartition;
    }

    /** Returns the column, or null if every entry is missing. */
    private static long @Nullable [] orNull(long @Nullable [] column) {
        for (int i = 0; column != null && i < column.length; i++) {
            if (column[i] != HistorySlice.NONE) {
                return column;
            }
        }
        return null;
    }

    /** Returns, by key of the partition, its number in the whole log, which may itself be a partition. */
    int[] nameOfKey() {
        int[] names = new int[keyCount];
        for (int of = 0; of < keyCount; of++) {
            names[of] = whole.nameOfKey(wholeKeyOf[of]);
        }
        return names;
    }

    int recordedKeyCount() {
        int count = keyCount;
        while (count > 0 && wholeKeyOf[count - 1] >= whole.recordedKeyCount) {
            count--;
        }
        return count;
    }

    // ---------------------------------------------------------------- values

    private void nameValues(LongOrdinals names) {
        if (whole.namesInitialValue()) {
            names.ordinal(0);
        }
        for (int op = 0; op < opCount; op++) {
            if (!OpKind.hasValue(kind[op]) && !OpKind.hasList(kind[op])) {
                continue;
            }
            if (kind[op] != OpKind.READ_LIST) {
                value[op] = names.ordinal(value[op]);
            } else if (ListReads.isPrefixOfTrunk(value[op])) {
                nameTrunk(key[op], (int) value[op], names);
            } else {
                value[op] = ~renameNonPrefixList((int) ~value[op], names);
            }
        }
    }

    /** Names the elements of a trunk as far as a read shows it; those before were named by shorter reads. */
    private void nameTrunk(int ofKey, int length, LongOrdinals names) {
        if (length == 0) {
            return;
        }
        long[] wholeTrunk = requireNonNull(whole.lists.trunk(wholeKeyOf[ofKey]));
        if (lists.trunkOf[ofKey] == null) {
            lists.trunkOf[ofKey] = new long[lists.trunkLengthOf[ofKey]];
        }
        for (; namedOf[ofKey] < length; namedOf[ofKey]++) {
            lists.trunkOf[ofKey][namedOf[ofKey]] = names.ordinal(wholeTrunk[namedOf[ofKey]]);
        }
    }

    private int renameNonPrefixList(int list, LongOrdinals names) {
        long[] elements = new long[whole.lists.nonPrefix.length(list)];
        for (int at = 0; at < elements.length; at++) {
            elements[at] = names.ordinal(whole.lists.nonPrefix.element(list, at));
        }
        return lists.nonPrefix.add(elements, 0, elements.length);
    }

    /**
     * Returns, by value of the partition, its number in the whole log, which may itself be a partition; null if values
     * have no names.
     */
    int @Nullable [] nameOfValue() {
        if (newValueOf == null) {
            return null;
        }
        int[] names = new int[newValueOf.size()];
        for (int of = 0; of < names.length; of++) {
            names[of] = whole.nameOfValue((int) newValueOf.name(of));
        }
        return names;
    }

    /** @param named whether elements are yet to be named */
    private ListReads lists(boolean named) {
        ListReads reads = new ListReads();
        boolean isAnyRead = false;
        for (int wholeKey : wholeKeyOf) {
            isAnyRead |= whole.lists.trunk(wholeKey) != null;
        }
        if (isAnyRead) {
            reads.trunkOf = new long[keyCount][];
            reads.trunkLengthOf = new int[keyCount];
            for (int of = 0; of < keyCount; of++) {
                reads.trunkOf[of] = named ? null : whole.lists.trunk(wholeKeyOf[of]);
                reads.trunkLengthOf[of] = whole.lists.trunkLength(wholeKeyOf[of]);
            }
        }
        if (!named) {
            reads.nonPrefix = whole.lists.nonPrefix;
        }
        return reads;
    }
}
