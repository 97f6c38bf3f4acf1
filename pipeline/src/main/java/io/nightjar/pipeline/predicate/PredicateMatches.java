package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import java.util.HashSet;
import java.util.Set;

/** Which versions match the condition of a predicate read, and which rows it returned. One read at a time. */
final class PredicateMatches {

    /*
     * Where comparisons of one column with constants stand in front of a condition, they are a range of the ranks of that
     * column, and the rest is evaluated only for rows in it.
     */

    private final TableHistory history;
    private final TableVersions versions;
    private final PredicateDoubts doubts;
    private final Set<Integer> doubted = new HashSet<>();
    private final int[] rowOf; // operation by key, where the stamp is of now
    private final int[] rowStampOf;
    private final int[] unmatchedOf;
    private final int[] unmatchedStampOf;
    private int stamp;
    private int op;
    private RowCondition condition;
    private Object[] params;
    private RowRanks ranks; // null if no range of them is known
    private int fromRank;
    private int toRank;
    private boolean isRangeAll;

    PredicateMatches(TableHistory history, TableVersions versions, PredicateDoubts doubts) {
        this.history = history;
        this.versions = versions;
        this.doubts = doubts;
        this.rowOf = new int[history.keyCount()];
        this.rowStampOf = new int[history.keyCount()];
        this.unmatchedOf = new int[history.keyCount()];
        this.unmatchedStampOf = new int[history.keyCount()];
    }

    /** Turns to a predicate read; false if it cannot be judged, which is noted. */
    boolean begin(int txn, int predicateRead) {
        op = predicateRead;
        stamp++;
        condition = history.condition(op);
        if (condition == null) {
            return doubt(txn, history.faultOf(op));
        }
        try {
            params = history.params(op);
        } catch (ConditionException fault) {
            return doubt(txn, fault.getMessage());
        }
        findRange();
        for (int row = firstRow(); row < endOfRows(); row++) {
            int key = history.key[row];
            if (!history.isOfRelation(key, op)) {
                return doubt(txn, "row of another relation in a result: key=" + history.keyName(key));
            }
            boolean isMatch = OpKind.isRead(history.kind[row]);
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
        ranks = condition.bounds() == null
                ? null
                : history.ranks(condition.bounds().column());
        if (ranks == null) {
            return;
        }
        try {
            long range = ranks.range(condition.bounds(), params);
            fromRank = (int) (range >>> 32);
            toRank = (int) range;
            isRangeAll = condition.bounds().areAll();
        } catch (ConditionException fault) {
            ranks = null; // which shows again when a row is looked at, if there is one
        }
    }

    private boolean doubt(int txn, String reason) {
        if (doubted.add(op)) {
            doubts.add(reason + " condition=\"" + history.conditionText(op) + "\"", history.placeOf(txn));
        }
        return false;
    }

    boolean isAggregate() {
        return condition.aggregate() != null;
    }

    boolean areRowsKnown() {
        return history.rowCount(op) != TableHistory.NONE && !isAggregate();
    }

    /** The first operation that belongs to the result, of those up to {@link #endOfRows}. */
    int firstRow() {
        return op + 1;
    }

    int endOfRows() {
        return op + 1 + Math.max(0, history.rowCount(op));
    }

    /** The operation that returned a row of a key; NONE if none did. */
    int rowOf(int key) {
        return rowStampOf[key] == stamp ? rowOf[key] : TableHistory.NONE;
    }

    /** The operation that says which version of a key did not match; NONE if none does. */
    int unmatchedOf(int key) {
        return unmatchedStampOf[key] == stamp ? unmatchedOf[key] : TableHistory.NONE;
    }

    /** Whether a version matches. @throws ConditionException if it cannot be told */
    boolean matches(int slot) {
        int row = versions.valueOf(slot);
        if (row == TableHistory.NONE) {
            return false;
        }
        if (ranks != null) {
            int rank = ranks.rankOf(row);
            if (rank < fromRank || rank >= toRank) {
                return false;
            }
            if (isRangeAll) {
                return true;
            }
        }
        return condition.matches(history.cells(row), params);
    }

    // ---------------------------------------------------------------- ranges

    /** The column of which a range holds all that match; NONE if there is none. */
    int rangeColumn() {
        return ranks == null ? TableHistory.NONE : condition.bounds().column();
    }

    int fromRank() {
        return fromRank;
    }

    int toRank() {
        return toRank;
    }

    // ---------------------------------------------------------------- answers

    Object add(Object soFar, int slot) {
        return condition.add(soFar, history.cells(versions.valueOf(slot)), params);
    }

    /** Whether what was recorded is what was computed. */
    boolean isAnswer(Object computed) {
        return RowCondition.isAnswer(history.valueText(history.value[op]), condition.answer(computed));
    }

    String answerText(Object computed) {
        return String.valueOf(condition.answer(computed));
    }

    boolean noteFault(int txn, ConditionException fault) {
        return doubt(txn, fault.getMessage());
    }
}
