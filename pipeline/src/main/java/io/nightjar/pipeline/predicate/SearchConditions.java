package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SearchedKeys;
import io.nightjar.pipeline.infer.RowConditions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Evaluation of the conditions of predicate reads, each understood once, on rows that are each parsed once. */
public final class SearchConditions implements RowConditions {

    /** Maximum number of guards that predicate reads may become. */
    private static final long MAX_GUARDS = 1 << 23;

    private final SearchedKeys keys = new SearchedKeys();
    private final RowCells cells = new RowCells();
    private final Map<String, Object[]> cellsOf = new ConcurrentHashMap<>(); // by row
    private final Map<String, Condition> conditionOf = new ConcurrentHashMap<>(); // by the value of a guard

    private record Condition(RowCondition where, Object[] params) {}

    /** Adds the rows that a slice writes, and its predicate reads. */
    public void add(HistorySlice slice) {
        keys.add(slice);
        for (int op = 0; op < slice.opCount; op++) {
            if (OpKind.isWrite(slice.kind[op]) && OpKind.hasValue(slice.kind[op])) {
                cellsOf.computeIfAbsent(slice.valueText(slice.value[op]), cells::row);
            }
        }
    }

    /** Returns the keys that predicate reads are about, after all slices were added. */
    public SearchedKeys keys() {
        return keys;
    }

    /** Returns whether guards state everything that predicate reads returned, and are not too many. */
    public boolean areComplete() {
        return keys.isComplete() && keys.guardCount() <= MAX_GUARDS && areUnderstood(keys.conditions());
    }

    private boolean areUnderstood(Set<String> guards) {
        ConditionTemplates templates = new ConditionTemplates(this::column);
        try {
            for (String guard : guards) {
                RowCondition where = templates.parse(SearchedKeys.conditionOf(guard));
                conditionOf.put(guard, new Condition(where, cells.params(SearchedKeys.paramsOf(guard))));
            }
            return true;
        } catch (ConditionException notUnderstood) {
            return false;
        }
    }

    private int column(String name) {
        int ordinal = cells.column(name);
        if (cellsOf.isEmpty()) {
            return Integer.MAX_VALUE; // nothing is evaluated
        }
        if (ordinal < 0) {
            throw new ConditionException("no row has this column: column=" + name);
        }
        return ordinal;
    }

    @Override
    public boolean matches(String guard, String row) {
        Condition condition = requireNonNull(conditionOf.get(guard));
        Object[] known = cellsOf.get(row);
        return condition.where.matches(known == null ? cells.row(row) : known, condition.params);
    }
}
