package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression over the columns of one row, in three-valued logic: null is SQL's NULL, also as a truth value. */
sealed interface RowExpression {

    /*
     * Definitions. Values are Long, BigDecimal, String, Boolean or null. Numbers of the two types compare with each
     * other; other types do not mix, as in a typed database.
     */

    /** @throws ConditionException if types do not fit */
    @Nullable
    Object evaluate(Object @Nullable [] row, Object[] params);

    /** Returns a copy with expressions instead of parameters. */
    RowExpression with(List<RowExpression> arguments);

    private static List<RowExpression> all(List<RowExpression> operands, List<RowExpression> arguments) {
        return operands.stream().map(operand -> operand.with(arguments)).toList();
    }

    /** A constant in the condition. */
    record Literal(@Nullable Object value) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            return value;
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return this;
        }
    }

    /** A parameter, counted from 0. */
    record Parameter(int index) implements RowExpression {
        @Override
        public Object evaluate(Object @Nullable [] row, Object[] params) {
            if (index >= params.length) {
                throw new ConditionException("parameter missing: parameter=" + (index + 1) + " given=" + params.length);
            }
            return params[index];
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return arguments.get(index);
        }
    }

    /** A column, by its ordinal; a row that is shorter has none. */
    record ColumnOf(int column) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            Object[] cells = requireNonNull(row); // a constant has no column
            return column < cells.length ? cells[column] : null;
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return this;
        }
    }

    /** Plus, minus, times, divided, modulo. */
    record Arithmetic(char operator, RowExpression left, RowExpression right) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            Object one = left.evaluate(row, params);
            Object other = right.evaluate(row, params);
            if (one == null || other == null) {
                return null;
            }
            if (one instanceof Long a && other instanceof Long b) {
                return RowValues.compute(operator, a, b);
            }
            return RowValues.compute(operator, RowValues.decimal(one), RowValues.decimal(other));
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new Arithmetic(operator, left.with(arguments), right.with(arguments));
        }
    }

    /** A comparison by one of {@code = <> < <= > >=}. */
    record Comparison(SqlOperator operator, RowExpression left, RowExpression right) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            Object one = left.evaluate(row, params);
            Object other = right.evaluate(row, params);
            return one == null || other == null ? null : operator.holds(RowValues.compare(one, other));
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new Comparison(operator, left.with(arguments), right.with(arguments));
        }
    }

    /** A conjunction, or a disjunction if {@code stopsAt} is true: the truth value that decides it alone. */
    record Junction(boolean stopsAt, List<RowExpression> operands) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            boolean sawNull = false;
            for (RowExpression operand : operands) {
                Boolean truth = RowValues.truth(operand.evaluate(row, params));
                if (truth == null) {
                    sawNull = true;
                } else if (truth == stopsAt) {
                    return truth;
                }
            }
            return sawNull ? null : Boolean.valueOf(!stopsAt);
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new Junction(stopsAt, all(operands, arguments));
        }
    }

    /** A negation. */
    record Negation(RowExpression operand) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            Boolean truth = RowValues.truth(operand.evaluate(row, params));
            return truth == null ? null : Boolean.valueOf(!truth);
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new Negation(operand.with(arguments));
        }
    }

    /** A membership in a list. */
    record Membership(RowExpression value, List<RowExpression> list) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            Object one = value.evaluate(row, params);
            if (one == null) {
                return null;
            }
            boolean sawNull = false;
            for (RowExpression operand : list) {
                Object other = operand.evaluate(row, params);
                sawNull |= other == null;
                if (other != null && RowValues.compare(one, other) == 0) {
                    return Boolean.TRUE;
                }
            }
            return sawNull ? null : Boolean.FALSE;
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new Membership(value.with(arguments), all(list, arguments));
        }
    }

    /** A pattern with {@code %} and {@code _}. */
    record Pattern(RowExpression value, RowExpression pattern, boolean ignoresCase) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            Object one = value.evaluate(row, params);
            Object other = pattern.evaluate(row, params);
            if (one == null || other == null) {
                return null;
            }
            if (!(one instanceof String text) || !(other instanceof String like)) {
                throw new ConditionException("LIKE of a value that is no text: value=" + one + " pattern=" + other);
            }
            return ignoresCase
                    ? RowValues.isLike(text.toLowerCase(java.util.Locale.ROOT), like.toLowerCase(java.util.Locale.ROOT))
                    : RowValues.isLike(text, like);
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new Pattern(value.with(arguments), pattern.with(arguments), ignoresCase);
        }
    }

    /** Test for a missing value. */
    record NullTest(RowExpression value) implements RowExpression {
        @Override
        public Object evaluate(Object @Nullable [] row, Object[] params) {
            return value.evaluate(row, params) == null;
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new NullTest(value.with(arguments));
        }
    }

    /** A number with its sign turned. */
    record Negative(RowExpression value) implements RowExpression {
        @Override
        public @Nullable Object evaluate(Object @Nullable [] row, Object[] params) {
            Object one = value.evaluate(row, params);
            if (one == null) {
                return null;
            }
            return one instanceof Long number && number != Long.MIN_VALUE
                    ? (Object) (-number)
                    : RowValues.narrow(RowValues.decimal(one).negate());
        }

        @Override
        public RowExpression with(List<RowExpression> arguments) {
            return new Negative(value.with(arguments));
        }
    }
}
