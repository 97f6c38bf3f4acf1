package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import net.sf.jsqlparser.parser.feature.Feature;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/** Evaluator of a parsed condition for one row at a time. It shares no code with the evaluation in checkers. */
public final class ConditionReplay {

    private static final Pattern COMPUTED = Pattern.compile("(?is)\\s*(?:select\\s+)?(count|sum|min|max)\\s*\\(.*");

    private final @Nullable Expression where;
    private final @Nullable Function computed; // null if it is rows that are asked for

    private ConditionReplay(Expression where, @Nullable Function computed) {
        this.where = where;
        this.computed = computed;
    }

    /** Understands a condition, or one number computed of the rows that match it. */
    public static ConditionReplay of(String condition) {
        Matcher computed = COMPUTED.matcher(condition);
        if (!computed.matches()) {
            String text = condition.isBlank() ? "TRUE" : condition;
            return new ConditionReplay(parsed("SELECT * FROM t WHERE " + text).getWhere(), null);
        }
        int end = endOfCall(condition, computed.end(1));
        String rest = condition.substring(end).strip();
        boolean namesTable = rest.regionMatches(true, 0, "from", 0, 4);
        PlainSelect select = parsed(
                "SELECT " + condition.substring(computed.start(1), end) + (namesTable ? " " : " FROM t ") + rest);
        return new ConditionReplay(
                select.getWhere(), (Function) select.getSelectItem(0).getExpression());
    }

    /** Returns where the parenthesis closes that is the next to open. */
    private static int endOfCall(String text, int from) {
        int depth = 0;
        boolean isQuoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            isQuoted ^= c == '\'';
            depth += isQuoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
            if (!isQuoted && c == ')' && depth == 0) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("condition=" + text);
    }

    private static PlainSelect parsed(String sql) {
        try {
            return (PlainSelect) new CountingParser(sql, false).Statement();
        } catch (ParseException notSimple) {
            try {
                return (PlainSelect) new CountingParser(sql, true).Statement();
            } catch (ParseException notSql) {
                throw new IllegalArgumentException("condition=" + sql, notSql);
            }
        }
    }

    /** Gives up where brackets are nested so that it would try them in ever more ways. */
    private static final class CountingParser extends CCJSqlParser {

        private int tries;

        CountingParser(String sql, boolean isComplex) {
            super(new StringProvider(sql));
            withAllowComplexParsing(isComplex);
        }

        @Override
        public boolean getAsBoolean(Feature feature) {
            if (++tries > 1 << 19) {
                throw new IllegalArgumentException("condition is nested too deeply");
            }
            return super.getAsBoolean(feature);
        }

        @Override
        public ParseException generateParseException() {
            return new ParseException("unexpected: " + token);
        }
    }

    /** Returns whether it is rows that are asked for, and not a number computed of them. */
    boolean asksForRows() {
        return computed == null;
    }

    /** Returns whether a row matches, given as JSON like the parameters. */
    public boolean matches(String row, String params) {
        return matches(RowReading.row(row), RowReading.params(params));
    }

    boolean matches(Map<String, Object> row, List<?> params) {
        return where == null || Boolean.TRUE.equals(value(where, row, params));
    }

    /** Returns whether an answer equals the aggregate of the matching rows of a table, given as JSON. */
    public boolean isAnswer(List<String> rows, @Nullable String params, String answer) {
        List<?> given = RowReading.params(params);
        List<Map<String, Object>> matching = rows.stream()
                .map(RowReading::row)
                .filter(row -> matches(row, given))
                .toList();
        return isAnswer(answer, computed(matching, given));
    }

    /** Returns whether the function counts rows, not values of a column. */
    private boolean isOfRows() {
        return function().getParameters() == null || function().getParameters().get(0) instanceof AllColumns;
    }

    private Function function() {
        return requireNonNull(computed);
    }

    /** Returns whether something is computed of a column that two rows have different values of; of a count, whether one is NULL. */
    boolean differ(Map<String, Object> one, Map<String, Object> other, List<?> params) {
        if (asksForRows() || isOfRows()) {
            return false;
        }
        Object first = value(function().getParameters().get(0), one, params);
        Object second = value(function().getParameters().get(0), other, params);
        boolean isCount = function().getName().equalsIgnoreCase("count");
        return isCount || first == null || second == null
                ? (first == null) != (second == null)
                : order(first, second) != 0;
    }

    /** Returns the aggregate of the matching rows. */
    @Nullable
    Object computed(List<Map<String, Object>> rows, List<?> params) {
        boolean isOfRows = isOfRows();
        List<Object> values = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            Object value = isOfRows ? row : value(function().getParameters().get(0), row, params);
            if (value != null) {
                values.add(value);
            }
        }
        return switch (function().getName().toLowerCase(Locale.ROOT)) {
            case "count" -> new BigDecimal(values.size());
            case "sum" ->
                values.stream()
                        .map(value -> (BigDecimal) value)
                        .reduce(BigDecimal::add)
                        .orElse(null);
            case "min" -> values.stream().min(ConditionReplay::order).orElse(null);
            default -> values.stream().max(ConditionReplay::order).orElse(null);
        };
    }

    /** Returns whether a number or text does not affect an answer: as a minimum or maximum that the answer surpasses. */
    boolean isSurpassed(Object value, String answer) {
        String name = function().getName();
        boolean isMin = name.equalsIgnoreCase("min");
        if (!isMin && !name.equalsIgnoreCase("max") || isAnswer(answer, value)) {
            return false;
        }
        String text = answer.replaceAll("^\"|\"$", "");
        int difference =
                value instanceof BigDecimal number ? number.compareTo(new BigDecimal(text)) : order(value, text);
        return isMin ? difference > 0 : difference < 0;
    }

    /** Returns whether a recorded answer, as text or null, equals the computed answer. */
    static boolean isAnswer(@Nullable String recorded, @Nullable Object computed) {
        if (recorded == null || computed == null) {
            return computed == null && (recorded == null || recorded.equals("null"));
        }
        if (computed instanceof BigDecimal number) {
            return recorded.matches("-?[0-9.]+([eE][-+]?[0-9]+)?") && new BigDecimal(recorded).compareTo(number) == 0;
        }
        return recorded.equals(computed.toString()) || recorded.equals("\"" + computed + "\"");
    }

    private static @Nullable Object value(Expression e, Map<String, Object> row, List<?> params) {
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

    private static @Nullable Object truth(Expression e, Map<String, Object> row, List<?> params) {
        if (e instanceof AndExpression both) {
            Object left = value(both.getLeftExpression(), row, params);
            return Boolean.FALSE.equals(left) ? left : and(left, value(both.getRightExpression(), row, params));
        }
        if (e instanceof OrExpression either) {
            Object left = value(either.getLeftExpression(), row, params);
            if (Boolean.TRUE.equals(left)) {
                return left;
            }
            Object right = value(either.getRightExpression(), row, params);
            return turned(true, and(turned(true, left), turned(true, right)));
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
            return turned(range.isNot(), and(above, below));
        }
        if (e instanceof InExpression in) {
            Object member = value(in.getLeftExpression(), row, params);
            Object found = member == null ? null : (Object) false;
            for (Expression element : (ExpressionList<?>) in.getRightExpression()) {
                Object other = value(element, row, params);
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

    private static @Nullable Object twoSided(String operator, @Nullable Object left, @Nullable Object right) {
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
            case "/" -> quotient((BigDecimal) left, (BigDecimal) right);
            case "%" -> ((BigDecimal) left).remainder((BigDecimal) right);
            default -> throw new IllegalArgumentException("operator=" + operator);
        };
    }

    private static @Nullable Object and(@Nullable Object one, @Nullable Object other) {
        boolean isFalse = Boolean.FALSE.equals(one) || Boolean.FALSE.equals(other);
        return isFalse ? (Object) false : one == null || other == null ? null : (Object) true;
    }

    private static @Nullable Object turned(boolean isNegated, @Nullable Object truth) {
        return truth == null || !isNegated ? truth : (Object) !(Boolean) truth;
    }

    /** Divides numbers: whole numbers have a whole quotient, cut towards zero. */
    private static BigDecimal quotient(BigDecimal left, BigDecimal right) {
        return isWhole(left) && isWhole(right)
                ? left.divideToIntegralValue(right)
                : left.divide(right, 20, RoundingMode.HALF_EVEN);
    }

    private static boolean isWhole(BigDecimal number) {
        return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    }

    @SuppressWarnings("unchecked")
    static int order(Object one, Object other) {
        if (one instanceof String a && other instanceof String b) {
            return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
        }
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static Pattern regex(String like, boolean anyCase) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < like.length(); i++) {
            char c = like.charAt(i);
            if (c == '\\' && i + 1 < like.length()) {
                regex.append(Pattern.quote(String.valueOf(like.charAt(++i))));
            } else {
                regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
            }
        }
        int flags = Pattern.DOTALL | (anyCase ? Pattern.CASE_INSENSITIVE : 0);
        return Pattern.compile(regex.toString(), flags);
    }
}
