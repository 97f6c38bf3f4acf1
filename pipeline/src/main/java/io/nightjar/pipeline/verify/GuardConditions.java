package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.SearchedKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Evaluation of the conditions that guards state, each parsed once. */
final class GuardConditions {

    private final Map<String, Condition> conditionOf = new HashMap<>(); // by the value of the guard

    private record Condition(ConditionReplay where, List<?> params) {}

    /** Returns whether a row matches the condition in the value of a guard. */
    boolean matches(String guard, String row) {
        Condition condition = conditionOf.computeIfAbsent(
                guard,
                absent -> new Condition(
                        ConditionReplay.of(SearchedKeys.conditionOf(guard)),
                        RowReading.params(SearchedKeys.paramsOf(guard))));
        return condition.where.matches(RowReading.row(row), condition.params);
    }
}
