package io.nightjar.pipeline.verify;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.PlainSelect;

/** Walks over a condition as it was parsed, for one row at a time. Knows nothing of how checkers do it. */
public final class ConditionReplay {

    private final Expression where;

    private ConditionReplay(Expression where) {
        this.where = where;
    }

    /** Understands a condition. */
    public static ConditionReplay of(String condition) {
        String text = condition.isBlank() ? "TRUE" : condition;
        try {
            PlainSelect select = (PlainSelect) new CCJSqlParser(new StringProvider("SELECT * FROM t WHERE " + text))
                    .withAllowComplexParsing(true)
                    .Statement();
            return new ConditionReplay(select.getWhere());
        } catch (ParseException notSql) {
            throw new IllegalArgumentException("condition=" + condition, notSql);
        }
    }

    /** Whether a row matches, given as JSON like the parameters. */
    public boolean matches(String row, String params) {
        return matches(RowReading.row(row), RowReading.params(params));
    }

    boolean matches(Map<String, Object> row, List<?> params) {
        return Boolean.TRUE.equals(value(where, row, params));
    }

    private static Object value(Expression e, Map<String, Object> row, List<?> params) {
        if (e instanceof ExpressionList<?> inner && inner.size() == 1) {
            return value(inner.get(0), row, params);
        }
        if (e instanceof Column column) {
            String name = column.getColumnName().toLowerCase(Locale.ROOT).replaceAll("[\"`]", "");
            return name.equals("true") ? Boolean.TRUE : name.equals("false") ? Boolean.FALSE : row.get(name);
        }
        if (e instanceof JdbcParameter parameter) {
            return params.get(parameter.getIndex() - 1);
        }
        if (e instanceof LongValue number) {
            return new BigDecimal(number.getStringValue());
        }
        if (e instanceof DoubleValue number) {
            return new BigDecimal(number.toString());
        }
        if (e instanceof StringValue text) {
            return text.getNotExcapedValue();
        }
        if (e instanceof BooleanValue truth) {
            return truth.getValue();
        }
        if (e instanceof NullValue) {
            return null;
        }
        if (e instanceof SignedExpression signed) {
            BigDecimal number = (BigDecimal) value(signed.getExpression(), row, params);
            return number == null || signed.getSign() != '-' ? number : number.negate();
        }
        return truth(e, row, params);
    }

    private static Object truth(Expression e, Map<String, Object> row, List<?> params) {
        if (e instanceof AndExpression both) {
            Object left = value(both.getLeftExpression(), row, params);
            Object right = Boolean.FALSE.equals(left) ? false : value(both.getRightExpression(), row, params);
            boolean isFalse = Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right);
            return isFalse ? (Object) false : left == null || right == null ? null : (Object) true;
        }
        if (e instanceof OrExpression either) {
            Object left = value(either.getLeftExpression(), row, params);
            Object right = Boolean.TRUE.equals(left) ? true : value(either.getRightExpression(), row, params);
            boolean isTrue = Boolean.TRUE.equals(left) || Boolean.TRUE.equals(right);
            return isTrue ? (Object) true : left == null || right == null ? null : (Object) false;
        }
        if (e instanceof NotExpression not) {
            return turned(true, value(not.getExpression(), row, params));
        }
        if (e instanceof IsNullExpression test) {
            return turned(test.isNot(), value(test.getLeftExpression(), row, params) == null);
        }
        if (e instanceof IsBooleanExpression test) {
            Object is = value(test.getLeftExpression(), row, params);
            return turned(test.isNot(), is != null && is.equals(test.isTrue()));
        }
        if (e instanceof Between range) {
            Object middle = value(range.getLeftExpression(), row, params);
            Object low = value(range.getBetweenExpressionStart(), row, params);
            Object high = value(range.getBetweenExpressionEnd(), row, params);
            Object above = middle == null || low == null ? null : (Object) (order(middle, low) >= 0);
            Object below = middle == null || high == null ? null : (Object) (order(middle, high) <= 0);
            boolean isOut = Boolean.FALSE.equals(above) || Boolean.FALSE.equals(below);
            return turned(
                    range.isNot(), isOut ? (Object) false : above == null || below == null ? null : (Object) true);
        }
        if (e instanceof InExpression in) {
            Object member = value(in.getLeftExpression(), row, params);
            Object found = member == null ? null : (Object) false;
            for (Expression part : (ExpressionList<?>) in.getRightExpression()) {
                Object other = value(part, row, params);
                if (member != null && other != null && order(member, other) == 0) {
                    return turned(in.isNot(), true);
                }
                found = other == null ? null : found;
            }
            return turned(in.isNot(), found);
        }
        if (e instanceof LikeExpression like) {
            Object text = value(like.getLeftExpression(), row, params);
            Object pattern = value(like.getRightExpression(), row, params);
            if (text == null || pattern == null) {
                return null;
            }
            boolean anyCase = like.getLikeKeyWord() == LikeExpression.KeyWord.ILIKE;
            return turned(
                    like.isNot(),
                    regex((String) pattern, anyCase).matcher((String) text).matches());
        }
        BinaryExpression two = (BinaryExpression) e;
        return twoSided(
                two.getStringExpression(),
                value(two.getLeftExpression(), row, params),
                value(two.getRightExpression(), row, params));
    }

    private static Object twoSided(String operator, Object left, Object right) {
        if (left == null || right == null) {
            return null;
        }
        return switch (operator) {
            case "=" -> order(left, right) == 0;
            case "<>", "!=" -> order(left, right) != 0;
            case "<" -> order(left, right) < 0;
            case "<=" -> order(left, right) <= 0;
            case ">" -> order(left, right) > 0;
            case ">=" -> order(left, right) >= 0;
            case "+" -> ((BigDecimal) left).add((BigDecimal) right);
            case "-" -> ((BigDecimal) left).subtract((BigDecimal) right);
            case "*" -> ((BigDecimal) left).multiply((BigDecimal) right);
            case "/" -> ((BigDecimal) left).divideToIntegralValue((BigDecimal) right);
            case "%" -> ((BigDecimal) left).remainder((BigDecimal) right);
            default -> throw new IllegalArgumentException("operator=" + operator);
        };
    }

    private static Object turned(boolean isNegated, Object truth) {
        return truth == null || !isNegated ? truth : (Object) !(Boolean) truth;
    }

    @SuppressWarnings("unchecked")
    private static int order(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static java.util.regex.Pattern regex(String like, boolean anyCase) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < like.length(); i++) {
            char c = like.charAt(i);
            if (c == '\\' && i + 1 < like.length()) {
                regex.append(java.util.regex.Pattern.quote(String.valueOf(like.charAt(++i))));
            } else {
                regex.append(c == '%' ? ".*" : c == '_' ? "." : java.util.regex.Pattern.quote(String.valueOf(c)));
            }
        }
        int flags = java.util.regex.Pattern.DOTALL | (anyCase ? java.util.regex.Pattern.CASE_INSENSITIVE : 0);
        return java.util.regex.Pattern.compile(regex.toString(), flags);
    }
}
