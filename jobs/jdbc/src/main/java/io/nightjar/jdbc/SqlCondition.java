package io.nightjar.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a statement on one table.
 *
 * @param text the condition in the form that the history has it
 * @param firstParameter the number of the first parameter, from 1 in the whole statement
 * @param callsNothing whether it can be evaluated again without effects: it has no functions, and is not the row of a
 *     cursor
 */
record SqlCondition(
        String text,
        int firstParameter,
        int parameterCount,
        @Nullable Map<String, Object> equalities,
        boolean callsNothing) {

    private static final Set<String> BEFORE_BRACKETS =
            Set.of("in", "and", "or", "not", "between", "like", "ilike", "is", "when", "then", "else");

    /** @param parametersBefore number of parameters of the statement before the condition */
    static SqlCondition of(String sql, List<SqlToken> tokens, int parametersBefore) {
        int parameters = (int) tokens.stream().filter(SqlToken::isParameter).count();
        return new SqlCondition(
                withoutQualifiers(sql, tokens),
                parametersBefore + 1,
                parameters,
                equalities(tokens, parametersBefore),
                callsNothing(tokens));
    }

    /** Returns the condition of an insertion that the row of one key prevents. */
    static SqlCondition ofKey(Map<String, Object> constants) {
        return new SqlCondition("", 1, 0, constants, true);
    }

    private static boolean callsNothing(List<SqlToken> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            boolean isCall = i + 1 < tokens.size()
                    && tokens.get(i).isName()
                    && tokens.get(i + 1).is("(")
                    && !BEFORE_BRACKETS.contains(tokens.get(i).text().toLowerCase(Locale.ROOT));
            if (isCall || tokens.get(i).is("current")) { // that of a cursor
                return false;
            }
        }
        return true;
    }

    /** Returns the words as written, except for the names of tables before columns. */
    private static String withoutQualifiers(String sql, List<SqlToken> tokens) {
        StringBuilder text = new StringBuilder();
        int end = -1;
        for (int i = 0; i < tokens.size(); i++) {
            boolean isQualifier = tokens.get(i).isName()
                    && i + 2 < tokens.size()
                    && tokens.get(i + 1).is(".");
            if (isQualifier) {
                i++;
                continue;
            }
            SqlToken token = tokens.get(i);
            boolean hasSpace = text.length() > 0 && token.from() > end;
            text.append(hasSpace ? " " : "").append(sql, token.from(), token.to());
            end = token.to();
        }
        return text.toString();
    }

    /** Returns the columns that must equal a constant, if nothing else is required; else null. */
    private static @Nullable Map<String, Object> equalities(List<SqlToken> tokens, int parametersBefore) {
        Map<String, Object> equalities = new HashMap<>();
        int parameter = parametersBefore;
        List<SqlToken> term = new ArrayList<>();
        for (int i = 0; i <= tokens.size(); i++) {
            if (i < tokens.size() && !tokens.get(i).is("and")) {
                term.add(tokens.get(i));
                continue;
            }
            if (term.size() == 5 && term.get(1).is(".")) {
                term = term.subList(2, 5);
            }
            if (term.size() != 3
                    || !term.get(0).isName()
                    || !term.get(1).is("=")
                    || !term.get(2).isConstant()) {
                return null;
            }
            Object constant = term.get(2).isParameter() ? Integer.valueOf(++parameter) : literal(term.get(2));
            if (equalities.put(term.get(0).text(), constant) != null) {
                return null;
            }
            term = new ArrayList<>();
        }
        return equalities;
    }

    /** Returns the value of a number or a plain string; of anything else nothing that could be one. */
    static Object literal(SqlToken token) {
        String text = token.text();
        if (token.kind() == SqlToken.Kind.NUMBER
                && text.length() <= 18
                && text.chars().allMatch(Character::isDigit)) {
            return new Literal(Long.valueOf(text));
        }
        boolean isPlain = text.startsWith("'") && text.length() >= 2 && text.indexOf('\\') < 0;
        return new Literal(isPlain ? text.substring(1, text.length() - 1).replace("''", "'") : null);
    }

    /** A constant in the statement; null if its value is not certain. */
    record Literal(@Nullable Object value) {}

    /** Returns whether it matches the row of one key, and has no other part. */
    boolean isOfKey(RecordedTable table) {
        return isOf(table.keyColumns());
    }

    /** Returns whether it requires each of some columns to equal a constant, and has no other part. */
    boolean isOf(List<String> columns) {
        return equalities != null
                && equalities.size() == columns.size()
                && columns.stream().allMatch(column -> constantOf(column) != null);
    }

    /**
     * Returns the required value of a column: a {@link Literal}, or the number of a parameter; null if it is not
     * required, or more is required.
     */
    @Nullable
    Object constantOf(String column) {
        if (equalities == null) {
            return null;
        }
        for (Map.Entry<String, Object> each : equalities.entrySet()) {
            if (each.getKey().equalsIgnoreCase(column)) {
                return each.getValue();
            }
        }
        return null;
    }
}
