package io.nightjar.datasets.workload;

import io.nightjar.formats.history.HistorySlice;
import java.util.Arrays;

/** What a client saw of one transaction. Used again for the next one. */
public final class RecordedTxn {

    /** 0 if it is called by its row. */
    public long id;

    public long session;
    public long seq;

    /** A {@code TxnStatus}. */
    public byte status;

    /** Timestamps and client times; {@code HistorySlice.NONE} where there are none. */
    public long start;

    public long commit;
    public long invokeNs;
    public long completeNs;

    /** A JSON object with what else is known; null if nothing is. */
    public String extra;

    public int opCount;

    /** An {@code OpKind}. */
    public byte[] kind = new byte[8];

    public int[] key = new int[8];
    public long[] amount = new long[8];

    /** The number of the write that made the value. */
    public long[] version = new long[8];

    /** How many writes of the row there were with that one, and whose it was; {@code HistorySlice.NONE} where nobody knows. */
    public long[] rowVersion = new long[8];

    public long[] writer = new long[8];

    /** What a read of a list returned. */
    public long[][] elements = new long[8][];

    public void clear() {
        opCount = 0;
        id = 0;
        extra = null;
        start = HistorySlice.NONE;
        commit = HistorySlice.NONE;
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
        }
        kind[opCount] = opKind;
        key[opCount] = opKey;
        amount[opCount] = opAmount;
        version[opCount] = opVersion;
        rowVersion[opCount] = HistorySlice.NONE;
        writer[opCount] = HistorySlice.NONE;
        elements[opCount++] = null;
    }
}
