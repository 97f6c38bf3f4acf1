package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongColumn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** State of each key of a lane at one moment of a replay, compared with reads. */
final class KeyStates {

    /*
     * Layout.
     *
     *   valueOf[key]      the value of the last committed write          registers
     *   writerOf[key]     its transaction, NONE in the initial state     registers and lists
     *   lengthOf[key]     number of appended elements                    lists
     *   agreedOf[key]     number of leading elements in which the trunk agrees with the log      lists
     *
     * A list's log, everything appended in commit order, is log[firstLogOf[key] ..].
     *
     * Algorithm. A read is nearly always a prefix of the key's trunk, and then correct exactly if it is as long as the
     * log and the trunk agrees that far.
     */

    private static final int NONE = Lane.NONE;

    private final Lane lane;
    private final Mismatches mismatches;
    private final Mismatches ownReads;
    private final boolean hasOwnPairs;
    private final int[][] keys;
    private final byte[][] kinds;
    private final long[][] values;
    private final IntColumn firstOp;

    private final long[] valueOf;
    private final int[] writerOf;
    private final int[] lengthOf; // empty if the lane has no lists
    private final int[] agreedOf;
    private final long[] firstLogOf;
    private final LongColumn log = new LongColumn();

    private final boolean hasInitial;
    private final long initialValue;
    private final boolean[] wroteInitial; // by key: a transaction wrote the initial value; empty if none is known

    /**
     * @param mismatches called for first reads that disagree with the state at their time
     * @param ownReads called for the state at the time of reads that disagree with their own transaction
     */
    KeyStates(Lane lane, @Nullable String initialText, Mismatches mismatches, Mismatches ownReads) {
        this.lane = lane;
        this.mismatches = mismatches;
        this.ownReads = ownReads;
        this.hasOwnPairs = lane.hasOwnPairs();
        this.keys = lane.key().segments();
        this.kinds = lane.kind().segments();
        this.values = lane.value().segments();
        this.firstOp = lane.firstOp();
        int keyCount = lane.keyCount();
        this.valueOf = new long[keyCount];
        this.writerOf = new int[keyCount];
        Arrays.fill(writerOf, NONE);
        this.hasInitial = lane.knowsInitialValue(initialText);
        this.initialValue = initialText != null && hasInitial ? lane.initialValue(initialText) : 0;
        this.wroteInitial = hasInitial ? lane.findWritersOf(initialValue) : new boolean[0];
        this.firstLogOf = layOutLogs();
        boolean hasLists = firstLogOf.length > 0;
        this.lengthOf = new int[hasLists ? keyCount : 0];
        this.agreedOf = new int[hasLists ? keyCount : 0];
        for (long i = 0; hasLists && i < firstLogOf[keyCount]; i++) {
            log.add(0);
        }
    }

    /** Returns where each list's log begins; nothing if the lane has no lists. */
    private long[] layOutLogs() {
        int keyCount = lane.keyCount();
        long[] first = null;
        for (int key = 0; key < keyCount && first == null; key++) {
            first = lane.isList(key) ? new long[keyCount + 1] : null;
        }
        if (first == null) {
            return new long[0];
        }
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (lane.countsAsCommitted(txn)) {
                for (int op = firstOp.get(txn); op < firstOp.get(txn + 1); op++) {
                    byte kind = lane.kind().get(op);
                    if (kind == LaneOp.APPEND || kind == LaneOp.APPEND_AGAIN) {
                        first[lane.key().get(op) + 1]++;
                    }
                }
            }
        }
        for (int key = 0; key < keyCount; key++) {
            first[key + 1] += first[key];
        }
        return first;
    }

    /** Compares the external reads of a transaction with the present state. */
    void checkReads(int txn) {
        if (!lane.reads(txn) || lane.status(txn) != TxnStatus.COMMITTED) {
            return;
        }
        int end = firstOp.get(txn + 1);
        for (int op = firstOp.get(txn); op < end; op++) {
            byte kind = kinds[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
            if (kind == LaneOp.READ) {
                int key = keys[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
                long observed = values[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
                int writer = writerOf[key];
                if (writer == NONE ? !isInitial(key, observed) : observed != valueOf[key]) {
                    mismatches.add(txn, op, writer, 0);
                }
            } else if (kind <= LaneOp.READ_LIST_LOOSE) {
                checkOther(txn, op, kind);
            } else if (hasOwnPairs && kind >= LaneOp.OWN_EXPECTED && kind <= LaneOp.OWN_EXPECTED_LIST) {
                recordOwnRead(txn, op);
            }
        }
    }

    private void recordOwnRead(int txn, int pair) {
        int key = lane.key().get(pair);
        if (!ownReadAgrees(pair) && !isNotedBefore(txn, pair)) {
            ownReads.add(txn, pair, writerOf[key], lengthOf.length == 0 ? 0 : lengthOf[key]);
        }
    }

    /** Returns whether null and the initial value are all that a pair differs in. */
    private boolean ownReadAgrees(int pair) {
        byte expected = lane.kind().get(pair);
        byte observed = lane.kind().get(pair + 1);
        int key = lane.key().get(pair);
        if (expected == LaneOp.OWN_EXPECTED_NOTHING && observed == LaneOp.OWN_OBSERVED) {
            return isInitial(key, lane.value().get(pair + 1));
        }
        return expected == LaneOp.OWN_EXPECTED
                && observed == LaneOp.OWN_OBSERVED_NOTHING
                && isInitial(key, lane.value().get(pair));
    }

    /**
     * Returns whether the transaction was faulted for the key before: it is so once, however many of its reads are
     * wrong.
     */
    private boolean isNotedBefore(int txn, int pair) {
        for (int op = firstOp.get(txn); op < pair; op++) {
            byte kind = lane.kind().get(op);
            if (kind >= LaneOp.OWN_EXPECTED
                    && kind <= LaneOp.OWN_EXPECTED_LIST
                    && lane.key().get(op) == lane.key().get(pair)
                    && !ownReadAgrees(op)) {
                return true;
            }
        }
        return false;
    }

    private boolean isInitial(int key, long observed) {
        return hasInitial && observed == initialValue && !wroteInitial[key];
    }

    private void checkOther(int txn, int op, byte kind) {
        int key = lane.key().get(op);
        int length = lengthOf.length == 0 ? 0 : lengthOf[key];
        boolean agrees;
        if (kind == LaneOp.READ_NOTHING) {
            agrees = writerOf[key] == NONE;
        } else {
            long code = lane.value().get(op);
            int observed = lane.lists().length(code);
            agrees = kind == LaneOp.READ_LIST_LOOSE ? observed >= length : observed == length;
            agrees = agrees && beginsWithLog(key, code, length);
        }
        if (!agrees) {
            mismatches.add(txn, op, writerOf[key], length);
        }
    }

    private boolean beginsWithLog(int key, long code, int length) {
        if (code >= 0) {
            return agreedOf[key] >= length;
        }
        for (int at = 0; at < length; at++) {
            if (lane.lists().element(key, code, at) != logged(key, at)) {
                return false;
            }
        }
        return true;
    }

    /** Makes a transaction's last writes and appends the present state. */
    void commit(int txn) {
        int end = firstOp.get(txn + 1);
        for (int op = firstOp.get(txn); op < end; op++) {
            byte kind = kinds[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
            if (LaneOp.isEffective(kind)) {
                apply(txn, op, kind, keys[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK]);
            }
        }
    }

    /** Applies one effective operation. */
    void apply(int txn, int op, byte kind, int key) {
        if (kind == LaneOp.WRITE) {
            valueOf[key] = values[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
            writerOf[key] = txn;
        } else {
            append(txn, op);
        }
    }

    private void append(int txn, int op) {
        int key = lane.key().get(op);
        long element = lane.value().get(op);
        int position = lengthOf[key]++;
        writerOf[key] = txn;
        log.set(Math.toIntExact(firstLogOf[key] + position), element);
        if (agreedOf[key] == position
                && position < lane.lists().trunkLength(key)
                && lane.lists().trunkElement(key, position) == element) {
            agreedOf[key]++;
        }
    }

    /** Returns an element of a list's log; valid once it was appended. */
    long logged(int key, int position) {
        return log.get(Math.toIntExact(firstLogOf[key] + position));
    }

    /** Returns whether an operation read the initial state: null, or the value that represents it. */
    boolean readsInitial(int op) {
        return !LaneOp.holdsValue(lane.kind().get(op))
                || isInitial(lane.key().get(op), lane.value().get(op));
    }
}
