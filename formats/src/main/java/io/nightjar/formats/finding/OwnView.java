package io.nightjar.formats.finding;

import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.HashSet;
import java.util.Set;

/** What one transaction must see of a key after what it did itself, operation by operation. */
final class OwnView {

    /** What a read contradicts. */
    enum Disagreement {
        NONE,
        WITH_OWN_READ,
        WITH_OWN_WRITE
    }

    private static final int NO_OP = -1;

    private final RawTxns raw;
    private final Long initial;

    private int lastOp = NO_OP;
    private int lastWrite = NO_OP;
    private int firstReadOp = NO_OP;
    private int ownBeforeFirstRead;
    private boolean isList;
    private final LongArrayList own = new LongArrayList();
    private final Set<String> expected = new HashSet<>();

    /** @param initial the value that is read as nothing; null if there is none */
    OwnView(RawTxns raw, Long initial) {
        this.raw = raw;
        this.initial = initial;
    }

    /** Takes the next operation on the key; what it contradicts is measured before it becomes what counts. */
    Disagreement take(int op) {
        isList |= raw.kind[op] == OpKind.APPEND || raw.kind[op] == OpKind.READ_LIST;
        Disagreement disagreement = Disagreement.NONE;
        if (raw.isRead(op)) {
            expected.clear();
            disagreement = isList ? listDisagrees(op) : registerDisagrees(op);
            if (firstReadOp == NO_OP) {
                firstReadOp = op;
                ownBeforeFirstRead = own.size();
            }
        } else {
            lastWrite = op;
            if (raw.kind[op] == OpKind.APPEND) {
                own.add(raw.value[op]);
            }
        }
        lastOp = op;
        return disagreement;
    }

    /** What the read taken last should have returned, as texts that all say the same. */
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
        if (!isSameScalar(lastOp, op)) {
            expected.add(isNothing(lastOp) ? "null" : raw.text(lastOp));
            expected.add(String.valueOf(raw.text(lastOp)));
            return Disagreement.WITH_OWN_READ;
        }
        return Disagreement.NONE;
    }

    private boolean isSameScalar(int op, int other) {
        return isNothing(op) ? isNothing(other) : !isNothing(other) && raw.value[op] == raw.value[other];
    }

    private boolean isNothing(int op) {
        return raw.kind[op] == OpKind.READ_NOTHING
                || (raw.kind[op] == OpKind.READ && initial != null && raw.value[op] == initial);
    }

    // ---------------------------------------------------------------- lists

    private Disagreement listDisagrees(int op) {
        if (!own.isEmpty() && !endsWithOwn(op, 1)) {
            addWholeList();
            return Disagreement.WITH_OWN_WRITE;
        }
        boolean isTorn = !own.isEmpty() && !endsWithOwn(op, own.size());
        if (isTorn || (firstReadOp != NO_OP && !isFirstReadWithOwnBehind(op))) {
            addWholeList();
            return Disagreement.WITH_OWN_READ;
        }
        return Disagreement.NONE;
    }

    /** Whether the list ends with the last so many of the transaction's own appends. */
    private boolean endsWithOwn(int op, int count) {
        if (raw.length(op) < count) {
            return false;
        }
        for (int back = 1; back <= count; back++) {
            if (raw.element(op, raw.length(op) - back) != own.getLong(own.size() - back)) {
                return false;
            }
        }
        return true;
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

    /** The whole list where it is known, else how it must end. */
    private void addWholeList() {
        if (firstReadOp == NO_OP) {
            expected.add(ListText.of(own.size(), place -> raw.values.text(own.getLong(place)))
                    .replaceFirst("\\[", "[…,"));
            expected.add(raw.values.text(own.getLong(own.size() - 1)));
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
}
