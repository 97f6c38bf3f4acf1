package io.nightjar.pipeline.verify;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a row by their names in small letters, or the parameters of a condition, read from JSON. */
final class RowReading {

    private final String json;
    private int next;

    private RowReading(String json) {
        this.json = json;
    }

    /** Parses a row; a value that is no object is a row with one column. */
    static Map<String, Object> row(String json) {
        if (json.strip().startsWith("{")) {
            try {
                Object read = new RowReading(json).value();
                if (read instanceof Map<?, ?> members) {
                    Map<String, Object> row = new HashMap<>();
                    members.forEach((name, value) -> row.put(((String) name).toLowerCase(Locale.ROOT), value));
                    return row;
                }
            } catch (IndexOutOfBoundsException | NumberFormatException noJson) {
                // a text like any other
            }
        }
        Map<String, Object> row = new HashMap<>();
        row.put("value", json.matches("-?\\d{1,18}") ? new BigDecimal(json) : json);
        return row;
    }

    static List<?> params(@Nullable String json) {
        List<?> given = json == null ? null : (List<?>) new RowReading(json).value();
        return given == null ? List.of() : given;
    }

    private @Nullable Object value() {
        char c = peek();
        if (c == '{') {
            Map<String, Object> members = new HashMap<>();
            next++;
            while (peek() != '}') {
                String name = string();
                peek();
                next++;
                members.put(name, nested(value()));
                next += peek() == ',' ? 1 : 0;
            }
            next++;
            return members;
        }
        if (c == '[') {
            List<Object> list = new ArrayList<>();
            next++;
            while (peek() != ']') {
                list.add(nested(value()));
                next += peek() == ',' ? 1 : 0;
            }
            next++;
            return list;
        }
        return c == '"' ? string() : word();
    }

    /** Returns nested JSON as its text, as it is no value of a column. */
    private static @Nullable Object nested(@Nullable Object value) {
        return value instanceof Map || value instanceof List ? value.toString() : value;
    }

    private @Nullable Object word() {
        StringBuilder word = new StringBuilder();
        while (next < json.length()
                && !Character.isWhitespace(json.charAt(next))
                && ",]}".indexOf(json.charAt(next)) < 0) {
            word.append(json.charAt(next++));
        }
        return switch (word.toString()) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> new BigDecimal(word.toString());
        };
    }

    private String string() {
        StringBuilder text = new StringBuilder();
        for (next++; json.charAt(next) != '"'; next++) {
            char c = json.charAt(next);
            if (c == '\\') {
                c = json.charAt(++next);
                int known = "ntrbf".indexOf(c);
                if (known >= 0) {
                    c = "\n\t\r\b\f".charAt(known);
                } else if (c == 'u') {
                    c = (char) Integer.parseInt(json.substring(next + 1, next + 5), 16);
                    next += 4;
                }
            }
            text.append(c);
        }
        next++;
        return text.toString();
    }

    private char peek() {
        while (Character.isWhitespace(json.charAt(next))) {
            next++;
        }
        return json.charAt(next);
    }
}
