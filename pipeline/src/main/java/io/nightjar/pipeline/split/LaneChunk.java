package io.nightjar.pipeline.split;

import io.nightjar.formats.history.ListTable;
import io.nightjar.formats.history.StringTable;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.util.Arrays;

/**
 * The part of a slice that belongs to one lane: projections of transactions to the lane's keys, as columns.
 *
 * <p>Keys and values are still raw (numbers, or ordinals of the chunk's own names), so chunks of different slices can be
 * spilled or sent apart and put together by whoever holds the lane.
 */
public final class LaneChunk {

    /*
     *   flags:   7   6   5   4   3   2   1   0
     *                                W   status
     *
     *   status   a TxnStatus
     *   W        the transaction wrote something, on whatever key
     */

    public static final int STATUS_MASK = 3;
    public static final int WROTE = 4;

    public int txnCount;
    public long[] txnId = new long[64];
    public long[] startTs = new long[64];

    /** The start where a read-only transaction has no commit of its own. */
    public long[] commitTs = new long[64];

    public byte[] flags = new byte[64];

    /** One entry more than transactions. */
    public int[] firstOpOf = new int[65];

    public int opCount;

    /** A {@link LaneOp} for each operation. */
    public byte[] kind = new byte[256];

    public long[] key = new long[256];
    public long[] value = new long[256];

    public ValueType keyType = ValueType.NONE;
    public ValueType valueType = ValueType.NONE;
    public StringTable keyNames;
    public StringTable valueNames;
    public ListTable lists;

    public static byte flags(byte status, boolean wrote) {
        return (byte) (wrote ? status | WROTE : status);
    }

    public static boolean isCommitted(byte flags) {
        return (flags & STATUS_MASK) == TxnStatus.COMMITTED;
    }

    public boolean isEmpty() {
        return txnCount == 0;
    }

    public void clear() {
        txnCount = 0;
        opCount = 0;
    }

    /** Makes room for so much at once, so that filling up does not grow by steps. */
    public void expect(int txns, int ops) {
        if (txns > txnId.length) {
            growTxns(txns);
        }
        if (ops > kind.length) {
            growOps(ops);
        }
    }

    /** Adds a projection without operations; {@link #op} adds to it. */
    public void beginTxn(long id, long start, long commit, byte txnFlags) {
        if (txnCount == txnId.length) {
            growTxns(txnCount * 2);
        }
        txnId[txnCount] = id;
        startTs[txnCount] = start;
        commitTs[txnCount] = commit;
        flags[txnCount] = txnFlags;
        txnCount++;
        firstOpOf[txnCount] = opCount;
    }

    /** Adds an operation to the projection added last. */
    public void op(byte opKind, long opKey, long opValue) {
        if (opCount == kind.length) {
            growOps(Math.multiplyExact(opCount, 2));
        }
        kind[opCount] = opKind;
        key[opCount] = opKey;
        value[opCount] = opValue;
        firstOpOf[txnCount] = ++opCount;
    }

    private void growTxns(int capacity) {
        txnId = Arrays.copyOf(txnId, capacity);
        startTs = Arrays.copyOf(startTs, capacity);
        commitTs = Arrays.copyOf(commitTs, capacity);
        flags = Arrays.copyOf(flags, capacity);
        firstOpOf = Arrays.copyOf(firstOpOf, capacity + 1);
    }

    private void growOps(int capacity) {
        kind = Arrays.copyOf(kind, capacity);
        key = Arrays.copyOf(key, capacity);
        value = Arrays.copyOf(value, capacity);
    }
}
