package io.nightjar.pipeline.predicate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leading comparisons of one column with constants in a condition.
 *
 * @param column the ordinal of the column
 * @param bounds each a comparison that rows have to pass, with the column on the left
 * @param areAll whether the condition consists only of these
 */
record RowBounds(int column, List<Bound> bounds, boolean areAll) {

    /**
     * A comparison with a constant.
     *
     * @param constant a literal or a parameter
     */
    record Bound(SqlOperator operator, RowExpression constant) {}

    /** Returns the bounds of a condition; null if it has none. */
    static @Nullable RowBounds of(@Nullable RowExpression where) {
        List<RowExpression> operands = where instanceof RowExpression.Junction both && !both.stopsAt()
                ? both.operands()
                : where == null ? List.of() : List.of(where);
        int column = -1;
        List<Bound> bounds = new ArrayList<>();
        for (RowExpression operand : operands) {
            RowExpression.Comparison comparison = columnFirst(operand);
            boolean isBound = comparison != null
                    && comparison.operator() != SqlOperator.DIFFERENT
                    && isConstant(comparison.right())
                    && (bounds.isEmpty() || columnOf(comparison) == column);
            if (comparison == null || !isBound) {
                break; // the rest may fail on rows that this operand excludes
            }
            column = columnOf(comparison);
            bounds.add(new Bound(comparison.operator(), comparison.right()));
        }
        return bounds.isEmpty() ? null : new RowBounds(column, List.copyOf(bounds), bounds.size() == operands.size());
    }

    private static int columnOf(RowExpression.Comparison comparison) {
        return ((RowExpression.ColumnOf) comparison.left()).column();
    }

    /** Returns a comparison with its column on the left; null if it has none. */
    private static RowExpression.@Nullable Comparison columnFirst(RowExpression operand) {
        if (!(operand instanceof RowExpression.Comparison comparison)) {
            return null;
        }
        if (comparison.left() instanceof RowExpression.ColumnOf) {
            return comparison;
        }
        return comparison.right() instanceof RowExpression.ColumnOf
                ? new RowExpression.Comparison(comparison.operator().turned(), comparison.right(), comparison.left())
                : null;
    }

    private static boolean isConstant(RowExpression value) {
        return value instanceof RowExpression.Literal
                || value instanceof RowExpression.Parameter
                || value instanceof RowExpression.Negative negative && isConstant(negative.value());
    }
}
