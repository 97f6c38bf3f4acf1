package io.nightjar.formats.history;

import org.jspecify.annotations.Nullable;

/** Rules for the operations of a transaction that contains predicate reads and their rows. */
public final class PredicateReadRules {

    private PredicateReadRules() {}

    /**
     * Returns the error in the predicate reads among some operations, or null.
     *
     * @param rows per operation; null if no operation has a number of rows; likewise for the other columns
     */
    public static @Nullable InputError fault(
            byte[] kind,
            long[] predicate,
            long[] params,
            long[] rows,
            long[] readTs,
            long[] limit,
            long[] order,
            int first,
            int end) {
        int endOfRows = first; // of the previous predicate read
        for (int op = first; op < end; op++) {
            if (!OpKind.isPredicate(kind[op])) {
                boolean hasParams = isGiven(params, op) && !OpKind.isConditional(kind[op]);
                boolean hasRows = isGiven(rows, op) || isGiven(readTs, op) || isGiven(limit, op) || isGiven(order, op);
                if (isGiven(predicate, op) || hasParams || hasRows) {
                    return InputError.of(
                                    "predicate, params, rows, read_ts, limit or order of an operation that is no p")
                            .with("op=" + (op - first) + " kind=" + OpKind.name(kind[op]))
                            .advise("leave them null");
                }
                boolean isRow = OpKind.isRead(kind[op]) || isUnmatched(kind[op]);
                if (op < endOfRows && !isRow) {
                    return InputError.of("row of a predicate read is neither r nor v")
                            .with("op=" + (op - first) + " kind=" + OpKind.name(kind[op]))
                            .advise("count only its rows");
                }
                continue;
            }
            if (op < endOfRows) {
                return InputError.of("predicate read among the rows of another")
                        .with("op=" + (op - first))
                        .advise("count only its rows");
            }
            if (!isGiven(predicate, op)) {
                return InputError.of("predicate is null")
                        .with("op=" + (op - first) + " kind=p")
                        .advise("give each p its condition");
            }
            if (isGiven(limit, op) && limit[op] < 0) {
                return InputError.of("limit of a predicate read is negative")
                        .with("op=" + (op - first) + " limit=" + limit[op])
                        .advise("leave it null if the query had none");
            }
            if (!isGiven(rows, op)) {
                continue;
            }
            if (rows[op] < 0 || rows[op] > end - op - 1) {
                return InputError.of("rows reach past the end of the transaction")
                        .with("op=" + (op - first) + " rows=" + rows[op] + " operations-after=" + (end - op - 1))
                        .advise("count only its rows");
            }
            endOfRows = op + 1 + (int) rows[op];
        }
        return null;
    }

    private static boolean isGiven(long[] column, int op) {
        return column != null && column[op] != HistorySlice.NONE;
    }

    private static boolean isUnmatched(byte kind) {
        return kind == OpKind.UNMATCHED || kind == OpKind.UNMATCHED_ROW;
    }
}
