package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import java.util.Arrays;

/** What one transaction does to one key, operation by operation, and where it disagrees with itself. */
final class InternalReads {

    /*
     * A register read must return what the operation before it wrote or returned. The first read of a list is a part
     * from elsewhere, the base, with all own appends so far behind it; every later read must be that base with the own
     * appends of its own time. A read of nothing is both: the initial register and the empty list. After the first
     * disagreement nothing more is looked at.
     */

    static final int NO_OP = -1;

    private final boolean hasInitial;
    private final long initial;

    private boolean lastIsNothing;
    private long last;
    private int lastOp = NO_OP;
    private boolean isWritten;

    /** Whether the key is a list, as far as these operations tell. */
    boolean isListed;

    /** Own appends so far, as the slice spells them. */
    long[] own = new long[4];

    int ownCount;

    int firstOp = NO_OP;
    int firstReadOp = NO_OP;
    int ownBeforeFirstRead;
    boolean ownPartIsRight;

    /** The base: a prefix of a list of the slice. */
    int baseList = NO_OP;

    int baseLength;

    int mismatchOp = NO_OP;

    /** The operation whose value a register read should have repeated. */
    int repeatedOp = NO_OP;

    boolean wroteBeforeMismatch;
    int ownBeforeMismatch;

    InternalReads() {
        this(false, 0);
    }

    /** @param initial as the slice spells it: reading it is reading nothing */
    InternalReads(boolean hasInitial, long initial) {
        this.hasInitial = hasInitial;
        this.initial = initial;
    }

    /** Takes the next operation on the key; true if it is the first read that disagrees. */
    boolean disagrees(HistorySlice slice, int op) {
        if (mismatchOp != NO_OP) {
            return false;
        }
        byte kind = slice.kind[op];
        if (firstOp == NO_OP) {
            firstOp = op;
        }
        isListed |= kind == OpKind.APPEND || kind == OpKind.READ_LIST;
        if (OpKind.isWrite(kind)) {
            noteWrite(kind, slice.value[op]);
            lastOp = op;
            return false;
        }
        boolean differs = isListed ? listDiffers(slice, op) : registerDiffers(slice, op);
        if (firstReadOp == NO_OP) {
            noteFirstRead(slice, op);
        }
        if (differs) {
            mismatchOp = op;
            repeatedOp = lastOp;
            wroteBeforeMismatch = isWritten;
            ownBeforeMismatch = ownCount;
        }
        lastIsNothing = isNothing(slice, op);
        last = slice.value[op];
        lastOp = op;
        return differs;
    }

    private void noteWrite(byte kind, long value) {
        isWritten = true;
        lastIsNothing = false;
        last = value;
        if (kind == OpKind.APPEND) {
            if (ownCount == own.length) {
                own = Arrays.copyOf(own, ownCount * 2);
            }
            own[ownCount++] = value;
        }
    }

    private void noteFirstRead(HistorySlice slice, int op) {
        firstReadOp = op;
        ownBeforeFirstRead = ownCount;
        ownPartIsRight = hasOwnBehind(slice, op, lengthOf(slice, op) - ownCount);
        if (ownPartIsRight && slice.kind[op] == OpKind.READ_LIST) {
            baseList = ListRef.list(slice.value[op]);
            baseLength = lengthOf(slice, op) - ownCount;
        }
    }

    private boolean isNothing(HistorySlice slice, int op) {
        byte kind = slice.kind[op];
        return kind == OpKind.READ_NOTHING || (kind == OpKind.READ && hasInitial && slice.value[op] == initial);
    }

    private boolean registerDiffers(HistorySlice slice, int op) {
        if (lastOp == NO_OP) {
            return false;
        }
        boolean isNothing = isNothing(slice, op);
        return isNothing != lastIsNothing || (!isNothing && slice.value[op] != last);
    }

    private boolean listDiffers(HistorySlice slice, int op) {
        int length = lengthOf(slice, op);
        if (firstReadOp == NO_OP) {
            return !hasOwnBehind(slice, op, length - ownCount);
        }
        if (length != baseLength + ownCount || !hasOwnBehind(slice, op, baseLength)) {
            return true;
        }
        int list = ListRef.list(slice.value[op]);
        for (int i = 0; i < baseLength; i++) {
            if (slice.lists.element(list, i) != slice.lists.element(baseList, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasOwnBehind(HistorySlice slice, int op, int from) {
        if (from < 0) {
            return false;
        }
        for (int i = 0; i < ownCount; i++) {
            if (slice.lists.element(ListRef.list(slice.value[op]), from + i) != own[i]) {
                return false;
            }
        }
        return true;
    }

    private static int lengthOf(HistorySlice slice, int op) {
        return slice.kind[op] == OpKind.READ_LIST ? ListRef.length(slice.value[op]) : 0;
    }
}
