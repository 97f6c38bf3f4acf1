package io.nightjar.datasets.workload;

import java.util.Arrays;

/** What a client saw of one transaction. Used again for the next one. */
public final class RecordedTxn {

    public long session;
    public long seq;

    /** A {@code TxnStatus}. */
    public byte status;

    /** Timestamps and client times; {@code HistorySlice.NONE} where there are none. */
    public long start;

    public long commit;
    public long invokeNs;
    public long completeNs;

    public int opCount;

    /** An {@code OpKind}. */
    public byte[] kind = new byte[8];

    public int[] key = new int[8];
    public long[] amount = new long[8];

    /** The number of the write that made the value. */
    public long[] version = new long[8];

    void clear() {
        opCount = 0;
    }

    void add(byte opKind, int opKey, long opAmount, long opVersion) {
        if (opCount == kind.length) {
            kind = Arrays.copyOf(kind, 2 * opCount);
            key = Arrays.copyOf(key, 2 * opCount);
            amount = Arrays.copyOf(amount, 2 * opCount);
            version = Arrays.copyOf(version, 2 * opCount);
        }
        kind[opCount] = opKind;
        key[opCount] = opKey;
        amount[opCount] = opAmount;
        version[opCount++] = opVersion;
    }
}
