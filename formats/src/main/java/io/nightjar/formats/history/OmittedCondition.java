package io.nightjar.formats.history;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The condition that a row matches if a predicate read must have returned it: the condition of the read, and with a limit
 * that was reached, a position before the last row that it returned.
 *
 * @param condition not understood if the result contradicts the limit or the order
 * @param params a JSON array; null if none
 */
public record OmittedCondition(String condition, @Nullable String params) {

    private static final String STRING = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"";

    private static final Pattern ORDER = Pattern.compile("(?i)\\s*(?:\\w+\\.)?(?:(\\w+)|\"([^\"]+)\"|`([^`]+)`)"
            + "(\\s+(?:asc|(desc)))?(\\s+nulls\\s+(?:(first)|last))?\\s*");

    private static final Pattern MEMBER = Pattern.compile(
            "\\G\\s*[{,]\\s*" + STRING + "\\s*:\\s*(" + STRING + "|-?[0-9][0-9.eE+-]*|null|true|false)(?=\\s*[,}])");

    private static final Pattern INTEGER = Pattern.compile("-?\\d{1,18}");

    private static final String NULL = "null";

    /** Returns the condition of a predicate read whose rows are recorded, or that has no limit. */
    public static OmittedCondition of(HistorySlice slice, int op) {
        String condition = requireNonNull(slice.text(HistoryColumn.PREDICATE, op));
        String params = slice.text(HistoryColumn.PARAMS, op);
        if (!slice.has(HistoryColumn.LIMIT, op)) {
            return new OmittedCondition(condition, params);
        }
        OmittedCondition limited = SearchedKeys.areRowsKnown(slice, op) && slice.kind[op] == OpKind.PREDICATE
                ? of(slice, op, slice.number(HistoryColumn.LIMIT, op), condition, params)
                : null;
        return limited == null
                ? new OmittedCondition(condition + " LIMIT " + slice.number(HistoryColumn.LIMIT, op), params)
                : limited;
    }

    private static @Nullable OmittedCondition of(
            HistorySlice slice, int op, long limit, String condition, @Nullable String params) {
        String order = slice.text(HistoryColumn.ORDER, op);
        Matcher column = ORDER.matcher(order == null ? "" : order);
        boolean isOrdered = order != null && column.matches();
        boolean isDescending = isOrdered && column.group(5) != null;
        boolean areNullsFirst = isOrdered && (column.group(6) == null ? isDescending : column.group(7) != null);
        String last = null;
        long count = 0;
        long end = op + requireNonNull(slice.numbers(HistoryColumn.ROWS))[op];
        for (int row = op + 1; row <= end; row++) {
            if (slice.kind[row] != OpKind.READ) {
                continue;
            }
            count++;
            String value = isOrdered ? value(slice.valueText(slice.value[row]), name(column)) : NULL;
            if (value == null || last != null && !areComparable(last, value)) {
                return null;
            }
            last = last == null || isBefore(last, value, isDescending, areNullsFirst) ? value : last;
        }
        if (count > limit || order != null && !isOrdered) {
            return null;
        }
        if (count < limit) {
            return new OmittedCondition(condition, params);
        }
        if (!isOrdered || last == null || last.equals(NULL) && areNullsFirst) {
            return new OmittedCondition("FALSE", null);
        }
        String name = '"' + name(column) + '"';
        String start = condition.isBlank() ? "" : "(" + condition + ") AND ";
        if (last.equals(NULL)) {
            return new OmittedCondition(start + name + " IS NOT NULL", params);
        }
        String before = name + (isDescending ? " > ?" : " < ?");
        before = areNullsFirst ? "(" + before + " OR " + name + " IS NULL)" : before;
        String given = params == null ? "[]" : params.strip();
        String others =
                given.length() < 2 ? "" : given.substring(1, given.length() - 1).strip();
        return new OmittedCondition(start + before, "[" + others + (others.isEmpty() ? "" : ",") + last + "]");
    }

    private static String name(Matcher column) {
        return column.group(1) != null
                ? column.group(1)
                : column.group(2) != null ? column.group(2) : requireNonNull(column.group(3));
    }

    /** Returns a column of a row as JSON; null if it is neither a number nor a text. */
    private static @Nullable String value(String row, String column) {
        if (!row.startsWith("{")) {
            boolean isValue = column.equalsIgnoreCase("value");
            return isValue && INTEGER.matcher(row).matches() ? row : null;
        }
        String found = NULL;
        Matcher member = MEMBER.matcher(row);
        int end = 0;
        while (member.find()) {
            end = member.end();
            if (requireNonNull(member.group(1)).equalsIgnoreCase(column)) {
                found = requireNonNull(member.group(2));
            }
        }
        boolean isWhole = row.substring(end).strip().matches("[{]?\\s*}");
        return isWhole && !found.startsWith("t") && !found.startsWith("f") ? found : null;
    }

    private static boolean areComparable(String one, String other) {
        return one.equals(NULL) || other.equals(NULL) || one.startsWith("\"") == other.startsWith("\"");
    }

    private static boolean isBefore(String one, String other, boolean isDescending, boolean areNullsFirst) {
        if (one.equals(NULL) || other.equals(NULL)) {
            return !one.equals(other) && one.equals(NULL) == areNullsFirst;
        }
        int compared = one.startsWith("\"")
                ? Arrays.compareUnsigned(ConditionalWrites.text(one), ConditionalWrites.text(other))
                : new BigDecimal(one).compareTo(new BigDecimal(other));
        return isDescending ? compared > 0 : compared < 0;
    }
}
