package io.nightjar.pipeline.predicate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which versions match the condition of a predicate read, and which rows it returned. One read at a time. */
final class PredicateMatches {

    private final TableHistory history;
    private final TableVersions versions;
    private final PredicateDoubts doubts;
    private final Set<Integer> doubted = new HashSet<>();
    private final Map<Integer, Integer> rowOf = new HashMap<>(); // operation by key
    private final Map<Integer, Integer> unmatchedOf = new HashMap<>();
    private int op;
    private RowCondition condition;
    private Object[] params;

    PredicateMatches(TableHistory history, TableVersions versions, PredicateDoubts doubts) {
        this.history = history;
        this.versions = versions;
        this.doubts = doubts;
    }

    /** Turns to a predicate read; false if it cannot be judged, which is noted. */
    boolean begin(int txn, int predicateRead) {
        op = predicateRead;
        rowOf.clear();
        unmatchedOf.clear();
        condition = history.condition(op);
        if (condition == null) {
            return doubt(txn, history.faultOf(op));
        }
        try {
            params = history.params(op);
        } catch (ConditionException fault) {
            return doubt(txn, fault.getMessage());
        }
        for (int row : history.rowsOf(op)) {
            int key = history.key[row];
            if (!history.isOfRelation(key, op)) {
                return doubt(txn, "row of another relation in a result: key=" + history.keyName(key));
            }
            boolean isMatch = io.nightjar.formats.history.OpKind.isRead(history.kind[row]);
            if ((isMatch ? rowOf : unmatchedOf).put(key, row) != null) {
                return doubt(txn, "two rows of one key in a result: key=" + history.keyName(key));
            }
        }
        return true;
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
        return history.rows[op] != TableHistory.NONE && !isAggregate();
    }

    /** The operation that returned a row of a key; NONE if none did. */
    int rowOf(int key) {
        return rowOf.getOrDefault(key, TableHistory.NONE);
    }

    /** The operation that says which version of a key did not match; NONE if none does. */
    int unmatchedOf(int key) {
        return unmatchedOf.getOrDefault(key, TableHistory.NONE);
    }

    /** Whether a version matches. @throws ConditionException if it cannot be told */
    boolean matches(int slot) {
        return matchesRow(versions.valueOf(slot));
    }

    private boolean matchesRow(int value) {
        return value != TableHistory.NONE && condition.matches(history.cells(value), params);
    }

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
