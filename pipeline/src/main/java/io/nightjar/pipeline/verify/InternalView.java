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

/** What one transaction must see of a key after what it did itself, operation by operation. */
final class InternalView {

    /** What a read contradicts. */
    enum Disagreement {
        NONE,
        WITH_OWN_READ,
        WITH_OWN_WRITE
    }

    private static final int NO_OP = -1;

    private final RawTxns raw;
    private final @Nullable Long initial;
    private final boolean isSet;

    private int lastOp = NO_OP;
    private int lastWrite = NO_OP;
    private int firstReadOp = NO_OP;
    private int lastReadOp = NO_OP;
    private int ownBeforeFirstRead;
    private boolean isList;
    private final LongArrayList own = new LongArrayList();
    private final LongSet ownElements = new LongOpenHashSet(); // of own
    private final Set<String> expected = new HashSet<>();

    /**
     * @param initial the value that is read as nothing; null if there is none
     * @param isSet whether the key is a set
     */
    InternalView(RawTxns raw, @Nullable Long initial, boolean isSet) {
        this.raw = raw;
        this.initial = initial;
        this.isSet = isSet;
    }

    /** Takes the next operation on the key; what it contradicts is measured before it becomes what counts. */
    Disagreement take(int op) {
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
                ownElements.add(raw.value[op]);
            }
        }
        lastOp = op;
        return disagreement;
    }

    /** Returns what the read taken last should have returned, as texts that all say the same. */
    Set<String> expectedTexts() {
        return expected;
    }

    boolean hasOwnWrites() {
        return lastWrite != NO_OP;
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
        if (!isSameScalar(lastOp, op) || areNamedApart(lastOp, op)) {
            expected.add(isNothing(lastOp) ? "null" : raw.text(lastOp));
            expected.add(String.valueOf(raw.text(lastOp)));
            return Disagreement.WITH_OWN_READ;
        }
        return Disagreement.NONE;
    }

    private boolean isSameScalar(int op, int other) {
        return isNothing(op) ? isNothing(other) : !isNothing(other) && raw.value[op] == raw.value[other];
    }

    /** Whether the source says that two reads are from different transactions, though they returned one value. */
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
        for (int place = 0; place < raw.length(lastReadOp); place++) {
            if (!returned.contains(raw.element(lastReadOp, place))) {
                return Disagreement.WITH_OWN_READ;
            }
        }
        return Disagreement.NONE;
    }

    // ---------------------------------------------------------------- lists

    private Disagreement listDisagrees(int op) {
        if (!own.isEmpty() && (!endsWithOwn(op) || hasOwnElsewhere(op))) {
            addWholeList();
            return Disagreement.WITH_OWN_WRITE;
        }
        if (firstReadOp != NO_OP && !isFirstReadWithOwnBehind(op)) {
            addWholeList();
            return Disagreement.WITH_OWN_READ;
        }
        return Disagreement.NONE;
    }

    private boolean endsWithOwn(int op) {
        int place = raw.length(op) - own.size();
        if (place < 0) {
            return false;
        }
        for (int i = 0; i < own.size(); i++) {
            if (raw.element(op, place + i) != own.getLong(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasOwnElsewhere(int op) {
        for (int place = 0; place < raw.length(op) - own.size(); place++) {
            if (ownElements.contains(raw.element(op, place))) {
                return true;
            }
        }
        return false;
    }

    private boolean isFirstReadWithOwnBehind(int op) {
        int known = raw.length(firstReadOp);
        int since = own.size() - ownBeforeFirstRead;
        if (raw.length(op) != known + since) {
            return false;
        }
        for (int place = 0; place < known; place++) {
            if (raw.element(op, place) != raw.element(firstReadOp, place)) {
                return false;
            }
        }
        return true;
    }

    /** The whole list where it is known, and the own appends at its end. */
    private void addWholeList() {
        addOwn();
        if (firstReadOp == NO_OP) {
            return;
        }
        int known = raw.length(firstReadOp);
        int length = known + own.size() - ownBeforeFirstRead;
        if (length == 0) {
            expected.add("null");
        }
        expected.add(ListText.of(
                length,
                place -> raw.values.text(
                        place < known
                                ? raw.element(firstReadOp, place)
                                : own.getLong(ownBeforeFirstRead + place - known))));
    }

    private void addOwn() {
        if (!own.isEmpty()) {
            expected.add(ListText.of(own.size(), place -> raw.values.text(own.getLong(place))));
        }
    }
}
