package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the rows of a relation, or one number computed of the rows that match it.
 *
 * @param where the filter; null for all rows
 * @param aggregate the function computed; null if the rows themselves are read
 * @param argument the expression it is computed of; null for whole rows
 * @param bounds the leading comparisons; null if the condition has none
 * @param paramCount number of parameters
 */
record RowCondition(
        @Nullable RowExpression where,
        @Nullable Aggregate aggregate,
        @Nullable RowExpression argument,
        @Nullable RowBounds bounds,
        int paramCount) {

    RowCondition(
            @Nullable RowExpression where,
            @Nullable Aggregate aggregate,
            @Nullable RowExpression argument,
            int paramCount) {
        this(where, aggregate, argument, RowBounds.of(where), paramCount);
    }

    /** Returns a copy with expressions instead of its parameters; they may have parameters themselves. */
    RowCondition with(List<RowExpression> arguments, int params) {
        return new RowCondition(
                where == null ? null : where.with(arguments),
                aggregate,
                argument == null ? null : argument.with(arguments),
                params);
    }

    /** Aggregate functions of rows. */
    enum Aggregate {
        COUNT,
        SUM,
        MIN,
        MAX
    }

    /** Returns whether a row matches; NULL does not. */
    boolean matches(Object[] row, Object[] params) {
        return where == null || Boolean.TRUE.equals(RowValues.truth(where.evaluate(row, params)));
    }

    /** Returns whether an answer depends on more of a row than whether it matches. */
    boolean readsRows() {
        return aggregate != null && argument != null;
    }

    /** Returns whether two matching rows contribute differently to the aggregate. */
    boolean differ(Object[] one, Object[] other, Object[] params) {
        RowExpression read = requireNonNull(argument);
        Object first = read.evaluate(one, params);
        Object second = read.evaluate(other, params);
        if (first == null || second == null || aggregate == Aggregate.COUNT) {
            return (first == null) != (second == null);
        }
        return RowValues.compare(first, second) != 0;
    }

    /** Returns the argument of the aggregate for a matching row; null if the row does not count. */
    @Nullable
    Object argumentOf(Object[] row, Object[] params) {
        return argument == null ? Boolean.TRUE : argument.evaluate(row, params);
    }

    /** Returns the aggregate after adding one more matching row. */
    @Nullable
    Object add(@Nullable Object soFar, Object[] row, Object[] params) {
        Object value = argumentOf(row, params);
        if (value == null) {
            return soFar;
        }
        return switch (aggregate) {
            case COUNT -> soFar == null ? 1L : (Long) soFar + 1;
            case SUM ->
                RowValues.narrow(RowValues.decimal(soFar == null ? 0L : soFar).add(RowValues.decimal(value)));
            case MIN -> soFar == null || RowValues.compare(value, soFar) < 0 ? value : soFar;
            case MAX -> soFar == null || RowValues.compare(value, soFar) > 0 ? value : soFar;
        };
    }

    /** Returns the answer after all rows were added. */
    @Nullable
    Object answer(@Nullable Object computed) {
        return aggregate == Aggregate.COUNT && computed == null ? (Object) 0L : computed;
    }

    /** Returns a recorded text without its quotes, if it has them. */
    static String plainText(String recorded) {
        boolean isQuoted = recorded.length() > 1 && recorded.startsWith("\"") && recorded.endsWith("\"");
        return isQuoted ? recorded.substring(1, recorded.length() - 1) : recorded;
    }

    /** Returns whether a recorded answer, as text or null, equals the computed one. */
    static boolean isAnswer(@Nullable String recorded, @Nullable Object computed) {
        if (recorded == null || computed == null) {
            return computed == null && (recorded == null || recorded.equals("null"));
        }
        if (computed instanceof Long || computed instanceof BigDecimal) {
            try {
                return new BigDecimal(recorded).compareTo(RowValues.decimal(computed)) == 0;
            } catch (NumberFormatException noNumber) {
                return false;
            }
        }
        return recorded.equals(String.valueOf(computed)) || recorded.equals("\"" + computed + "\"");
    }
}
