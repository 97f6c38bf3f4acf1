package io.nightjar.pipeline.predicate;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.arithmetic.Multiplication;
import net.sf.jsqlparser.expression.operators.arithmetic.Subtraction;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/** Understands a condition once, so that it can be evaluated on many rows. */
final class ConditionParser {

    /** Maximum nesting depth: parser and evaluation require a stack frame per level. */
    private static final int MAX_DEPTH = 100;

    /**
     * Maximum nesting depth of square brackets; supported names have at most one pair, and the parser's time doubles
     * with each.
     */
    private static final int MAX_SQUARE_DEPTH = 4;

    static final int MAX_LENGTH = 1 << 16;

    private static final Map<Class<? extends BinaryExpression>, Character> ARITHMETIC = Map.of(
            Addition.class, '+',
            Subtraction.class, '-',
            Multiplication.class, '*',
            Division.class, '/',
            Modulo.class, '%');

    private static final Map<Class<? extends BinaryExpression>, SqlOperator> COMPARISONS = Map.of(
            EqualsTo.class, SqlOperator.EQUAL,
            NotEqualsTo.class, SqlOperator.DIFFERENT,
            MinorThan.class, SqlOperator.LESS,
            MinorThanEquals.class, SqlOperator.LESS_OR_EQUAL,
            GreaterThan.class, SqlOperator.GREATER,
            GreaterThanEquals.class, SqlOperator.GREATER_OR_EQUAL);

    private final ToIntFunction<String> columns;
    private final ParseBudget budget;
    private int params;
    private @Nullable String relation; // qualifier of the columns; null if unqualified

    /** @param columns the ordinal of a column; it throws if the column is unknown */
    private ConditionParser(ToIntFunction<String> columns, ParseBudget budget) {
        this.columns = columns;
        this.budget = budget;
    }

    /**
     * Parses a condition such as {@code c1 >= ? AND c1 <= ?}, or an aggregate such as {@code count(*) WHERE c1 > 3}.
     *
     * @throws ConditionException if it is not understood
     */
    static RowCondition parse(String text, ToIntFunction<String> columns) {
        return parse(text, columns, new ParseBudget());
    }

    /** @param budget of all conditions of a history */
    static RowCondition parse(String text, ToIntFunction<String> columns, ParseBudget budget) {
        if (text.length() > MAX_LENGTH) {
            throw new ConditionException("condition is too long: characters=" + text.length() + " most=" + MAX_LENGTH);
        }
        checkDepth(text);
        try {
            return new ConditionParser(columns, budget).parse(text);
        } catch (StackOverflowError tooDeep) {
            throw new ConditionException("condition is nested too deeply: most=" + MAX_DEPTH);
        }
    }

    private RowCondition parse(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty() || trimmed.equalsIgnoreCase("true")) {
            return new RowCondition(null, null, null, params);
        }
        PlainSelect select = isAggregate(trimmed) ? select(withFrom(trimmed)) : null;
        if (select == null) {
            RowExpression where =
                    expression(select("SELECT 1 FROM t WHERE " + trimmed).getWhere());
            return new RowCondition(where, null, null, params);
        }
        Expression computed = select.getSelectItems().get(0).getExpression();
        if (select.getSelectItems().size() != 1 || !(computed instanceof Function function)) {
            throw notUnderstood(text);
        }
        RowExpression argument = argument(function);
        RowExpression where = select.getWhere() == null ? null : expression(select.getWhere());
        return new RowCondition(where, aggregate(function), argument, params);
    }

    private static boolean isAggregate(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.matches("(?s)(select\\s+)?(count|sum|min|max)\\s*\\(.*\\)\\s*")
                        && !lower.matches("(?s).*\\).*[<>=].*")
                || lower.matches(
                        "(?s)(select\\s+)?(count|sum|min|max)\\s*\\([^()]*\\)\\s*(from\\s+\\S+\\s*)?(where\\s.*)?");
    }

    private static String withFrom(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        String select = lower.startsWith("select") ? text : "SELECT " + text;
        if (lower.matches("(?s).*\\)\\s*from\\s.*")) {
            return select;
        }
        int close = select.indexOf(')') + 1;
        return select.substring(0, close) + " FROM t " + select.substring(close);
    }

    private static RowCondition.Aggregate aggregate(Function function) {
        try {
            return RowCondition.Aggregate.valueOf(function.getName().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException other) {
            throw notUnderstood(function.toString());
        }
    }

    private @Nullable RowExpression argument(Function function) {
        ExpressionList<?> given = function.getParameters();
        if (given == null || given.isEmpty() || given.get(0) instanceof AllColumns) {
            return null;
        }
        if (given.size() > 1 || function.isDistinct()) {
            throw notUnderstood(function.toString());
        }
        return expression(given.get(0));
    }

    private PlainSelect select(String sql) {
        try {
            if (BoundedParser.parse(sql, budget) instanceof PlainSelect select && isNothingElse(select)) {
                return select;
            }
        } catch (ConditionException tooDeep) {
            throw tooDeep;
        } catch (Exception | Error notSql) {
            if (notSql instanceof StackOverflowError tooDeep) {
                throw tooDeep;
            }
            if (notSql instanceof OutOfMemoryError noMemory) {
                throw noMemory;
            }
            throw new ConditionException("condition is not understood: " + firstLine(notSql.getMessage()));
        }
        throw notUnderstood(sql);
    }

    /**
     * Returns whether a query has a relation and a condition, and nothing that orders, limits, groups, joins or samples
     * its rows.
     */
    private static boolean isNothingElse(PlainSelect select) {
        String where = select.getWhere() == null ? "" : " WHERE " + select.getWhere();
        boolean isTable = select.getFromItem() instanceof Table table && table.getSampleClause() == null;
        return isTable
                && select.getSelectItems().size() == 1
                && select.toString()
                        .equals("SELECT " + select.getSelectItems().get(0) + " FROM " + select.getFromItem() + where);
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "" : message.lines().findFirst().orElse("");
    }

    private static ConditionException notUnderstood(Object what) {
        return new ConditionException("condition is not understood: part=" + what);
    }

    /** Checks the nesting depth: only parentheses and NOTs nest. */
    private static void checkDepth(String text) {
        int depth = 0;
        int square = 0;
        int nots = 0;
        boolean isQuoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            isQuoted ^= c == '\'';
            if (isQuoted) {
                continue;
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            square += c == '[' ? 1 : c == ']' ? -1 : 0;
            boolean isNot = text.regionMatches(true, i, "not", 0, 3);
            nots = isNot ? nots + 1 : Character.isDigit(c) || c == '=' || c == '<' || c == '>' ? 0 : nots;
            if (depth > MAX_DEPTH || nots > MAX_DEPTH || square > MAX_SQUARE_DEPTH) {
                throw new ConditionException("condition is nested too deeply: most=" + MAX_DEPTH);
            }
        }
    }

    // ---------------------------------------------------------------- expressions

    private RowExpression expression(Expression sql) {
        if (sql instanceof ExpressionList<?> inner && inner.size() == 1) { // parentheses around one expression
            return expression(inner.get(0));
        }
        RowExpression known = operand(sql);
        known = known == null ? condition(sql) : known;
        if (known == null) {
            throw notUnderstood(sql);
        }
        return known;
    }

    private @Nullable RowExpression operand(Expression sql) {
        if (sql instanceof Column column) {
            return column(column);
        }
        if (sql instanceof JdbcParameter parameter && !parameter.isUseFixedIndex()) {
            return new RowExpression.Parameter(params++);
        }
        if (sql instanceof LongValue number) {
            return new RowExpression.Literal(RowValues.narrow(new BigDecimal(number.getStringValue())));
        }
        if (sql instanceof DoubleValue number) {
            return new RowExpression.Literal(new BigDecimal(number.toString()));
        }
        if (sql instanceof StringValue text && text.getPrefix() == null) {
            return new RowExpression.Literal(text.getNotExcapedValue());
        }
        if (sql instanceof NullValue) {
            return new RowExpression.Literal(null);
        }
        if (sql instanceof BooleanValue truth) {
            return new RowExpression.Literal(truth.getValue());
        }
        if (sql instanceof SignedExpression signed) {
            RowExpression value = expression(signed.getExpression());
            return signed.getSign() == '-' ? new RowExpression.Negative(value) : value;
        }
        Character operator = ARITHMETIC.get(sql.getClass());
        if (operator != null && sql instanceof BinaryExpression both) {
            RowExpression one = expression(both.getLeftExpression());
            return new RowExpression.Arithmetic(operator, one, expression(both.getRightExpression()));
        }
        return null;
    }

    private RowExpression column(Column column) {
        String name = column.getColumnName();
        boolean isBare = column.getTable() == null;
        if (isBare && (name.equalsIgnoreCase("true") || name.equalsIgnoreCase("false"))) {
            return new RowExpression.Literal(Boolean.valueOf(name.toLowerCase(Locale.ROOT)));
        }
        if (!isBare) {
            String of = column.getTable().getFullyQualifiedName();
            relation = relation == null ? of : relation;
            if (!relation.equalsIgnoreCase(of)) {
                throw new ConditionException("columns of two relations: one=" + relation + " other=" + of);
            }
        }
        boolean isQuoted = name.length() > 1 && "\"`[".indexOf(name.charAt(0)) >= 0;
        return new RowExpression.ColumnOf(columns.applyAsInt(isQuoted ? name.substring(1, name.length() - 1) : name));
    }

    private @Nullable RowExpression condition(Expression sql) {
        if (sql instanceof AndExpression both) {
            return junction(false, both);
        }
        if (sql instanceof OrExpression either) {
            return junction(true, either);
        }
        if (sql instanceof NotExpression not) {
            return new RowExpression.Negation(expression(not.getExpression()));
        }
        SqlOperator operator = COMPARISONS.get(sql.getClass());
        if (operator != null && sql instanceof BinaryExpression both) {
            RowExpression one = expression(both.getLeftExpression());
            return new RowExpression.Comparison(operator, one, expression(both.getRightExpression()));
        }
        if (sql instanceof Between between) {
            return between(between);
        }
        if (sql instanceof InExpression in) {
            return membership(in);
        }
        if (sql instanceof LikeExpression like) {
            return like(like);
        }
        if (sql instanceof IsNullExpression test) {
            return negatedIf(test.isNot(), new RowExpression.NullTest(expression(test.getLeftExpression())));
        }
        if (sql instanceof IsBooleanExpression test) {
            RowExpression value = expression(test.getLeftExpression());
            RowExpression known = new RowExpression.Junction(
                    false,
                    List.of(
                            new RowExpression.Negation(new RowExpression.NullTest(value)),
                            negatedIf(!test.isTrue(), value)));
            return negatedIf(test.isNot(), known);
        }
        return null;
    }

    private static RowExpression negatedIf(boolean isNegated, RowExpression operand) {
        return isNegated ? new RowExpression.Negation(operand) : operand;
    }

    /**
     * Returns the expression of a chain of AND or OR. Long chains are nested to the left and are split without a stack
     * frame per part.
     */
    private RowExpression junction(boolean isOr, Expression sql) {
        List<Expression> operands = new ArrayList<>();
        Expression left = sql;
        while (isOr ? left instanceof OrExpression : left instanceof AndExpression) {
            BinaryExpression chain = (BinaryExpression) left;
            operands.add(0, chain.getRightExpression());
            left = chain.getLeftExpression();
        }
        operands.add(0, left);
        List<RowExpression> known = new ArrayList<>();
        for (Expression operand : operands) {
            known.add(expression(operand));
        }
        return new RowExpression.Junction(isOr, List.copyOf(known));
    }

    private RowExpression between(Between between) {
        RowExpression value = expression(between.getLeftExpression());
        RowExpression start = expression(between.getBetweenExpressionStart());
        RowExpression end = expression(between.getBetweenExpressionEnd());
        return negatedIf(
                between.isNot(),
                new RowExpression.Junction(
                        false,
                        List.of(
                                new RowExpression.Comparison(SqlOperator.GREATER_OR_EQUAL, value, start),
                                new RowExpression.Comparison(SqlOperator.LESS_OR_EQUAL, value, end))));
    }

    private RowExpression membership(InExpression in) {
        RowExpression value = expression(in.getLeftExpression());
        if (!(in.getRightExpression() instanceof ExpressionList<?> given)) {
            throw notUnderstood(in);
        }
        List<RowExpression> list = new ArrayList<>();
        for (Expression item : given) {
            list.add(expression(item));
        }
        return negatedIf(in.isNot(), new RowExpression.Membership(value, List.copyOf(list)));
    }

    private RowExpression like(LikeExpression like) {
        boolean isKnown = like.getLikeKeyWord() == LikeExpression.KeyWord.LIKE
                || like.getLikeKeyWord() == LikeExpression.KeyWord.ILIKE;
        if (!isKnown || like.getEscape() != null) {
            throw notUnderstood(like);
        }
        RowExpression value = expression(like.getLeftExpression());
        RowExpression pattern = expression(like.getRightExpression());
        boolean ignoresCase = like.getLikeKeyWord() == LikeExpression.KeyWord.ILIKE;
        return negatedIf(like.isNot(), new RowExpression.Pattern(value, pattern, ignoresCase));
    }
}
