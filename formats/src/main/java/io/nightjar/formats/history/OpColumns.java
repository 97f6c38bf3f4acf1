package io.nightjar.formats.history;

import java.util.ArrayList;
import java.util.List;

/**
 * The fields of operations that a file has.
 *
 * @param hasPredicates whether it has the columns of predicate reads, parameters included
 * @param hasParams whether it has the parameters
 * @param hasDone whether it has the outcomes of conditional writes
 * @param hasResult whether it has the results of increments
 * @param hasLimit whether it has the limits and orders of predicate reads
 */
public record OpColumns(
        boolean hasPredicates, boolean hasParams, boolean hasDone, boolean hasResult, boolean hasLimit) {

    /** Reads and writes of items only. */
    public static final OpColumns OF_ITEMS = new OpColumns(false, false, false, false, false);

    /** All fields. */
    public static final OpColumns ALL = new OpColumns(true, true, true, true, true);

    /** Returns the fields that the operations of a slice need. */
    public static OpColumns of(HistorySlice slice) {
        boolean isRelational = slice.isRelational();
        boolean isConditional = slice.isConditional();
        return new OpColumns(
                isRelational,
                isRelational || isConditional && slice.numbers(HistoryColumn.PARAMS) != null,
                isConditional && slice.numbers(HistoryColumn.DONE) != null,
                slice.numbers(HistoryColumn.RESULT) != null,
                slice.numbers(HistoryColumn.LIMIT) != null || slice.numbers(HistoryColumn.ORDER) != null);
    }

    /** Returns the fields of both. */
    public OpColumns with(OpColumns other) {
        return new OpColumns(
                hasPredicates || other.hasPredicates,
                hasParams || other.hasParams,
                hasDone || other.hasDone,
                hasResult || other.hasResult,
                hasLimit || other.hasLimit);
    }

    /** Returns the fields in the order of files. */
    public List<HistoryColumn> list() {
        List<HistoryColumn> columns = new ArrayList<>();
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            boolean isThere =
                    switch (column) {
                        case PARAMS -> hasParams;
                        case DONE -> hasDone;
                        case RESULT -> hasResult;
                        case LIMIT, ORDER -> hasLimit;
                        default -> hasPredicates || column.group() != ColumnGroup.PREDICATES;
                    };
            if (isThere) {
                columns.add(column);
            }
        }
        return List.copyOf(columns);
    }
}
