package io.nightjar.datasets.workload;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The record of one transaction as its client observed it. Reused for the next one. */
public final class RecordedTxn {

    /** 0 if it is called by its row. */
    public long id;

    public long session;
    public long seq;

    /** A {@code TxnStatus}. */
    public byte status;

    /** Timestamps and client times; {@code HistorySlice.NONE} for missing ones. */
    public long start;

    public long commit;
    public long invokeNs;
    public long completeNs;

    /** A JSON object with all other data; null if empty. */
    public @Nullable String extra;

    public int opCount;

    /** An {@code OpKind}. */
    public byte[] kind = new byte[8];

    public int[] key = new int[8];
    public long[] amount = new long[8];

    /** The number of the write that made the value. */
    public long[] version = new long[8];

    /** Number of writes of the row up to this write, and its transaction; {@code HistorySlice.NONE} if unknown. */
    public long[] rowVersion = new long[8];

    public long[] writer = new long[8];

    /**
     * The smallest amount of a predicate read; the arrays after it have the greatest, and the number of following
     * operations that are its rows.
     */
    public long[] minAmount = new long[8];

    public long[] greatest = new long[8];
    public int[] rows = new int[8];

    /** How many rows a predicate read returns at most, those with the least amounts; 0 for all. */
    public int[] limit = new int[8];

    /** The snapshot of a predicate read, {@code HistorySlice.NONE} if it is that of the transaction. */
    public long[] readTs = new long[8];

    /** The elements that a read of a list returned. */
    public long[][] elements = new long[8][];

    public void clear() {
        opCount = 0;
        id = 0;
        extra = null;
        start = HistorySlice.NONE;
        commit = HistorySlice.NONE;
    }

    /** Returns a copy that may be stored. */
    public RecordedTxn copy() {
        RecordedTxn same = new RecordedTxn();
        same.id = id;
        same.session = session;
        same.seq = seq;
        same.status = status;
        same.start = start;
        same.commit = commit;
        same.invokeNs = invokeNs;
        same.completeNs = completeNs;
        same.extra = extra;
        same.opCount = opCount;
        same.kind = kind.clone();
        same.key = key.clone();
        same.amount = amount.clone();
        same.version = version.clone();
        same.rowVersion = rowVersion.clone();
        same.writer = writer.clone();
        same.minAmount = minAmount.clone();
        same.greatest = greatest.clone();
        same.rows = rows.clone();
        same.limit = limit.clone();
        same.readTs = readTs.clone();
        same.elements = elements.clone();
        return same;
    }

    public void add(byte opKind, int opKey, long opAmount, long opVersion) {
        if (opCount == kind.length) {
            kind = Arrays.copyOf(kind, 2 * opCount);
            key = Arrays.copyOf(key, 2 * opCount);
            amount = Arrays.copyOf(amount, 2 * opCount);
            version = Arrays.copyOf(version, 2 * opCount);
            rowVersion = Arrays.copyOf(rowVersion, 2 * opCount);
            writer = Arrays.copyOf(writer, 2 * opCount);
            elements = Arrays.copyOf(elements, 2 * opCount);
            minAmount = Arrays.copyOf(minAmount, 2 * opCount);
            greatest = Arrays.copyOf(greatest, 2 * opCount);
            rows = Arrays.copyOf(rows, 2 * opCount);
            limit = Arrays.copyOf(limit, 2 * opCount);
            readTs = Arrays.copyOf(readTs, 2 * opCount);
        }
        kind[opCount] = opKind;
        key[opCount] = opKey;
        amount[opCount] = opAmount;
        version[opCount] = opVersion;
        rowVersion[opCount] = HistorySlice.NONE;
        writer[opCount] = HistorySlice.NONE;
        elements[opCount++] = null;
    }

    /** Adds a predicate read of the rows from a key on; its rows follow, and {@link #endSelect} sets their number. */
    public int beginSelect(int firstKey, long fromAmount, long greatestAmount) {
        add(OpKind.PREDICATE, firstKey, 0, 0);
        minAmount[opCount - 1] = fromAmount;
        greatest[opCount - 1] = greatestAmount;
        readTs[opCount - 1] = HistorySlice.NONE;
        limit[opCount - 1] = 0;
        return opCount - 1;
    }

    /** Converts a predicate read whose rows were removed into one that only counted them. */
    public void count(int op, long answer) {
        kind[op] = OpKind.PREDICATE_ANSWER;
        amount[op] = answer;
        rows[op] = 0;
    }

    /** Removes an operation. */
    public void remove(int op) {
        opCount--;
        for (int at = op; at < opCount; at++) {
            move(at + 1, at);
        }
    }

    private void move(int from, int to) {
        kind[to] = kind[from];
        key[to] = key[from];
        amount[to] = amount[from];
        version[to] = version[from];
        rowVersion[to] = rowVersion[from];
        writer[to] = writer[from];
        minAmount[to] = minAmount[from];
        greatest[to] = greatest[from];
        rows[to] = rows[from];
        limit[to] = limit[from];
        elements[to] = elements[from];
    }

    /** Ends a predicate read with the operations that follow it, which its limit may shorten. */
    public int endSelect(int op) {
        while (limit[op] > 0 && opCount - 1 - op > limit[op]) {
            int greatestRow = op + 1;
            for (int row = op + 2; row < opCount; row++) {
                greatestRow = amount[row] >= amount[greatestRow] ? row : greatestRow;
            }
            remove(greatestRow);
        }
        rows[op] = opCount - 1 - op;
        return rows[op];
    }
}
