package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import java.util.Arrays;

/** The operations of one transaction after another, chained by key, so that what it did to a key before is at hand. */
public final class OwnOperations {

    public static final int NONE = -1;

    private final OperationLog log;
    private final int[] latestOf; // by key: the latest operation that was taken, of whatever transaction
    private int[] previous = new int[64]; // by operation of the transaction: the one before on its key, or NONE
    private int row;
    private int first;

    public OwnOperations(OperationLog log) {
        this.log = log;
        latestOf = new int[log.keyCount];
        Arrays.fill(latestOf, NONE);
    }

    /** The next operations are those of a row, in their order. */
    public void begin(int ofRow) {
        row = ofRow;
        first = log.firstOpOf[row];
        int count = log.firstOpOf[row + 1] - first;
        if (previous.length < count) {
            previous = new int[Math.max(count, 2 * previous.length)];
        }
    }

    /** Takes the next operation; returns the one before it on its key, or {@link #NONE}. */
    public int take(int op) {
        int key = log.key[op];
        int latest = latestOf[key];
        int before = latest >= first && latest < op ? latest : NONE;
        previous[op - first] = before;
        latestOf[key] = op;
        return before;
    }

    /** The operation before one that was taken on its key, or {@link #NONE}. */
    public int previous(int op) {
        return previous[op - first];
    }

    /** The last operation before one that was taken that wrote its key, or {@link #NONE}. */
    public int lastWriteBefore(int op) {
        int before = previous[op - first];
        while (before != NONE && !OpKind.isWrite(log.kind[before])) {
            before = previous[before - first];
        }
        return before;
    }

    /** How many own appends precede a list read and stand at its end, or -1 if they do not stand there. */
    public int appendsAtEnd(int op) {
        if (log.isCutBeforeOwn(op)) {
            return 0;
        }
        int length = log.lists.length(log.value[op]);
        int found = 0;
        for (int own = lastWriteBefore(op); own != NONE; own = lastWriteBefore(own)) {
            found++;
            if (found > length || log.lists.element(log.key[op], log.value[op], length - found) != log.value[own]) {
                return -1;
            }
        }
        return found;
    }

    boolean appendsTo(int key) {
        for (int op = first; op < log.firstOpOf[row + 1]; op++) {
            if (log.key[op] == key && log.kind[op] == OpKind.APPEND) {
                return true;
            }
        }
        return false;
    }
}
