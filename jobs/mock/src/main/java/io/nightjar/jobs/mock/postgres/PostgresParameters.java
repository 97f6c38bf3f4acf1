package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.mock.sql.SqlStatement;
import io.nightjar.jobs.mock.sql.SqlType;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Types of a statement's parameters, which some drivers request before they send values: from H2 or from the words
 * around them.
 */
final class PostgresParameters {

    private static final Map<String, Integer> TYPES = Map.ofEntries(
            Map.entry("int", PostgresType.INT4),
            Map.entry("integer", PostgresType.INT4),
            Map.entry("int4", PostgresType.INT4),
            Map.entry("bigint", PostgresType.INT8),
            Map.entry("int8", PostgresType.INT8),
            Map.entry("smallint", PostgresType.INT2),
            Map.entry("int2", PostgresType.INT2),
            Map.entry("bool", PostgresType.BOOL),
            Map.entry("boolean", PostgresType.BOOL),
            Map.entry("real", PostgresType.FLOAT4),
            Map.entry("float4", PostgresType.FLOAT4),
            Map.entry("float8", PostgresType.FLOAT8),
            Map.entry("numeric", PostgresType.NUMERIC),
            Map.entry("decimal", PostgresType.NUMERIC),
            Map.entry("varchar", PostgresType.VARCHAR),
            Map.entry("text", PostgresType.TEXT),
            Map.entry("bytea", PostgresType.BYTEA),
            Map.entry("date", PostgresType.DATE),
            Map.entry("timestamp", PostgresType.TIMESTAMP),
            Map.entry("timestamptz", PostgresType.TIMESTAMPTZ),
            Map.entry("oid", PostgresType.OID),
            Map.entry("uuid", PostgresType.UUID));

    private static final String[] OPERATORS = {"+", "-", "*", "/"};
    private static final String[] ARRAY_QUANTIFIERS = {"any", "all", "some"};

    private PostgresParameters() {}

    /**
     * Returns the types of all parameters of a statement.
     *
     * @param given types set by the client, 0 or missing where the server chooses
     */
    static int[] types(PostgresStatement statement, int[] given, PostgresSession session) {
        SqlStatement parsed = session.parsed(statement);
        if (parsed == null || parsed.parameters().isEmpty()) {
            return new int[0];
        }
        int count = parsed.parameters().size();
        int[] types = new int[count];
        StatementWords words =
                StatementWords.split(statement.text(), Flavor.POSTGRES).get(0);
        Map<Integer, Integer> declared = typesFromWords(words, session);
        List<SqlType> inner = inner(words, session);
        for (int i = 0; i < count; i++) {
            SqlType type = parsed.parameters().get(i);
            type = type == SqlType.UNKNOWN && i < inner.size() ? inner.get(i) : type;
            int givenType = i < given.length ? given[i] : 0;
            int known = type == SqlType.UNKNOWN ? ofArithmetic(words, "$" + (i + 1), session) : 0;
            types[i] = givenType != 0
                    ? givenType
                    : declared.getOrDefault(i + 1, known != 0 ? known : PostgresType.of(type));
        }
        return types;
    }

    /** Returns the parameter types of the statement inside a RETURNING query, which H2 does not analyze. */
    private static List<SqlType> inner(StatementWords words, PostgresSession session) {
        int returning = words.topLevel("returning", 1);
        if (!words.hasAny(0, "insert", "update", "delete") || returning < 0) {
            return List.of();
        }
        SqlStatement inner = session.parsed(
                PostgresDialect.statements(words.written(0, returning), session).get(0));
        return inner == null ? List.of() : inner.parameters();
    }

    private static Map<Integer, Integer> typesFromWords(StatementWords words, PostgresSession session) {
        Map<Integer, Integer> declared = new HashMap<>();
        for (int position = 0; position < words.size(); position++) {
            if (words.kind(position) == Kind.PARAMETER) {
                Integer type = typeAt(words, position, session);
                if (type != null) {
                    declared.put(Integer.parseInt(words.text(position).substring(1)), type);
                }
            }
        }
        return declared;
    }

    /** Returns the type of the numeric column that a parameter is added to or multiplied with, 0 if none. */
    private static int ofArithmetic(StatementWords words, String parameter, PostgresSession session) {
        for (int position = 0; position < words.size(); position++) {
            if (words.kind(position) == Kind.PARAMETER && words.text(position).equals(parameter)) {
                int type = 0;
                if (words.hasAny(position - 1, OPERATORS) && words.isName(position - 2)) {
                    type = session.typeOfNumbers(words.name(position - 2));
                } else if (words.hasAny(position + 1, OPERATORS)
                        && position + 2 < words.size()
                        && words.isName(position + 2)) {
                    type = session.typeOfNumbers(words.name(words.endOfName(position + 2) - 1));
                }
                if (type != 0) {
                    return type;
                }
            }
        }
        return 0;
    }

    /**
     * Returns whether the parameter is a number of days added to a date; a parameter with a cast may itself be a date.
     */
    static boolean isOfDays(StatementWords words, int position) {
        boolean isAddedToDate = words.hasAny(position - 1, "+", "-") && words.has(position - 2, "current_date");
        return isAddedToDate && !words.has(position + 1, "::") || words.has(position + 1, "+", "current_date");
    }

    /** Returns whether an interval is multiplied by the parameter. */
    static boolean isFactor(StatementWords words, int position) {
        return words.has(position + 1, "*", "interval")
                || words.has(position - 1, "*") && words.has(position - 3, "interval");
    }

    private static @Nullable Integer typeAt(StatementWords words, int position, PostgresSession session) {
        if (position > 0 && words.hasAny(position - 1, "limit", "offset", "first", "next")) {
            return PostgresType.INT8;
        }
        if (isOfDays(words, position) || isFactor(words, position)) {
            return isFactor(words, position) ? PostgresType.NUMERIC : PostgresType.INT4;
        }
        if (words.hasAny(position - 2, ARRAY_QUANTIFIERS)
                && words.has(position - 1, "(")
                && words.has(position + 1, ")")) {
            int column = words.hasAny(position - 4, "<", "!") ? position - 5 : position - 4; // signs are separate words
            boolean isOfColumn = column >= 0 && words.isName(column);
            int element = isOfColumn ? session.typeOfNumbers(words.name(column)) : 0;
            return PostgresType.arrayOf(element);
        }
        boolean isCast =
                words.has(position + 1, "::") || words.has(position - 2, "cast", "(") && words.has(position + 1, "as");
        if (!isCast || position + 2 >= words.size()) {
            return null;
        }
        Integer type = TYPES.get(words.text(position + 2));
        boolean isArray = words.has(position + 3, "[", "]");
        return type == null || !isArray ? type : Integer.valueOf(PostgresType.arrayOf(type));
    }
}
