package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one transaction after another, chained by key, which gives access to its previous operations on a
 * key.
 */
public final class OwnOperations {

    public static final int NONE = -1;

    private final OperationLog log;
    private final int[] latestOf; // by key: the latest operation added, of any transaction
    private int[] previous = new int[64]; // by operation of the transaction: the previous operation on its key, or NONE
    private int[] lastWrite = new int[64]; // by operation of the transaction: the last write before on its key, or NONE
    private int[] lastRead = new int[64]; // by operation of the transaction: the last read before on its key, or NONE
    private int @Nullable [] appendedBy; // by key: the last row, plus one, that was found to append to it
    private int appendsOf = NONE; // the row whose appends are in appendedBy
    private int row;
    private int first;

    public OwnOperations(OperationLog log) {
        this.log = log;
        latestOf = new int[log.keyCount];
        Arrays.fill(latestOf, NONE);
    }

    /** Begins the operations of a row, which follow in their order. */
    public void begin(int ofRow) {
        row = ofRow;
        first = log.firstOpOf[row];
        int count = log.firstOpOf[row + 1] - first;
        if (previous.length < count) {
            int capacity = Math.max(count, 2 * previous.length);
            previous = new int[capacity];
            lastWrite = new int[capacity];
            lastRead = new int[capacity];
        }
    }

    /**
     * Adds the next operation; returns the previous operation on its key, or {@link #NONE}. Guards precede no
     * operation.
     */
    public int take(int op) {
        int key = log.key[op];
        int latest = latestOf[key];
        int before = latest >= first && latest < op ? latest : NONE;
        boolean isAfterRead = before != NONE && OpKind.isRead(log.kind[before]);
        boolean isAfterWrite = before != NONE && OpKind.isWrite(log.kind[before]);
        previous[op - first] = before;
        lastWrite[op - first] = before == NONE || isAfterWrite ? before : lastWrite[before - first];
        lastRead[op - first] = before == NONE || isAfterRead ? before : lastRead[before - first];
        if (!OpKind.isGuard(log.kind[op])) {
            latestOf[key] = op;
        }
        return before;
    }

    /** Returns the previous operation on the key of an added operation, or {@link #NONE}. */
    public int previous(int op) {
        return previous[op - first];
    }

    /** Returns the last write of its key before an added operation, or {@link #NONE}. */
    public int lastWriteBefore(int op) {
        return lastWrite[op - first];
    }

    /** Returns the last read of its key before an added operation, or {@link #NONE}. */
    public int lastReadBefore(int op) {
        return lastRead[op - first];
    }

    /**
     * Returns the number of own appends that precede a list read and are at the end of its list, or -1 if they are not
     * there.
     */
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

    /** Returns whether the row appends to a key, before or after the operations added. */
    boolean appendsTo(int key) {
        if (appendedBy == null) {
            appendedBy = new int[log.keyCount];
        }
        if (appendsOf != row) {
            appendsOf = row;
            for (int op = first; op < log.firstOpOf[row + 1]; op++) {
                if (log.kind[op] == OpKind.APPEND) {
                    appendedBy[log.key[op]] = row + 1;
                }
            }
        }
        return appendedBy[key] == row + 1;
    }
}
