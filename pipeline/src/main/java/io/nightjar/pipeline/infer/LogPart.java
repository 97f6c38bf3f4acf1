package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import java.util.Arrays;

/** The columns of one part of a {@link LogCut}. */
final class LogPart {

    /*
     * Keys of the part are numbered by first appearance in it. Ordinals of values, and lists that are no prefix of a trunk,
     * keep the numbers that they have in the whole: they are looked up and compared, and their order is the same.
     */

    final OperationLog whole;
    final int txnCount;
    final int opCount;
    final int keyCount;
    final long[] txnId;
    final long[] sessionId;
    final long[] sessionSeq;
    final byte[] status;
    final long[] startTs;
    final long[] commitTs;
    final long[] invokeNs;
    final long[] completeNs;
    final int[] firstOpOf;
    final byte[] kind;
    final int[] key;
    final long[] value;
    final long[] version;
    final long[] writerTxn;
    final ListReads lists;

    private final int[] rows;
    private final int firstRow;
    private final int[] wholeKeyOf;

    LogPart(LogCut cut, int part) {
        whole = cut.whole;
        rows = cut.rows;
        firstRow = cut.firstRowOf[part];
        txnCount = cut.txnCount(part);
        wholeKeyOf = Arrays.copyOfRange(cut.keys, cut.firstKeyOf[part], cut.firstKeyOf[part + 1]);
        keyCount = wholeKeyOf.length;
        firstOpOf = new int[txnCount + 1];
        for (int txn = 0; txn < txnCount; txn++) {
            firstOpOf[txn + 1] = firstOpOf[txn] + whole.firstOpOf[row(txn) + 1] - whole.firstOpOf[row(txn)];
        }
        opCount = firstOpOf[txnCount];
        txnId = ofTxns(whole.txnId);
        sessionId = ofTxns(whole.sessionId);
        sessionSeq = ofTxns(whole.sessionSeq);
        status = new byte[txnCount];
        for (int txn = 0; txn < txnCount; txn++) {
            status[txn] = whole.status[row(txn)];
        }
        startTs = orNull(ofTxns(whole.startTs));
        commitTs = orNull(ofTxns(whole.commitTs));
        invokeNs = orNull(ofTxns(whole.invokeNs));
        completeNs = orNull(ofTxns(whole.completeNs));
        kind = new byte[opCount];
        key = new int[opCount];
        for (int txn = 0; txn < txnCount; txn++) {
            System.arraycopy(whole.kind, whole.firstOpOf[row(txn)], kind, firstOpOf[txn], opsOf(txn));
            System.arraycopy(whole.key, whole.firstOpOf[row(txn)], key, firstOpOf[txn], opsOf(txn));
        }
        for (int op = 0; op < opCount; op++) {
            key[op] = cut.partKeyOf[key[op]];
        }
        value = ofOps(whole.value);
        version = orNull(ofOps(whole.version));
        writerTxn = orNull(ofOps(whole.writerTxn));
        lists = lists();
    }

    private int row(int txn) {
        return rows[firstRow + txn];
    }

    private int opsOf(int txn) {
        return firstOpOf[txn + 1] - firstOpOf[txn];
    }

    private long[] ofTxns(long[] column) {
        if (column == null) {
            return null;
        }
        long[] part = new long[txnCount];
        for (int txn = 0; txn < txnCount; txn++) {
            part[txn] = column[row(txn)];
        }
        return part;
    }

    private long[] ofOps(long[] column) {
        if (column == null) {
            return null;
        }
        long[] part = new long[opCount];
        for (int txn = 0; txn < txnCount; txn++) {
            System.arraycopy(column, whole.firstOpOf[row(txn)], part, firstOpOf[txn], opsOf(txn));
        }
        return part;
    }

    /** Null if every entry is missing. */
    private static long[] orNull(long[] column) {
        for (int i = 0; column != null && i < column.length; i++) {
            if (column[i] != HistorySlice.NONE) {
                return column;
            }
        }
        return null;
    }

    /** By key of the part: its name in what may itself be a part. */
    int[] nameOfKey() {
        int[] names = new int[keyCount];
        for (int of = 0; of < keyCount; of++) {
            names[of] = whole.nameOf(wholeKeyOf[of]);
        }
        return names;
    }

    private ListReads lists() {
        ListReads part = new ListReads();
        boolean isAnyRead = false;
        for (int wholeKey : wholeKeyOf) {
            isAnyRead |= whole.lists.trunk(wholeKey) != null;
        }
        if (isAnyRead) {
            part.trunkOf = new long[keyCount][];
            part.trunkLengthOf = new int[keyCount];
            for (int of = 0; of < keyCount; of++) {
                part.trunkOf[of] = whole.lists.trunk(wholeKeyOf[of]);
                part.trunkLengthOf[of] = whole.lists.trunkLength(wholeKeyOf[of]);
            }
        }
        part.odd = whole.lists.odd;
        return part;
    }
}
