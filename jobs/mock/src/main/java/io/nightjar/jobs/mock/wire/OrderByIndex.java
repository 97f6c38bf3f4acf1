package io.nightjar.jobs.mock.wire;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.mock.sql.EngineSession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Extends ORDER BY to the order of an index: {@code WHERE w = ? AND d = ? ORDER BY o LIMIT 1} is ordered by {@code w,
 * d, o} if such an index exists, as H2 scans an index in order only if ORDER BY begins with its columns.
 */
final class OrderByIndex {

    private final StatementWords words;

    private OrderByIndex(StatementWords words) {
        this.words = words;
    }

    /** Returns the query in the order of a matching index, if any; any other statement unchanged. */
    static String ordered(String sql, EngineSession engine) {
        if (!sql.regionMatches(true, 0, "select", 0, 6)) {
            return sql;
        }
        List<StatementWords> statements = StatementWords.split(sql, Flavor.POSTGRES);
        return statements.size() == 1 ? new OrderByIndex(statements.get(0)).ordered(engine, sql) : sql;
    }

    private String ordered(EngineSession engine, String sql) {
        int from = words.topLevel("from", 1);
        int where = from < 0 ? -1 : whereAfterOnlyTable(from + 1);
        int order = where < 0 ? -1 : words.topLevel("order", where);
        int end = order < 0 ? -1 : firstOf(order, "limit", "fetch");
        if (end < 0 || words.has(1, "distinct") || firstOf(where, "group", "having", "union", "or", "window") >= 0) {
            return sql;
        }
        String direction = null;
        String first = null;
        for (int[] item : words.items(order + 2, end)) {
            int after = words.endOfName(item[0]);
            String indexDirection = words.has(after, "desc") ? " DESC" : "";
            int next = words.hasAny(after, "asc", "desc") ? after + 1 : after;
            next += words.has(next, "nulls") ? 2 : 0; // NULLS matters to an index only where nulls can occur
            if (!words.isName(item[0]) || next != item[1] || direction != null && !direction.equals(indexDirection)) {
                return sql;
            }
            direction = indexDirection;
            first = first == null ? words.name(after - 1) : first;
        }
        Map<String, String> equal = equalColumns(where + 1, order);
        StringBuilder before = new StringBuilder();
        for (String column : engine.columnsBefore(
                words.name(words.endOfName(from + 1) - 1), equal.keySet(), requireNonNull(first))) {
            before.append(equal.get(column)).append(direction).append(", ");
        }
        int position = words.get(order + 2).from();
        return sql.substring(0, position) + before + sql.substring(position);
    }

    /**
     * Returns the position of WHERE after the only table of a query, -1 if the query has several tables or no
     * conditions.
     */
    private int whereAfterOnlyTable(int table) {
        if (!words.isName(Math.min(table, words.size() - 1))) {
            return -1;
        }
        int after = words.endOfName(table);
        after = words.has(after, "as") ? after + 1 : after;
        boolean isNamed = after < words.size() && words.isName(after) && !words.has(after, "where");
        int where = isNamed ? after + 1 : after;
        return words.has(where, "where") ? where : -1;
    }

    private int firstOf(int after, String... names) {
        int first = -1;
        for (String name : names) {
            int position = words.topLevel(name, after);
            first = first < 0 || position >= 0 && position < first ? position : first;
        }
        return first;
    }

    /** Returns the columns that are compared for equality with a constant, with their written form. */
    private Map<String, String> equalColumns(int from, int to) {
        Map<String, String> equal = new LinkedHashMap<>();
        for (int[] condition : conditions(from, to)) {
            int after = words.isName(condition[0]) ? words.endOfName(condition[0]) : condition[1];
            boolean isConstant = words.has(after, "=") && isConstant(after + 1, condition[1]);
            if (isConstant) {
                equal.put(words.name(after - 1), words.written(condition[0], after));
            }
        }
        return equal;
    }

    private List<int[]> conditions(int from, int to) {
        List<int[]> conditions = new ArrayList<>();
        int start = from;
        for (int position = from; position <= to; position = words.endOfGroup(position)) {
            if (position == to || words.has(position, "and")) {
                if (position > start) {
                    conditions.add(new int[] {start, position});
                }
                start = position + 1;
            }
        }
        return conditions;
    }

    private boolean isConstant(int from, int to) {
        if (words.has(from, "?")) {
            return to <= from + 2;
        }
        boolean isValue = from < to
                && (words.kind(from) == Kind.NUMBER
                        || words.kind(from) == Kind.STRING
                        || words.kind(from) == Kind.PARAMETER);
        return isValue && to == from + 1;
    }
}
