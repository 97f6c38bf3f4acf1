package io.nightjar.pipeline.partition;

/**
 * Kind of an operation in its lane, as stored in {@link LaneChunk#kind}.
 *
 * <p>Less detailed than the history: only first reads and last writes matter outside a transaction; other operations
 * are checked by {@link TransactionScan} or retained for explanations.
 */
public final class LaneOp {

    /** A first read of the key that returned a value. */
    public static final byte READ = 0;

    /** A first read of the key that returned null. */
    public static final byte READ_NOTHING = 1;

    /** The elements that a first list read has from the snapshot, a {@code ListRef}. */
    public static final byte READ_LIST = 2;

    /** A complete first list read whose own elements were wrong: it must still begin with the snapshot's list. */
    public static final byte READ_LIST_LOOSE = 3;

    /** The last write of the key in its transaction. */
    public static final byte WRITE = 4;

    /** The first append to the key in its transaction. */
    public static final byte APPEND = 5;

    /** A further append to the same key; all of them count, in program order. */
    public static final byte APPEND_AGAIN = 6;

    /** A write that the same transaction replaced: never to be seen by others. */
    public static final byte INTERMEDIATE_WRITE = 7;

    /** Expected result of a read after its own transaction's operations; the read follows as the next operation. */
    public static final byte OWN_EXPECTED = 8;

    public static final byte OWN_EXPECTED_NOTHING = 9;
    public static final byte OWN_EXPECTED_LIST = 10;

    /**
     * Observed result of that read. Without an expectation before it, a later read that is not checked: it records the
     * use of its key and the writer read from.
     */
    public static final byte OWN_OBSERVED = 11;

    public static final byte OWN_OBSERVED_NOTHING = 12;
    public static final byte OWN_OBSERVED_LIST = 13;

    /** The key is a set or a counter, which timestamps cannot check. */
    public static final byte UNJUDGED = 14;

    /** The key occurs, nothing more. */
    public static final byte MENTION = 15;

    /** Number of kinds. */
    public static final int COUNT = MENTION + 1;

    private LaneOp() {}

    /** Returns whether the operation changes its key for others: a last write or an append. */
    public static boolean isEffective(byte kind) {
        return kind >= WRITE && kind <= APPEND_AGAIN;
    }

    /** Returns whether the operation reads the state before its transaction. */
    public static boolean isExternalRead(byte kind) {
        return kind <= READ_LIST_LOOSE;
    }

    /** Returns whether the value column holds a {@code ListRef}. */
    public static boolean holdsList(byte kind) {
        return kind == READ_LIST || kind == READ_LIST_LOOSE || kind == OWN_EXPECTED_LIST || kind == OWN_OBSERVED_LIST;
    }

    /** Returns whether the value column holds a single value. */
    public static boolean holdsValue(byte kind) {
        return kind == READ || kind >= WRITE && kind <= OWN_EXPECTED || kind == OWN_OBSERVED;
    }
}
