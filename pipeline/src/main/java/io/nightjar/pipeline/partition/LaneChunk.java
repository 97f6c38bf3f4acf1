package io.nightjar.pipeline.partition;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ListPool;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The part of a slice that belongs to one lane: projections of transactions to the lane's keys, as columns.
 *
 * <p>Keys and values are still raw (numbers, or ordinals of the chunk's own names), so chunks of different slices can
 * be spilled or sent separately and combined in the lane.
 */
public final class LaneChunk {

    /*
     *   flags:   7   6   5   4   3   2   1   0
     *                                W   status
     *
     *   status   a TxnStatus
     *   W        the transaction wrote any key
     */

    public static final int STATUS_MASK = 3;
    public static final int WROTE = 4;

    private static final int FIRST_TXNS = 64;
    private static final int FIRST_OPS = 256;

    public int txnCount;
    public long[] txnId;
    public long[] startTs;

    /** Equal to the start if a read-only transaction has no commit timestamp. */
    public long[] commitTs;

    public byte[] flags;

    /** One entry more than transactions. */
    public int[] firstOpOf;

    public int opCount;

    /** A {@link LaneOp} for each operation. */
    public byte[] kind;

    public long[] key;
    public long[] value;

    public ValueType keyType = ValueType.NONE;
    public ValueType valueType = ValueType.NONE;
    public @Nullable StringPool keyNames;
    public @Nullable StringPool valueNames;
    public @Nullable ListPool lists;

    /** Returns the names of keys, where those are texts. */
    public StringPool keyNames() {
        return requireNonNull(keyNames);
    }

    /** Returns the names of values, where those are texts. */
    public StringPool valueNames() {
        return requireNonNull(valueNames);
    }

    /** Returns the lists, where an operation refers to one. */
    public ListPool lists() {
        return requireNonNull(lists);
    }

    public LaneChunk() {
        this(FIRST_TXNS, FIRST_OPS);
    }

    private LaneChunk(int txns, int ops) {
        txnId = new long[txns];
        startTs = new long[txns];
        commitTs = new long[txns];
        flags = new byte[txns];
        firstOpOf = new int[txns + 1];
        kind = new byte[ops];
        key = new long[ops];
        value = new long[ops];
    }

    /** Returns a chunk whose columns are set as a whole. */
    static LaneChunk unfilled() {
        return new LaneChunk(0, 0);
    }

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

    /** Allocates the given capacity at once, to avoid growing by steps. */
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
