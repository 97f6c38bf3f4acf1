package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.SetsFields;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes the JSON text of a row, or of an array of parameters, apart into values. */
final class RowCells {

    /** The column of values that are no objects. */
    static final String SCALAR_COLUMN = "value";

    private final Map<String, Integer> ordinalOf = new HashMap<>();
    private String text;
    private int at;

    /** Returns the ordinal of a column by its name, letter by letter or else in any case; -1 if no row has it. */
    int column(String name) {
        Integer exact = ordinalOf.get(name);
        if (exact != null) {
            return exact;
        }
        for (Map.Entry<String, Integer> column : ordinalOf.entrySet()) {
            if (column.getKey().equalsIgnoreCase(name)) {
                return column.getValue();
            }
        }
        return -1;
    }

    int columnCount() {
        return ordinalOf.size();
    }

    private int ordinal(String name) {
        Integer known = ordinalOf.get(name);
        if (known == null) {
            known = ordinalOf.size();
            ordinalOf.put(name, known);
        }
        return known;
    }

    /** Returns the values of a row by the ordinal of their column. */
    Object[] row(String json) {
        try {
            return object(json);
        } catch (StringIndexOutOfBoundsException | NumberFormatException noJson) {
            Object[] scalar = new Object[ordinal(SCALAR_COLUMN) + 1];
            scalar[scalar.length - 1] = json;
            return scalar;
        }
    }

    @SetsFields
    private Object[] object(String json) {
        text = json;
        at = 0;
        blanks();
        if (at >= text.length() || text.charAt(at) != '{') {
            Object[] scalar = new Object[ordinal(SCALAR_COLUMN) + 1];
            scalar[scalar.length - 1] = scalar(json);
            return scalar;
        }
        Object[] cells = new Object[ordinalOf.size()];
        at++;
        blanks();
        while (text.charAt(at) != '}') {
            String name = string();
            blanks();
            at++; // the colon
            int column = ordinal(name);
            if (column >= cells.length) {
                cells = java.util.Arrays.copyOf(cells, column + 1);
            }
            cells[column] = value();
            blanks();
            at += text.charAt(at) == ',' ? 1 : 0;
            blanks();
        }
        return cells;
    }

    private static Object scalar(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException noNumber) {
            return text;
        }
    }

    /** @throws ConditionException if it is no array */
    Object[] params(@Nullable String json) {
        if (json == null) {
            return new Object[0];
        }
        text = json;
        at = 0;
        try {
            blanks();
            if (text.charAt(at) != '[') {
                throw new ConditionException("params are no JSON array: params=" + json);
            }
            at++;
            java.util.List<Object> values = new java.util.ArrayList<>();
            blanks();
            while (text.charAt(at) != ']') {
                values.add(value());
                blanks();
                at += text.charAt(at) == ',' ? 1 : 0;
                blanks();
            }
            return values.toArray();
        } catch (StringIndexOutOfBoundsException | NumberFormatException noJson) {
            throw new ConditionException("params are no JSON array: params=" + json);
        }
    }

    private @Nullable Object value() {
        blanks();
        char c = text.charAt(at);
        if (c == '"') {
            return string();
        }
        if (c == '{' || c == '[') {
            return nested();
        }
        int from = at;
        while (at < text.length() && ",]} \t\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> number(word);
        };
    }

    private static Object number(String word) {
        return isShortInteger(word) ? (Object) Long.parseLong(word) : RowValues.narrow(new BigDecimal(word));
    }

    private static boolean isShortInteger(String word) {
        boolean isInteger = word.length() < 19;
        for (int i = 0; isInteger && i < word.length(); i++) {
            char c = word.charAt(i);
            isInteger = c == '-' || c >= '0' && c <= '9';
        }
        return isInteger;
    }

    /** Returns nested JSON as its text, which is the value in conditions. */
    private String nested() {
        int from = at;
        int depth = 0;
        do {
            char c = text.charAt(at);
            if (c == '"') {
                string();
                continue;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            at++;
        } while (depth > 0);
        return text.substring(from, at);
    }

    private String string() {
        at++;
        int end = at;
        while (text.charAt(end) != '"' && text.charAt(end) != '\\') {
            end++;
        }
        StringBuilder string = new StringBuilder(text.substring(at, end));
        at = end;
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c != '\\') {
                string.append(c);
                continue;
            }
            char escaped = text.charAt(at++);
            switch (escaped) {
                case 'n' -> string.append('\n');
                case 't' -> string.append('\t');
                case 'r' -> string.append('\r');
                case 'b' -> string.append('\b');
                case 'f' -> string.append('\f');
                case 'u' -> {
                    string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> string.append(escaped);
            }
        }
        at++;
        return string.toString();
    }

    private void blanks() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }
}
