package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.ParallelTasks;
import java.util.BitSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Type that each key is used as, derived from the operations on it. */
public final class KeyUse {

    public static final byte REGISTER = 0;
    public static final byte LIST = 1;
    public static final byte SET = 2;
    public static final byte COUNTER = 3;

    /** Used as two different types, so that its versions are unknown. */
    public static final byte MIXED = 4;

    private static final int WRITTEN = 1;
    private static final int APPENDED = 2;
    private static final int ADDED = 4;
    private static final int INCREMENTED = 8;
    private static final int READ_AS_VALUE = 16;
    private static final int READ_AS_LIST = 32;
    private static final int OF_ELEMENT = 64; // in a set that is not checked element by element
    private static final int GUARDED = 128;
    private static final int CHANGED = WRITTEN | APPENDED | ADDED | INCREMENTED | OF_ELEMENT;

    /** Maximum number that an operation on a counter may have, and maximum sum of all of a counter. */
    private static final long MAX_NUMBER = 1L << 53;

    private static final long MAX_SUM = 1L << 61;

    private final byte[] useOf;
    private final BitSet isSummed; // by key

    private KeyUse(byte[] useOf, BitSet isSummed) {
        this.useOf = useOf;
        this.isSummed = isSummed;
    }

    public static KeyUse of(OperationLog log) {
        return of(log, ParallelTasks.NONE);
    }

    /** @param helpers threads that process some transactions each */
    static KeyUse of(OperationLog log, ParallelTasks helpers) {
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), log.txnCount, log.firstOpOf);
        Queue<byte[]> seenByThread = new ConcurrentLinkedQueue<>();
        helpers.run(helpers.count(), bounds.length - 1, () -> {
            byte[] seenOf = new byte[log.keyCount];
            seenByThread.add(seenOf);
            return piece -> see(log, bounds[piece], bounds[piece + 1], seenOf);
        });
        byte[] useOf = new byte[log.keyCount];
        for (int key = 0; key < useOf.length; key++) {
            int seen = 0;
            for (byte[] seenOf : seenByThread) {
                seen |= seenOf[key];
            }
            useOf[key] = use(seen);
        }
        return new KeyUse(useOf, findSummed(log, useOf));
    }

    /** Returns the counters of which each operation has a number, and whose sums cannot overflow. */
    private static BitSet findSummed(OperationLog log, byte[] useOf) {
        BitSet found = new BitSet();
        for (int key = 0; key < useOf.length; key++) {
            found.set(key, useOf[key] == COUNTER && Math.abs(log.initialNumber()) <= MAX_NUMBER);
        }
        long[] sumOf = new long[found.length()];
        for (int op = 0; !found.isEmpty() && op < log.opCount; op++) {
            int key = log.key[op];
            if (found.get(key) && OpKind.hasValue(log.kind[op])) {
                long number = log.number(log.value[op]);
                boolean isSmall = -MAX_NUMBER <= number && number <= MAX_NUMBER;
                sumOf[key] += isSmall ? Math.abs(number) : 0;
                found.set(key, isSmall && sumOf[key] <= MAX_SUM);
            }
        }
        return found;
    }

    private static void see(OperationLog log, int firstTxn, int endTxn, byte[] seenOf) {
        for (int txn = firstTxn; txn < endTxn; txn++) {
            boolean readsCount = log.status[txn] == TxnStatus.COMMITTED;
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                int seen =
                        switch (log.kind[op]) {
                            case OpKind.READ -> readsCount ? READ_AS_VALUE : 0;
                            case OpKind.UNEQUAL,
                                    OpKind.PRESENT,
                                    OpKind.ABSENT,
                                    OpKind.PLACED,
                                    OpKind.UNLIKE,
                                    OpKind.COMPUTED -> readsCount ? READ_AS_VALUE | GUARDED : 0;
                            case OpKind.NEVER -> readsCount ? GUARDED : 0;
                            case OpKind.READ_LIST -> readsCount ? READ_AS_LIST : 0;
                            case OpKind.WRITE, OpKind.ERASE, OpKind.PLACE -> WRITTEN;
                            case OpKind.CONTAINS, OpKind.LACKS, OpKind.TAKE -> OF_ELEMENT;
                            case OpKind.APPEND -> APPENDED;
                            case OpKind.ADD -> ADDED;
                            case OpKind.INCREMENT -> INCREMENTED;
                            default -> 0;
                        };
                seenOf[log.key[op]] |= (byte) seen;
            }
        }
    }

    private static byte use(int seen) {
        boolean asValue = (seen & READ_AS_VALUE) != 0;
        boolean asList = (seen & READ_AS_LIST) != 0;
        boolean isGuarded = (seen & GUARDED) != 0;
        return switch (seen & CHANGED) {
            case 0 -> asList && (asValue || isGuarded) ? MIXED : asList ? LIST : REGISTER;
            case WRITTEN -> asList ? MIXED : REGISTER;
            case APPENDED -> asValue || isGuarded ? MIXED : LIST;
            case ADDED -> asValue ? MIXED : SET;
            case INCREMENTED -> asList || isGuarded ? MIXED : COUNTER;
            default -> MIXED;
        };
    }

    /** Returns the type of a key: one of the constants of this class. */
    public byte of(int key) {
        return useOf[key];
    }

    /**
     * Returns whether reads of a key identify their writer: it is a register or a list, or its type is unknown and
     * irrelevant.
     */
    boolean isJudged(int key) {
        return useOf[key] == REGISTER || useOf[key] == LIST;
    }

    /** Returns whether reads of a key are sums of increments. */
    boolean isSummed(int key) {
        return isSummed.get(key);
    }

    /** Returns the number of keys used as sets, as counters without numbers or in two ways. */
    int unjudgedCount() {
        return useOf.length - count(REGISTER) - count(LIST) - isSummed.cardinality();
    }

    /** Returns the number of keys with this use. */
    public int count(byte use) {
        int count = 0;
        for (byte of : useOf) {
            count += of == use ? 1 : 0;
        }
        return count;
    }
}
