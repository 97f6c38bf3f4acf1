package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.SearchedKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evaluation of the conditions that guards state, each parsed once. */
final class GuardConditions {

    private final Map<String, Condition> conditionOf = new HashMap<>(); // by the value of the guard

    private final Map<List<Object>, String> rowOf = new HashMap<>(); // by answer and value added

    private record Condition(ConditionReplay where, List<?> params) {}

    /** Returns whether a row matches the condition in the value of a guard, or adds to a computed answer. */
    boolean matches(String guard, String row) {
        if (SearchedKeys.isAnswer(guard)) {
            return alike(guard, row) != null;
        }
        Condition condition = condition(guard);
        return condition.where.matches(RowReading.row(row), condition.params);
    }

    private Condition condition(String guard) {
        return conditionOf.computeIfAbsent(
                guard,
                absent -> new Condition(
                        ConditionReplay.of(SearchedKeys.conditionOf(guard)),
                        RowReading.params(SearchedKeys.paramsOf(guard))));
    }

    /** Returns one of the rows that contribute to a computed answer as a row does; null if it does not contribute. */
    @Nullable
    String alike(String answer, String row) {
        Condition condition = condition(SearchedKeys.guardOf(answer));
        Map<String, Object> cells = RowReading.row(row);
        if (!condition.where.matches(cells, condition.params)) {
            return null;
        }
        Object added = condition.where.computed(List.of(cells), condition.params);
        boolean isNothing = added == null
                || added.equals(condition.where.computed(List.of(), condition.params))
                || condition.where.isSurpassed(
                        added, SearchedKeys.answerAndOwnRows(answer).get(0));
        return isNothing ? null : rowOf.computeIfAbsent(List.of(answer, requireNonNull(added)), absent -> row);
    }

    /** Returns whether a computed answer is right for some rows and the rows that the transaction wrote itself. */
    boolean isAnswer(String answer, List<String> rows) {
        String guard = SearchedKeys.guardOf(answer);
        List<String> answerAndRows = SearchedKeys.answerAndOwnRows(answer);
        List<String> all = new ArrayList<>(rows);
        all.addAll(answerAndRows.subList(1, answerAndRows.size()));
        return condition(guard).where.isAnswer(all, SearchedKeys.paramsOf(guard), answerAndRows.get(0));
    }
}
