package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads of one key held against earlier operations of the same transaction on the key, in program order. */
final class InternalReads {

    /*
     * Definitions. A register read must return the value that the preceding operation wrote or returned. The first read
     * of a list must end with all own appends before it; a later read must be the first one followed by the appends
     * since then. A read of a set must contain the own elements and the elements of the preceding read. A read of
     * nothing returns the initial register and the empty list.
     */

    /** The earlier operation that a read contradicts. */
    enum Disagreement {
        NONE,
        WITH_OWN_READ,
        WITH_OWN_WRITE
    }

    /** The facts, besides their values, that distinguish reads. */
    enum Evidence {
        /** Values alone, as for snapshots in time. */
        TIMESTAMPS,
        /** Writers that the source names, and elements that a list may have once only. */
        VALUES
    }

    private static final int NO_OP = -1;

    private final RawTxns raw;
    private final Evidence evidence;
    private final @Nullable Long initial;
    private final boolean isSet;

    private int lastOp = NO_OP;
    private int lastWrite = NO_OP;
    private int firstReadOp = NO_OP;
    private int lastReadOp = NO_OP;
    private int ownBeforeFirstRead;
    private boolean isList;
    private final LongArrayList own = new LongArrayList();
    private final LongSet ownSet = new LongOpenHashSet(); // of own
    private final Set<String> expected = new HashSet<>();

    /**
     * @param initial the value that means nothing was read; null if none does
     * @param isSet whether the key is a set
     */
    InternalReads(RawTxns raw, Evidence evidence, @Nullable Long initial, boolean isSet) {
        this.raw = raw;
        this.evidence = evidence;
        this.initial = initial;
        this.isSet = isSet;
    }

    /** Adds the next operation on the key; returns which earlier one it contradicts. */
    Disagreement add(int op) {
        isList |= raw.kind[op] == OpKind.APPEND || raw.kind[op] == OpKind.READ_LIST;
        Disagreement disagreement = Disagreement.NONE;
        if (raw.isRead(op)) {
            expected.clear();
            disagreement = isSet ? setDisagrees(op) : isList ? listDisagrees(op) : registerDisagrees(op);
            lastReadOp = op;
            if (firstReadOp == NO_OP) {
                firstReadOp = op;
                ownBeforeFirstRead = own.size();
            }
        } else {
            lastWrite = op;
            if (raw.kind[op] == OpKind.APPEND || raw.kind[op] == OpKind.ADD) {
                own.add(raw.value[op]);
                ownSet.add(raw.value[op]);
            }
        }
        lastOp = op;
        return disagreement;
    }

    /** Returns the expected result of the read added last, as texts of equal meaning. */
    Set<String> expectedTexts() {
        return expected;
    }

    boolean hasOwnWrites() {
        return lastWrite != NO_OP;
    }

    /** Returns the elements that the transaction appended or added so far. */
    LongArrayList ownElements() {
        return own;
    }

    boolean hasReadBefore(int op) {
        return firstReadOp != op;
    }

    boolean isList() {
        return isList;
    }

    // ---------------------------------------------------------------- registers

    private Disagreement registerDisagrees(int op) {
        if (lastOp == NO_OP) {
            return Disagreement.NONE;
        }
        if (lastWrite != NO_OP && !isSameScalar(lastWrite, op)) {
            expected.add(String.valueOf(raw.text(lastWrite)));
            return Disagreement.WITH_OWN_WRITE;
        }
        if (!isSameScalar(lastOp, op) || evidence == Evidence.VALUES && areNamedApart(lastOp, op)) {
            expected.add(String.valueOf(raw.text(lastOp)));
            if (evidence == Evidence.VALUES && isNothing(lastOp)) {
                expected.add("null");
            }
            return Disagreement.WITH_OWN_READ;
        }
        return Disagreement.NONE;
    }

    private boolean isSameScalar(int op, int other) {
        boolean isErased = raw.kind[op] == OpKind.ERASE;
        return isErased || isNothing(op) ? isNothing(other) : !isNothing(other) && raw.value[op] == raw.value[other];
    }

    /** Returns whether the source names different writers for two reads, though they returned one value. */
    private boolean areNamedApart(int op, int other) {
        return raw.isRead(op)
                && raw.writerTxn[op] != HistorySlice.NONE
                && raw.writerTxn[other] != HistorySlice.NONE
                && raw.writerTxn[op] != raw.writerTxn[other];
    }

    private boolean isNothing(int op) {
        return raw.kind[op] == OpKind.READ_NOTHING
                || (raw.kind[op] == OpKind.READ && initial != null && raw.value[op] == initial);
    }

    // ---------------------------------------------------------------- sets

    private Disagreement setDisagrees(int op) {
        addOwn();
        LongSet returned = new LongOpenHashSet(raw.list(op));
        for (int i = 0; i < own.size(); i++) {
            if (!returned.contains(own.getLong(i))) {
                return Disagreement.WITH_OWN_WRITE;
            }
        }
        if (lastReadOp == NO_OP) {
            return Disagreement.NONE;
        }
        expected.add(String.valueOf(raw.text(lastReadOp)));
        for (int position = 0; position < raw.length(lastReadOp); position++) {
            if (!returned.contains(raw.element(lastReadOp, position))) {
                return Disagreement.WITH_OWN_READ;
            }
        }
        return Disagreement.NONE;
    }

    // ---------------------------------------------------------------- lists

    private Disagreement listDisagrees(int op) {
        boolean isOwnMissed = !raw.endsWith(op, own) || evidence == Evidence.VALUES && hasOwnElsewhere(op);
        if (!own.isEmpty() && isOwnMissed) {
            addWholeList();
            return Disagreement.WITH_OWN_WRITE;
        }
        if (firstReadOp != NO_OP && !isFirstReadWithOwnAppended(op)) {
            addWholeList();
            return Disagreement.WITH_OWN_READ;
        }
        return Disagreement.NONE;
    }

    private boolean hasOwnElsewhere(int op) {
        for (int position = 0; position < raw.length(op) - own.size(); position++) {
            if (ownSet.contains(raw.element(op, position))) {
                return true;
            }
        }
        return false;
    }

    private boolean isFirstReadWithOwnAppended(int op) {
        int known = raw.length(firstReadOp);
        int since = own.size() - ownBeforeFirstRead;
        return raw.length(op) == known + since && !raw.areTorn(op, known, firstReadOp, known);
    }

    /** Adds the own appends, and the whole list if an earlier read shows it. */
    private void addWholeList() {
        if (evidence == Evidence.VALUES || firstReadOp == NO_OP) {
            addOwn();
        }
        if (firstReadOp == NO_OP) {
            return;
        }
        int length = expectedLength();
        if (length == 0) {
            expected.add("null");
        }
        expected.add(ListText.of(length, position -> raw.values.text(expectedElement(position))));
    }

    /** Returns the length of the list after the own appends; an earlier read shows it. */
    int expectedLength() {
        return raw.length(firstReadOp) + own.size() - ownBeforeFirstRead;
    }

    /** Returns an element of the list after the own appends; an earlier read shows the list. */
    long expectedElement(int position) {
        int known = raw.length(firstReadOp);
        return position < known
                ? raw.element(firstReadOp, position)
                : own.getLong(ownBeforeFirstRead + position - known);
    }

    private void addOwn() {
        if (!own.isEmpty()) {
            expected.add(ListText.of(own.size(), position -> raw.values.text(own.getLong(position))));
        }
    }
}
