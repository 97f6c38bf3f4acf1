package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SearchedKeys;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.infer.RowConditions;
import io.nightjar.pipeline.predicate.RowCondition.Aggregate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Evaluation of the conditions of predicate reads, each understood once, on rows that are each parsed once. */
public final class SearchConditions implements RowConditions {

    /** Maximum number of guards that predicate reads may become. */
    private static final long MAX_GUARDS = 1 << 23;

    private final SearchedKeys keys = new SearchedKeys();
    private final RowCells cells = new RowCells();
    private final Map<String, Object[]> cellsOf = new ConcurrentHashMap<>(); // by row
    private final Map<String, Condition> conditionOf = new ConcurrentHashMap<>(); // by the value of a guard

    private final Set<OwnRow> ownRows = new HashSet<>();

    /** A row that a transaction wrote before its predicate read, which did not return it. */
    private record OwnRow(String guard, String row) {}

    private final Map<String, Computed> computedOf = new ConcurrentHashMap<>(); // by the value of a guard

    private record Computed(Condition condition, List<String> answerAndOwnRows) {}

    private record Condition(RowCondition where, Object[] params) {}

    /** Adds the rows that a slice writes, and its predicate reads. */
    public void add(HistorySlice slice) {
        keys.add(slice);
        for (int op = 0; op < slice.opCount; op++) {
            if (slice.kind[op] == OpKind.WRITE) {
                cellsOf.computeIfAbsent(slice.valueText(slice.value[op]), cells::row);
            }
        }
        for (int txn = 0; txn < slice.txnCount; txn++) {
            if (slice.status[txn] == TxnStatus.COMMITTED) {
                addOwnRows(slice, txn);
            }
        }
    }

    private void addOwnRows(HistorySlice slice, int txn) {
        Map<String, String> ownOf = new HashMap<>(); // by key
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            byte kind = slice.kind[op];
            if (kind == OpKind.DELETE) {
                ownOf.remove(slice.keyText(op));
            } else if (OpKind.isWrite(kind) && OpKind.hasValue(kind)) {
                ownOf.put(requireNonNull(slice.keyText(op)), slice.valueText(slice.value[op]));
            } else if (!ownOf.isEmpty() && OpKind.isPredicate(kind) && SearchedKeys.isGuard(slice, op)) {
                Map<String, String> missed = new HashMap<>(ownOf);
                String relation = slice.hasKey(op) ? slice.keyText(op) : null;
                missed.keySet()
                        .removeIf(key -> relation != null
                                && !SearchedKeys.relationOf(key).equals(relation));
                long[] rows = slice.numbers(HistoryColumn.ROWS);
                boolean hasRows = rows != null && SearchedKeys.areRowsKnown(slice, op);
                for (int row = op + 1; rows != null && hasRows && row <= op + rows[op]; row++) {
                    missed.remove(slice.keyText(row));
                }
                String guard = SearchedKeys.condition(slice, op);
                missed.values().forEach(row -> ownRows.add(new OwnRow(guard, row)));
            }
        }
    }

    /** Returns the keys that predicate reads are about, after all slices were added. */
    public SearchedKeys keys() {
        return keys;
    }

    /** Returns whether guards state everything that predicate reads returned, and are not too many. */
    public boolean areComplete() {
        return keys.isComplete() && keys.guardCount() <= MAX_GUARDS;
    }

    /**
     * Returns whether all conditions are understood. Guards state nothing of rows that the reading transaction wrote
     * itself, so none of these may match.
     */
    public boolean areUnderstood() {
        return keys.haveTexts()
                && areUnderstood(keys.conditions())
                && ownRows.stream().noneMatch(own -> matches(own.guard, own.row));
    }

    private boolean areUnderstood(List<String> guards) {
        ConditionTemplates templates = new ConditionTemplates(this::column);
        Map<String, RowCondition> whereOf = new HashMap<>(); // by text
        try {
            for (String guard : guards) {
                RowCondition where = whereOf.computeIfAbsent(SearchedKeys.conditionOf(guard), templates::parse);
                conditionOf.put(guard, new Condition(where, RowCells.params(SearchedKeys.paramsOf(guard))));
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
        return condition.where.matches(cells(row), condition.params);
    }

    private Object[] cells(String row) {
        Object[] known = cellsOf.get(row);
        return known == null ? cells.row(row) : known;
    }

    // ---------------------------------------------------------------- computed answers

    private Computed computed(String answer) {
        return computedOf.computeIfAbsent(
                answer,
                absent -> new Computed(
                        requireNonNull(conditionOf.get(SearchedKeys.guardOf(answer))),
                        SearchedKeys.answerAndOwnRows(answer)));
    }

    @Override
    public long @Nullable [] range(String answer) {
        Computed computed = computed(answer);
        Aggregate function = computed.condition.where.aggregate();
        List<String> answerAndRows = computed.answerAndOwnRows;
        Long sought = function == null ? null : AnswerPart.ofAnswer(function, answerAndRows.get(0));
        if (sought == null) {
            return null;
        }
        long own = 0;
        for (String row : answerAndRows.subList(1, answerAndRows.size())) {
            Long part = part(answer, row);
            if (part == null) {
                return null;
            }
            own += part;
        }
        boolean isExtreme = function == Aggregate.MIN || function == Aggregate.MAX;
        return new long[] {sought - own, (isExtreme ? AnswerPart.BEYOND - 1 : sought) - own};
    }

    @Override
    public @Nullable Long part(String answer, String row) {
        Computed computed = computed(answer);
        Condition condition = computed.condition;
        Object[] ofRow = cells(row);
        try {
            if (!condition.where.matches(ofRow, condition.params)) {
                return 0L;
            }
            Object value = condition.where.argumentOf(ofRow, condition.params);
            String sought = computed.answerAndOwnRows.get(0);
            return value == null ? Long.valueOf(0) : AnswerPart.of(condition.where.aggregate(), value, sought);
        } catch (ConditionException unclear) {
            return null;
        }
    }
}
