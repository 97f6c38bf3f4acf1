package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.OpKind;
import io.nightjar.pipeline.primitive.BinarySearch;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The versions that match the condition of a predicate read, and the rows that it returned; one read at a time. */
final class PredicateMatches {

    /*
     * Algorithm. If a condition begins with comparisons of one column with constants, they define a range of positions
     * in the order of that column, and the rest is evaluated only for rows in it.
     */

    private final TableHistory history;
    private final TableVersions versions;
    private final UndecidedReasons doubts;
    private final Set<Integer> doubted = new HashSet<>();
    private final int[] rowOf; // operation by key, where the stamp is of now
    private final int[] rowStampOf;
    private final int[] unmatchedOf;
    private final int[] unmatchedStampOf;
    private int stamp;
    private int op;
    private int endOfRows;
    private boolean areRowsKnown;
    private @Nullable RowCondition condition; // null before the first read that can be evaluated
    private Object[] params = {};
    private @Nullable RowCondition omitted; // condition of the rows not returned; null without a limit
    private Object[] omittedParams = {};
    private int @Nullable [] positionOf; // by version, null if no range of positions is known
    private int from;
    private int to;
    private boolean isRangeAll;
    private int[] matched = new int[64];
    private int matchCount;

    PredicateMatches(TableHistory history, TableVersions versions, UndecidedReasons doubts) {
        this.history = history;
        this.versions = versions;
        this.doubts = doubts;
        this.rowOf = new int[history.keyCount()];
        this.rowStampOf = new int[history.keyCount()];
        this.unmatchedOf = new int[history.keyCount()];
        this.unmatchedStampOf = new int[history.keyCount()];
    }

    /** Moves to a predicate read; returns false if it cannot be evaluated, and records the reason. */
    boolean begin(int txn, int predicateRead) {
        op = predicateRead;
        stamp++;
        endOfRows = op + 1 + Math.max(0, history.rowCount(op));
        RowCondition understood = history.condition(op);
        if (understood == null) {
            return doubt(txn, history.faultOf(op));
        }
        condition = understood;
        omitted = null;
        try {
            params = history.params(op);
            if (history.isLimited(op)) {
                omitted = history.conditionOfOmitted(op);
                omittedParams = history.paramsOfOmitted(op);
            }
        } catch (ConditionException fault) {
            return doubt(txn, fault.getMessage());
        }
        if (params.length > understood.paramCount()) {
            return doubt(txn, "parameters left over: asked=" + understood.paramCount() + " given=" + params.length);
        }
        areRowsKnown = history.rowCount(op) != TableHistory.NONE && !isAggregate();
        findRange();
        for (int row = firstRow(); row < endOfRows(); row++) {
            int key = history.key[row];
            if (!history.isOfRelation(key, op)) {
                return doubt(txn, "row of another relation in a result: key=" + history.keyName(key));
            }
            boolean isMatch = OpKind.isRead(history.kind[row]);
            if (isMatch && MalformedReads.isOfNothing(history, row)) {
                return doubt(txn, "row in its initial state in a result: key=" + history.keyName(key));
            }
            int[] stampOf = isMatch ? rowStampOf : unmatchedStampOf;
            if (stampOf[key] == stamp) {
                return doubt(txn, "two rows of one key in a result: key=" + history.keyName(key));
            }
            stampOf[key] = stamp;
            (isMatch ? rowOf : unmatchedOf)[key] = row;
        }
        return true;
    }

    private void findRange() {
        RowIndexes indexes = versions.indexes();
        positionOf = null;
        if (indexes.hasRange(op, condition(), params)) {
            positionOf = indexes.column(bounds().column()).positionOf;
            from = indexes.from(op);
            to = indexes.to(op);
            isRangeAll = bounds().areAll() && omitted == null;
        }
    }

    private boolean doubt(int txn, @Nullable String reason) {
        if (doubted.add(op)) {
            doubts.add(reason + " condition=\"" + history.conditionText(op) + "\"", history.locationOf(txn));
        }
        return false;
    }

    private RowCondition condition() {
        return requireNonNull(condition);
    }

    /** Returns the bounds of a condition that has a range. */
    private RowBounds bounds() {
        return requireNonNull(condition().bounds());
    }

    boolean isAggregate() {
        return condition().aggregate() != null;
    }

    boolean areRowsKnown() {
        return areRowsKnown;
    }

    /** Returns whether the answer states that no row matches, which equals an empty result. */
    boolean isCountOfNone() {
        boolean countsRows = condition().aggregate() == RowCondition.Aggregate.COUNT
                && condition().argument() == null;
        return countsRows && endOfRows == op + 1 && isAnswer(null);
    }

    /** Returns the first operation that belongs to the result, of those up to {@link #endOfRows}. */
    int firstRow() {
        return op + 1;
    }

    int endOfRows() {
        return endOfRows;
    }

    /** Returns the operation that returned a row of a key; NONE if none did. */
    int rowOf(int key) {
        return rowStampOf[key] == stamp ? rowOf[key] : TableHistory.NONE;
    }

    /** Returns the operation that names the version of a key that did not match; NONE if none does. */
    int unmatchedOf(int key) {
        return unmatchedStampOf[key] == stamp ? unmatchedOf[key] : TableHistory.NONE;
    }

    /** Returns whether a version matches. @throws ConditionException if that cannot be evaluated */
    boolean matches(int slot) {
        int row = versions.valueOf(slot);
        if (row == TableHistory.NONE || history.isDeleted(row)) {
            return false;
        }
        if (positionOf != null) {
            boolean isInRange = positionOf[slot] >= from && positionOf[slot] < to;
            if (!isInRange || isRangeAll) {
                return isInRange;
            }
        }
        RowCondition ofOmitted = omitted;
        return ofOmitted == null || rowOf(versions.keyOf(slot)) != TableHistory.NONE
                ? condition().matches(history.cells(row), params)
                : ofOmitted.matches(history.cells(row), omittedParams);
    }

    /** Returns whether exactly one of two versions matches, or both match and the computed answer differs. */
    boolean changes(int before, int after) {
        boolean isMatch = matches(after);
        return matches(before) != isMatch || isMatch && differ(before, after);
    }

    /** Returns whether it makes a difference to an answer which of two versions that match is there. */
    boolean differ(int one, int other) {
        return condition().readsRows()
                && condition()
                        .differ(history.cells(versions.valueOf(one)), history.cells(versions.valueOf(other)), params);
    }

    // ---------------------------------------------------------------- ranges

    /** Returns whether all that match are in a range of positions. */
    boolean hasRange() {
        return positionOf != null;
    }

    /** Shows the current versions in the range, which may match. */
    void forEachInRange(CurrentRows current, IntConsumer show) {
        current.forEach(bounds().column(), from, to, show);
    }

    /**
     * Collects all versions that match and that others may observe; returns false if each version must be evaluated
     * instead.
     */
    boolean gather() {
        matchCount = 0;
        if (positionOf == null) {
            return false;
        }
        int[] slots = versions.indexes().column(bounds().column()).slots;
        for (int position = from; position < to; position++) {
            int slot = slots[position];
            if (versions.isFinal[slot] && (isRangeAll || matches(slot))) {
                matched = matchCount < matched.length ? matched : Arrays.copyOf(matched, 2 * matchCount);
                matched[matchCount++] = slot;
            }
        }
        Arrays.sort(matched, 0, matchCount);
        return true;
    }

    int matchCount() {
        return matchCount;
    }

    /** Returns a collected version; versions are in order, so that the versions of a key are contiguous. */
    int match(int at) {
        return matched[at];
    }

    /** Returns the first collected version greater than the given one; matchCount if none is. */
    int firstMatchAfter(int slot) {
        return BinarySearch.first(0, matchCount, at -> matched[at] > slot);
    }

    // ---------------------------------------------------------------- answers

    @Nullable
    Object add(@Nullable Object soFar, int slot) {
        return condition().add(soFar, history.cells(versions.valueOf(slot)), params);
    }

    /**
     * Returns whether no answer may be one: of no rows sum, min and max are NULL. If rows are not known, nothing was
     * recorded.
     */
    boolean mayBeNull() {
        return condition().aggregate() != RowCondition.Aggregate.COUNT && history.rowCount(op) != TableHistory.NONE;
    }

    /** Returns whether the recorded answer equals the computed one. */
    boolean isAnswer(@Nullable Object computed) {
        return RowCondition.isAnswer(
                history.valueText(history.value[op]), condition().answer(computed));
    }

    String answerText(Object computed) {
        return String.valueOf(condition().answer(computed));
    }

    boolean recordFault(int txn, ConditionException fault) {
        return doubt(txn, fault.getMessage());
    }
}
